//! The setup page of a game: level, colour, clock.

use crossterm::event::KeyCode;
use ratatui::Frame;
use tabiya_play::{Level, SideChoice, TimeControl};

use crate::app::{Screen, Transition, UserInput};
use crate::appearance::Appearance;
use crate::context::{Preferences, SharedContext};
use crate::game::GameScreen;
use crate::keys::Key;
use crate::list::{List, ListAction, ListEntry, Page};

const KEYS: [Key; 4] = [
    Key::plain(KeyCode::Enter, "play"),
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Right, "change"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The time controls to choose from.
const CONTROLS: [&str; 9] = [
    "none", "1+0", "3+2", "5+0", "5+3", "10+0", "15+10", "30+20", "30s/move",
];

/// The setup page.
pub(crate) struct SetupScreen {
    context: SharedContext,
    preferences: Preferences,
    is_of_two: bool,
    list: List,
}

/// A row of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Play,
    Set(Choice),
}

/// A choice about a game, here and in the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Level,
    Side,
    Control,
}

impl Choice {
    pub(crate) fn entry(self, preferences: &Preferences) -> ListEntry {
        match self {
            Self::Level => {
                let level = preferences.level;
                let name = format!("{} {}", level.number(), level.name());
                ListEntry::set("Level", name, level.description())
            }
            Self::Side => ListEntry::set("Your colour", side_name(preferences.side), ""),
            Self::Control => ListEntry::set(
                "Clock",
                preferences.control.to_string(),
                "time per game and per move",
            ),
        }
    }

    /// Changes to the next or previous value.
    pub(crate) fn change(self, preferences: &mut Preferences, on: bool) {
        match self {
            Self::Level => preferences.level = turned(&Level::ALL, &preferences.level, on),
            Self::Side => preferences.side = turned(&SideChoice::ALL, &preferences.side, on),
            Self::Control => {
                let offered: Vec<TimeControl> = CONTROLS
                    .iter()
                    .filter_map(|text| text.parse().ok())
                    .collect();
                preferences.control = turned(&offered, &preferences.control, on);
            }
        }
    }
}

const fn side_name(side: SideChoice) -> &'static str {
    match side {
        SideChoice::White => "White",
        SideChoice::Black => "Black",
        SideChoice::Random => "random",
    }
}

/// The next or previous value, cyclically. An unknown value counts as the first.
pub(crate) fn turned<T: Copy + PartialEq>(all: &[T], from: &T, on: bool) -> T {
    let at = all.iter().position(|other| other == from).unwrap_or(0);
    let step = if on { 1 } else { all.len() - 1 };
    all[(at + step) % all.len()]
}

impl SetupScreen {
    pub(crate) fn new(context: SharedContext, is_of_two: bool) -> Self {
        let preferences = context.borrow().preferences.clone();
        Self {
            context,
            preferences,
            is_of_two,
            list: List::default(),
        }
    }

    const fn rows(&self) -> &'static [Row] {
        if self.is_of_two {
            &[Row::Play, Row::Set(Choice::Control)]
        } else {
            &[
                Row::Play,
                Row::Set(Choice::Level),
                Row::Set(Choice::Side),
                Row::Set(Choice::Control),
            ]
        }
    }

    fn entry(&self, row: Row) -> ListEntry {
        match row {
            Row::Play => ListEntry::new("Play", "start the game"),
            Row::Set(choice) => choice.entry(&self.preferences),
        }
    }

    fn change(&mut self, on: bool) {
        if let Row::Set(choice) = self.rows()[self.list.chosen] {
            choice.change(&mut self.preferences, on);
        }
    }

    fn begin(&self) -> Transition {
        let game = if self.is_of_two {
            self.preferences.game_of_two()
        } else {
            // Offer the same choices next time.
            self.context.borrow_mut().preferences = self.preferences.clone();
            self.preferences.game()
        };
        let session = self.context.borrow().session(game);
        let screen = GameScreen::new(session, None, self.context.clone());
        Transition::Replace(Box::new(screen))
    }

    fn press(&mut self, code: KeyCode) -> Transition {
        match code {
            KeyCode::Enter => return self.begin(),
            KeyCode::Right | KeyCode::Char(' ' | '+' | 'l') => self.change(true),
            KeyCode::Left | KeyCode::Char('-' | 'h') => self.change(false),
            KeyCode::Esc | KeyCode::Char('q') => return Transition::Back,
            _ => {}
        }
        Transition::Stay
    }
}

impl Screen for SetupScreen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance) {
        let entries: Vec<ListEntry> = self.rows().iter().map(|&row| self.entry(row)).collect();
        let (title, about) = if self.is_of_two {
            ("Two players", "on this computer")
        } else {
            (
                "Play the computer",
                "ten levels, from beginner to full strength",
            )
        };
        let page = Page::new(title, about, &KEYS);
        self.list.draw(page, &entries, frame, appearance);
    }

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition {
        match self.list.handle(&input, appearance) {
            ListAction::Key(code) => return self.press(code),
            ListAction::Click { .. } if self.rows()[self.list.chosen] == Row::Play => {
                return self.begin();
            }
            ListAction::Click { is_again: true } => self.change(true),
            ListAction::Wheel { down } => self.change(down),
            ListAction::Nothing | ListAction::Moved | ListAction::Click { is_again: false } => {}
        }
        Transition::Stay
    }
}
