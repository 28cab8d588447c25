//! The loop around the screens: events in, pictures out.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::Frame;
use ratatui::layout::Position as Point;

use crate::appearance::Appearance;
use crate::tty::Tty;

/// How often a screen on which something goes on is asked for news.
const TICK: Duration = Duration::from_millis(40);

/// What the user does.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Key(KeyEvent),
    /// The left button of the mouse goes down.
    Press(Point),
    /// It comes up again.
    Release(Point),
    /// The wheel turns, down or up.
    Wheel {
        down: bool,
    },
    /// Text from elsewhere.
    Paste(String),
}

/// What a screen wants to happen.
pub(crate) enum Transition {
    Stay,
    /// Back to the screen before this one; the end if there is none.
    Back,
    /// Another screen above this one.
    Open(Box<dyn Screen>),
    /// Another screen in place of this one.
    Replace(Box<dyn Screen>),
    /// The end of the program.
    Quit,
    /// The end of the screens, and something to be done afterwards.
    Leave(Exit),
}

/// What a user has chosen that is not done on these screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Run the classic game herochess.
    Herochess,
}

/// A screen of the program.
pub(crate) trait Screen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance);

    fn handle(&mut self, input: Input, appearance: &mut Appearance) -> Transition;

    /// Hears what has happened elsewhere; whether there is something to be drawn.
    fn tick(&mut self, _now: Instant) -> bool {
        false
    }

    /// Whether something goes on without the user.
    fn is_busy(&self) -> bool {
        false
    }

    /// The screen above this one has gone.
    fn resume(&mut self) {}

    /// The last words before the screen goes away, whatever the reason.
    fn close(&mut self) {}
}

/// Shows the last of some screens, and those that it leads to, until the user has had enough.
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
        if let Input::Key(key) = &input
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
            Transition::Leave(errand) => return Ok(Some(errand)),
        }
    }
    Ok(None)
}

/// The next event; nothing where the screen has news of its own.
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

/// What an event means to us. A new size needs nothing but to be drawn.
fn input_of(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(Input::Key(key)),
        Event::Paste(text) => Some(Input::Paste(text)),
        Event::Mouse(mouse) => {
            let point = Point::new(mouse.column, mouse.row);
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => Some(Input::Press(point)),
                MouseEventKind::Up(MouseButton::Left) => Some(Input::Release(point)),
                MouseEventKind::ScrollDown => Some(Input::Wheel { down: true }),
                MouseEventKind::ScrollUp => Some(Input::Wheel { down: false }),
                _ => None,
            }
        }
        _ => None,
    }
}
