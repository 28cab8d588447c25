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
    /// Close all screens and let the caller do something.
    Leave(Exit),
}

/// What the caller does after the screens have closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Run the classic game herochess.
    Herochess,
}

/// A screen of the program.
pub(crate) trait Screen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance);

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition;

    /// Polls background work. Returns whether to redraw.
    fn tick(&mut self, _now: Instant) -> bool {
        false
    }

    /// Whether background work is going on.
    fn is_busy(&self) -> bool {
        false
    }

    /// Called when the screen on top has closed.
    fn resume(&mut self) {}

    /// Called before the screen closes.
    fn close(&mut self) {}
}

/// Runs a stack of screens, the last on top, until the user quits.
pub(crate) fn run(
    mut screens: Vec<Box<dyn Screen>>,
    appearance: &mut Appearance,
) -> io::Result<Option<Exit>> {
    let mut tty = Tty::enter()?;
    let outcome = show(&mut tty, &mut screens, appearance);
    for screen in &mut screens {
        screen.close();
    }
    outcome
}

fn show(
    tty: &mut Tty,
    screens: &mut Vec<Box<dyn Screen>>,
    appearance: &mut Appearance,
) -> io::Result<Option<Exit>> {
    while let Some(screen) = screens.last_mut() {
        tty.draw(|frame| screen.draw(frame, appearance))?;
        let Some(event) = wait(screen.as_mut())? else {
            continue;
        };
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
        match screen.handle(input, appearance) {
            Transition::Stay => {}
            Transition::Back => {
                screen.close();
                screens.pop();
                if let Some(below) = screens.last_mut() {
                    below.resume();
                }
            }
            Transition::Open(next) => screens.push(next),
            Transition::Replace(next) => {
                screen.close();
                *screen = next;
            }
            Transition::Quit => return Ok(None),
            Transition::Leave(exit) => return Ok(Some(exit)),
        }
    }
    Ok(None)
}

/// Waits for the next event; `None` if the screen has to be redrawn first.
fn wait(screen: &mut dyn Screen) -> io::Result<Option<Event>> {
    loop {
        if !screen.is_busy() {
            return event::read().map(Some);
        }
        if event::poll(TICK)? {
            return event::read().map(Some);
        }
        if screen.tick(Instant::now()) {
            return Ok(None);
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
