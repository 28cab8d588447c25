//! The start of a game: the level, the colour, the clock.

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::Frame;
use tabiya_play::{Level, TimeControl};

use crate::app::{Input, Screen, Step};
use crate::game::GameScreen;
use crate::home::{Preferences, Seat, Shared};
use crate::keys::{Key, KeyBar};
use crate::list::{self, Entry, Page, Places};
use crate::look::Look;
use crate::scene::Message;

const KEYS: [Key; 4] = [
    Key::plain(KeyCode::Enter, "play"),
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Right, "change"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The clocks that are offered.
const CONTROLS: [&str; 9] = [
    "none", "1+0", "3+2", "5+0", "5+3", "10+0", "15+10", "30+20", "move=30",
];

/// Asks what a game shall be like.
pub(crate) struct SetupScreen {
    home: Shared,
    preferences: Preferences,
    is_of_two: bool,
    chosen: usize,
    message: Message,
    places: Places,
}

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Play,
    Level,
    Seat,
    Control,
}

impl SetupScreen {
    pub(crate) fn new(home: Shared, is_of_two: bool) -> Self {
        let preferences = home.borrow().preferences.clone();
        Self {
            home,
            preferences,
            is_of_two,
            chosen: 0,
            message: Message::default(),
            places: Places::default(),
        }
    }

    const fn rows(&self) -> &'static [Row] {
        if self.is_of_two {
            &[Row::Play, Row::Control]
        } else {
            &[Row::Play, Row::Level, Row::Seat, Row::Control]
        }
    }

    fn entry(&self, row: Row) -> Entry {
        let preferences = &self.preferences;
        match row {
            Row::Play => Entry::new("Play", "begin the game"),
            Row::Level => {
                let level = preferences.level;
                Entry::set(
                    "Level",
                    format!("{} {}", level.number(), level.name()),
                    level.description(),
                )
            }
            Row::Seat => Entry::set("You play", preferences.seat.name(), ""),
            Row::Control => Entry::set(
                "Clock",
                preferences.control.to_string(),
                "minutes + seconds for each move",
            ),
        }
    }

    fn change(&mut self, on: bool) {
        let row = self.rows()[self.chosen];
        let preferences = &mut self.preferences;
        match row {
            Row::Play => {}
            Row::Level => {
                let at = usize::from(preferences.level.number()) - 1;
                preferences.level = Level::ALL[turned(at, Level::ALL.len(), on)];
            }
            Row::Seat => {
                let at = Seat::ALL.iter().position(|&seat| seat == preferences.seat);
                preferences.seat = Seat::ALL[turned(at.unwrap_or(0), Seat::ALL.len(), on)];
            }
            Row::Control => preferences.control = next_control(preferences.control, on),
        }
    }

    fn begin(&self) -> Step {
        let game = if self.is_of_two {
            self.preferences.game_of_two()
        } else {
            // What was chosen now is offered the next time.
            self.home.borrow_mut().preferences = self.preferences.clone();
            self.preferences.game()
        };
        let session = self.home.borrow().session(game);
        let screen = GameScreen::new(session, None, self.home.clone());
        Step::Replace(Box::new(screen))
    }

    fn press(&mut self, code: KeyCode) -> Step {
        if let Some(chosen) = list::moved(code, self.chosen, self.rows().len()) {
            self.chosen = chosen;
            return Step::Stay;
        }
        match code {
            KeyCode::Enter => return self.begin(),
            KeyCode::Right | KeyCode::Char(' ' | '+' | 'l') => self.change(true),
            KeyCode::Left | KeyCode::Char('-' | 'h') => self.change(false),
            KeyCode::Esc | KeyCode::Char('q') => return Step::Back,
            _ => {}
        }
        Step::Stay
    }
}

/// The next or the previous of so many, around the end.
pub(crate) const fn turned(at: usize, count: usize, on: bool) -> usize {
    if on {
        (at + 1) % count
    } else {
        (at + count - 1) % count
    }
}

/// The next of the clocks that are offered.
pub(crate) fn next_control(control: TimeControl, on: bool) -> TimeControl {
    let offered: Vec<TimeControl> = CONTROLS
        .iter()
        .filter_map(|text| text.parse().ok())
        .collect();
    let at = offered.iter().position(|&other| other == control);
    offered[turned(at.unwrap_or(0), offered.len(), on)]
}

impl Screen for SetupScreen {
    fn draw(&mut self, frame: &mut Frame, look: &Look) {
        let entries: Vec<Entry> = self.rows().iter().map(|&row| self.entry(row)).collect();
        let page = Page {
            title: if self.is_of_two {
                "Two players"
            } else {
                "Play the computer"
            },
            about: if self.is_of_two {
                "at one board"
            } else {
                "ten levels, from the first steps to full strength"
            },
            entries: &entries,
            chosen: self.chosen,
            message: &self.message,
            keys: &KEYS,
        };
        self.places = page.draw(frame, look);
    }

    fn handle(&mut self, input: Input, look: &mut Look) -> Step {
        match input {
            Input::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => Step::Stay,
            Input::Key(key) => self.press(key.code),
            Input::Press(point) if self.places.keys.contains(point) => {
                let bar = KeyBar { keys: &KEYS, look };
                match bar.at(self.places.keys, point.x) {
                    Some(key) => self.press(key.code),
                    None => Step::Stay,
                }
            }
            Input::Press(point) => {
                if let Some(entry) = self.places.entry_at(point) {
                    let is_again = self.chosen == entry;
                    self.chosen = entry;
                    match self.rows()[entry] {
                        Row::Play => return self.begin(),
                        _ if is_again => self.change(true),
                        _ => {}
                    }
                }
                Step::Stay
            }
            Input::Wheel { down } => {
                self.change(down);
                Step::Stay
            }
            _ => Step::Stay,
        }
    }
}
