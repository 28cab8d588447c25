//! The page of settings.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;

use crate::app::{Input, Screen, Step};
use crate::home::Shared;
use crate::keys::Key;
use crate::list::{self, Deed, Entry, List, Page};
use crate::look::{Figures, Look};
use crate::prompt::Prompt;
use crate::scene::Message;
use crate::setup::{Choice, turned};
use crate::text;
use crate::theme::Theme;

const KEYS: [Key; 4] = [
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Right, "change"),
    Key::plain(KeyCode::Enter, "save"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The keys where a text can be typed.
const KEYS_AT_TEXT: [Key; 3] = [
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Enter, "change"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The keys while a text is typed.
const KEYS_TYPING: [Key; 2] = [
    Key::plain(KeyCode::Enter, "done"),
    Key::plain(KeyCode::Esc, "leave it as it was"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Theme,
    Figures,
    Name,
    Game(Choice),
    Pace,
    Resigns,
    Thinking,
    Worth,
}

const ROWS: [Row; 10] = [
    Row::Theme,
    Row::Figures,
    Row::Name,
    Row::Game(Choice::Level),
    Row::Game(Choice::Seat),
    Row::Game(Choice::Control),
    Row::Pace,
    Row::Resigns,
    Row::Thinking,
    Row::Worth,
];

/// What the user prefers, to be changed.
pub(crate) struct SettingsScreen {
    home: Shared,
    is_changed: bool,
    list: List,
    /// The name while it is typed.
    typing: Option<Prompt>,
}

const fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

impl SettingsScreen {
    pub(crate) fn new(home: Shared) -> Self {
        Self {
            home,
            is_changed: false,
            list: List::default(),
            typing: None,
        }
    }

    fn entry(&self, row: Row, look: &Look) -> Entry {
        let preferences = &self.home.borrow().preferences;
        match row {
            Row::Name => Entry::set(
                "Your name",
                text::clipped(&preferences.name, 24),
                "in the games that you play",
            ),
            Row::Theme => Entry::set("Theme", look.theme.name, look.theme.description),
            Row::Figures => {
                let (name, about) = match look.figures {
                    Figures::Glyphs => ("figures", "needs a font that has them"),
                    Figures::Letters => ("letters", "nothing but ASCII on the screen"),
                };
                Entry::set("Pieces", name, about)
            }
            Row::Game(choice) => choice.entry(preferences),
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

    fn row(&self) -> Row {
        ROWS[self.list.chosen]
    }

    fn change(&mut self, on: bool, look: &mut Look) {
        self.list.message = Message::default();
        let row = self.row();
        if row == Row::Name {
            let mut prompt = Prompt::new("Your name", "your name in the games that you play");
            prompt.insert(&self.home.borrow().preferences.name);
            self.typing = Some(prompt);
            return;
        }
        self.is_changed = true;
        let preferences = &mut self.home.borrow_mut().preferences;
        match row {
            Row::Name => {}
            Row::Theme => {
                let themes: Vec<&Theme> = Theme::ALL.iter().collect();
                look.theme = turned(&themes, &look.theme, on);
            }
            Row::Figures => {
                look.figures = match look.figures {
                    Figures::Glyphs => Figures::Letters,
                    Figures::Letters => Figures::Glyphs,
                };
            }
            Row::Game(choice) => choice.change(preferences, on),
            Row::Pace => preferences.paced ^= true,
            Row::Resigns => preferences.resigns ^= true,
            Row::Thinking => preferences.shows_thinking ^= true,
            Row::Worth => preferences.shows_worth ^= true,
        }
    }

    /// Changes the name that is typed, or takes it.
    fn type_key(&mut self, key: KeyEvent) {
        let Some(prompt) = &mut self.typing else {
            return;
        };
        self.list.message = Message::default();
        match key.code {
            KeyCode::Esc => self.typing = None,
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => prompt.clear(),
            KeyCode::Enter => {
                let name = prompt.text().trim().to_owned();
                if name.is_empty() {
                    self.list.message = Message::refusal("type a name, or press Esc");
                    return;
                }
                self.home.borrow_mut().preferences.name = name;
                self.is_changed = true;
                self.typing = None;
            }
            _ => {
                prompt.edit(key);
            }
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
                self.list.message = Message::good("The settings are saved.");
                true
            }
            Err(error) => {
                self.list.message = Message::refusal(error.to_string());
                false
            }
        }
    }

    fn press(&mut self, code: KeyCode, look: &mut Look) -> Step {
        match code {
            KeyCode::Right | KeyCode::Char(' ' | '+' | 'l') => self.change(true, look),
            KeyCode::Left | KeyCode::Char('-' | 'h') => self.change(false, look),
            KeyCode::Enter if self.row() == Row::Name => self.change(true, look),
            KeyCode::Enter => {
                self.keep(look);
            }
            KeyCode::Esc | KeyCode::Char('q') => {
                let was_failing = self.list.message.kind == crate::scene::Kind::Refusal;
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
        let keys: &[Key] = match self.typing {
            Some(_) => &KEYS_TYPING,
            None if self.row() == Row::Name => &KEYS_AT_TEXT,
            None => &KEYS,
        };
        let page = Page {
            title: "Settings",
            about: "kept for the next time",
            keys,
            has_prompt: self.typing.is_some(),
        };
        self.list.draw(page, &entries, frame, look);
        if let Some(prompt) = &self.typing {
            list::draw_prompt(prompt, frame, look);
        }
    }

    fn handle(&mut self, input: Input, look: &mut Look) -> Step {
        if let Some(prompt) = &mut self.typing {
            match input {
                Input::Key(key) => self.type_key(key),
                Input::Paste(text) => prompt.insert(&text),
                Input::Press(point) => {
                    let chosen = self.list.chosen;
                    if let Deed::Key(code) = self.list.hear_press(point, look) {
                        self.type_key(KeyEvent::from(code));
                    }
                    self.list.chosen = chosen;
                }
                Input::Release(_) | Input::Wheel { .. } => {}
            }
            return Step::Stay;
        }
        match self.list.hear(&input, look) {
            Deed::Key(code) => return self.press(code, look),
            Deed::Click { is_again: true } => self.change(true, look),
            Deed::Wheel { down } if self.row() != Row::Name => self.change(down, look),
            Deed::Nothing | Deed::Moved | Deed::Click { .. } | Deed::Wheel { .. } => {}
        }
        Step::Stay
    }
}
