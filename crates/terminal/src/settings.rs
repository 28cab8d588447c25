//! The page of settings.

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::Frame;
use tabiya_play::Level;

use crate::app::{Input, Screen, Step};
use crate::home::{Seat, Shared};
use crate::keys::{Key, KeyBar};
use crate::list::{self, Entry, Page, Places};
use crate::look::{Figures, Look};
use crate::scene::Message;
use crate::setup::{next_control, turned};
use crate::theme::Theme;

const KEYS: [Key; 4] = [
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Right, "change"),
    Key::plain(KeyCode::Enter, "save"),
    Key::plain(KeyCode::Esc, "back"),
];

#[derive(Clone, Copy)]
enum Row {
    Theme,
    Figures,
    Level,
    Seat,
    Control,
    Pace,
    Resigns,
    Thinking,
    Worth,
}

const ROWS: [Row; 9] = [
    Row::Theme,
    Row::Figures,
    Row::Level,
    Row::Seat,
    Row::Control,
    Row::Pace,
    Row::Resigns,
    Row::Thinking,
    Row::Worth,
];

/// What the user prefers, to be changed.
pub(crate) struct SettingsScreen {
    home: Shared,
    chosen: usize,
    is_changed: bool,
    message: Message,
    places: Places,
}

const fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

impl SettingsScreen {
    pub(crate) fn new(home: Shared) -> Self {
        Self {
            home,
            chosen: 0,
            is_changed: false,
            message: Message::default(),
            places: Places::default(),
        }
    }

    fn entry(&self, row: Row, look: &Look) -> Entry {
        let preferences = &self.home.borrow().preferences;
        match row {
            Row::Theme => Entry::set("Theme", look.theme.name, look.theme.description),
            Row::Figures => {
                let (name, about) = match look.figures {
                    Figures::Glyphs => ("figures", "needs a font that has them"),
                    Figures::Letters => ("letters", "nothing but ASCII on the screen"),
                };
                Entry::set("Pieces", name, about)
            }
            Row::Level => {
                let level = preferences.level;
                let name = format!("{} {}", level.number(), level.name());
                Entry::set("Level", name, level.description())
            }
            Row::Seat => Entry::set("You play", preferences.seat.name(), ""),
            Row::Control => Entry::set(
                "Clock",
                preferences.control.to_string(),
                "minutes + seconds for each move",
            ),
            Row::Pace => Entry::set(
                "Human pace",
                yes(preferences.paced),
                "weak levels take their time",
            ),
            Row::Resigns => Entry::set(
                "Resigns",
                yes(preferences.resigns),
                "when it has no hope, from level 4 on",
            ),
            Row::Thinking => Entry::set(
                "Show thinking",
                yes(preferences.shows_thinking),
                "what the computer expects",
            ),
            Row::Worth => Entry::set(
                "Evaluation bar",
                yes(preferences.shows_worth),
                "who stands better",
            ),
        }
    }

    fn change(&mut self, on: bool, look: &mut Look) {
        self.is_changed = true;
        self.message = Message::default();
        let preferences = &mut self.home.borrow_mut().preferences;
        match ROWS[self.chosen] {
            Row::Theme => {
                let at = Theme::ALL.iter().position(|theme| theme == look.theme);
                let next = turned(at.unwrap_or(0), Theme::ALL.len(), on);
                look.theme = Theme::named(Theme::ALL[next].name).unwrap_or(look.theme);
            }
            Row::Figures => {
                look.figures = match look.figures {
                    Figures::Glyphs => Figures::Letters,
                    Figures::Letters => Figures::Glyphs,
                };
            }
            Row::Level => {
                let at = usize::from(preferences.level.number()) - 1;
                preferences.level = Level::ALL[turned(at, Level::ALL.len(), on)];
            }
            Row::Seat => {
                let at = Seat::ALL.iter().position(|&seat| seat == preferences.seat);
                preferences.seat = Seat::ALL[turned(at.unwrap_or(0), Seat::ALL.len(), on)];
            }
            Row::Control => preferences.control = next_control(preferences.control, on),
            Row::Pace => preferences.paced ^= true,
            Row::Resigns => preferences.resigns ^= true,
            Row::Thinking => preferences.shows_thinking ^= true,
            Row::Worth => preferences.shows_worth ^= true,
        }
    }

    /// Keeps what has been changed; whether that went well.
    fn keep(&mut self, look: &Look) -> bool {
        if !self.is_changed {
            return true;
        }
        let kept = self.home.borrow_mut().keep(look);
        match kept {
            Ok(()) => {
                self.is_changed = false;
                self.message = Message::good("The settings are saved.");
                true
            }
            Err(error) => {
                self.message = Message::refusal(error.to_string());
                false
            }
        }
    }

    fn press(&mut self, code: KeyCode, look: &mut Look) -> Step {
        if let Some(chosen) = list::moved(code, self.chosen, ROWS.len()) {
            self.chosen = chosen;
            return Step::Stay;
        }
        match code {
            KeyCode::Right | KeyCode::Char(' ' | '+' | 'l') => self.change(true, look),
            KeyCode::Left | KeyCode::Char('-' | 'h') => self.change(false, look),
            KeyCode::Enter => {
                self.keep(look);
            }
            KeyCode::Esc | KeyCode::Char('q') => {
                let was_failing = self.message.kind == crate::scene::Kind::Refusal;
                // Whoever has read why it cannot be saved may leave nevertheless.
                if self.keep(look) || was_failing {
                    return Step::Back;
                }
            }
            _ => {}
        }
        Step::Stay
    }
}

impl Screen for SettingsScreen {
    fn draw(&mut self, frame: &mut Frame, look: &Look) {
        let entries: Vec<Entry> = ROWS.iter().map(|&row| self.entry(row, look)).collect();
        let page = Page {
            title: "Settings",
            about: "kept for the next time",
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
            Input::Key(key) => self.press(key.code, look),
            Input::Press(point) if self.places.keys.contains(point) => {
                let bar = KeyBar { keys: &KEYS, look };
                match bar.at(self.places.keys, point.x) {
                    Some(key) => self.press(key.code, look),
                    None => Step::Stay,
                }
            }
            Input::Press(point) => {
                if let Some(entry) = self.places.entry_at(point) {
                    if self.chosen == entry {
                        self.change(true, look);
                    }
                    self.chosen = entry;
                }
                Step::Stay
            }
            Input::Wheel { down } => {
                self.change(down, look);
                Step::Stay
            }
            _ => Step::Stay,
        }
    }
}
