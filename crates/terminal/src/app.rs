//! The event loop that runs the screens.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::Frame;
use ratatui::layout::Position as Point;

use crate::appearance::Appearance;
use crate::tty::Tty;

/// How often a busy screen gets a tick.
const TICK: Duration = Duration::from_millis(40);

/// User input.
#[derive(Clone, Debug)]
pub(crate) enum UserInput {
    Key(KeyEvent),
    /// The left mouse button is pressed.
    Press(Point),
    /// The left mouse button is released.
    Release(Point),
    /// The mouse wheel turns.
    Wheel {
        down: bool,
    },
    /// Pasted text.
    Paste(String),
}

/// What happens after a screen has handled input.
pub(crate) enum Transition {
    Stay,
    /// Return to the screen below; quit if there is none.
    Back,
    /// Open another screen on top.
    Open(Box<dyn Screen>),
    /// Replace this screen.
    Replace(Box<dyn Screen>),
    /// Quit the program.
    Quit,
    /// Close all screens and let the caller run a command.
    Run(MenuCommand),
}

/// A command that the menu offers and the caller runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuCommand {
    /// The classic game herochess.
    Herochess,
    /// The web board.
    Serve,
}

/// What the caller does after the screens have closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exit {
    /// Run this, then open the menu again.
    pub command: Option<MenuCommand>,
    /// A sentence for the user, such as that the game is saved.
    pub note: Option<String>,
}

/// A screen of the program.
pub(crate) trait Screen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance);

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition;

    /// Polls background work. Returns whether to redraw, and what happens next.
    fn tick(&mut self, _now: Instant) -> (bool, Transition) {
        (false, Transition::Stay)
    }

    /// Whether to ring the bell now. Asked after each change; the answer is yes once.
    fn take_bell(&mut self) -> bool {
        false
    }

    /// Whether background work is going on.
    fn is_busy(&self) -> bool {
        false
    }

    /// Called when the screen on top has closed, with what it has to say.
    fn resume(&mut self, _note: Option<&str>) {}

    /// Called before the screen closes. Returns a sentence for the user, such as that the game is saved.
    fn close(&mut self) -> Option<String> {
        None
    }
}

/// Runs a stack of screens, the last on top, until the user quits.
pub(crate) fn run(
    mut screens: Vec<Box<dyn Screen>>,
    appearance: &mut Appearance,
) -> io::Result<Exit> {
    let mut tty = Tty::enter()?;
    let command = show(&mut tty, &mut screens, appearance);
    let notes = screens.iter_mut().filter_map(|screen| screen.close());
    let note = notes.last();
    Ok(Exit {
        command: command?,
        note,
    })
}

/// Shows the screens until the user quits. Returns the command to run.
fn show(
    tty: &mut Tty,
    screens: &mut Vec<Box<dyn Screen>>,
    appearance: &mut Appearance,
) -> io::Result<Option<MenuCommand>> {
    while let Some(screen) = screens.last_mut() {
        tty.draw(|frame| screen.draw(frame, appearance))?;
        if screen.take_bell() {
            tty.ring()?;
        }
        let transition = match wait(screen.as_mut())? {
            Wakeup::Event(event) => {
                let Some(input) = input_of(event) else {
                    continue;
                };
                if let UserInput::Key(key) = &input
                    && key.modifiers.contains(KeyModifiers::CONTROL)
                {
                    match key.code {
                        KeyCode::Char('c' | 'q') => return Ok(None),
                        KeyCode::Char('z') => {
                            tty.suspend()?;
                            continue;
                        }
                        KeyCode::Char('l') => {
                            tty.clear()?;
                            continue;
                        }
                        _ => {}
                    }
                }
                screen.handle(input, appearance)
            }
            Wakeup::Tick(transition) => transition,
        };
        match transition {
            Transition::Stay => {}
            Transition::Back => {
                let note = screen.close();
                screens.pop();
                match screens.last_mut() {
                    Some(below) => below.resume(note.as_deref()),
                    None => return Ok(None),
                }
            }
            Transition::Open(next) => screens.push(next),
            Transition::Replace(next) => {
                screen.close();
                *screen = next;
            }
            Transition::Quit => return Ok(None),
            Transition::Run(command) => return Ok(Some(command)),
        }
    }
    Ok(None)
}

/// What ends the wait for an event.
enum Wakeup {
    Event(Event),
    /// Background work has changed the screen.
    Tick(Transition),
}

/// Waits for the next event, or until the screen has to be redrawn.
fn wait(screen: &mut dyn Screen) -> io::Result<Wakeup> {
    loop {
        if !screen.is_busy() || event::poll(TICK)? {
            return event::read().map(Wakeup::Event);
        }
        if let (true, transition) = screen.tick(Instant::now()) {
            return Ok(Wakeup::Tick(transition));
        }
    }
}

/// Converts an event. A resize only needs a redraw.
fn input_of(event: Event) -> Option<UserInput> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(UserInput::Key(key)),
        Event::Paste(text) => Some(UserInput::Paste(text)),
        Event::Mouse(mouse) => {
            let point = Point::new(mouse.column, mouse.row);
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => Some(UserInput::Press(point)),
                MouseEventKind::Up(MouseButton::Left) => Some(UserInput::Release(point)),
                MouseEventKind::ScrollDown => Some(UserInput::Wheel { down: true }),
                MouseEventKind::ScrollUp => Some(UserInput::Wheel { down: false }),
                _ => None,
            }
        }
        _ => None,
    }
}
