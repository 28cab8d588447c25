//! The settings page.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;

use crate::app::{Screen, Transition, UserInput};
use crate::appearance::{Appearance, PieceStyle};
use crate::context::SharedContext;
use crate::game_view::Message;
use crate::keys::Key;
use crate::list::{self, List, ListAction, ListEntry, Page};
use crate::prompt::Prompt;
use crate::setup::{Choice, turned};
use crate::text;
use crate::theme::Theme;

const KEYS: [Key; 4] = [
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Right, "change"),
    Key::plain(KeyCode::Enter, "save"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The key bar on a text setting.
const KEYS_AT_TEXT: [Key; 3] = [
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Enter, "change"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The key bar while text is typed.
const KEYS_TYPING: [Key; 2] = [
    Key::plain(KeyCode::Enter, "done"),
    Key::plain(KeyCode::Esc, "cancel"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Theme,
    Pieces,
    Name,
    Game(Choice),
    Pace,
    Resigns,
    Thinking,
    EvalBar,
    Bell,
}

const ROWS: [Row; 11] = [
    Row::Theme,
    Row::Pieces,
    Row::Name,
    Row::Game(Choice::Level),
    Row::Game(Choice::Side),
    Row::Game(Choice::Control),
    Row::Pace,
    Row::Resigns,
    Row::Thinking,
    Row::EvalBar,
    Row::Bell,
];

/// The settings page.
pub(crate) struct SettingsScreen {
    context: SharedContext,
    is_changed: bool,
    list: List,
    /// The prompt for the name.
    typing: Option<Prompt>,
    /// The appearance as it was last drawn, to save it when the program is left.
    appearance: Option<Appearance>,
}

/// The widest value, so that the columns stay where they are.
fn value_width() -> usize {
    let themes = Theme::ALL.iter().map(|theme| text::columns(theme.name));
    let choices = [Choice::Level, Choice::Side, Choice::Control].map(Choice::widest);
    themes.chain(choices).max().unwrap_or(0)
}

const fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

impl SettingsScreen {
    pub(crate) fn new(context: SharedContext) -> Self {
        Self {
            context,
            is_changed: false,
            list: List::default(),
            typing: None,
            appearance: None,
        }
    }

    fn entry(&self, row: Row, appearance: &Appearance) -> ListEntry {
        let preferences = &self.context.borrow().preferences;
        match row {
            Row::Name => ListEntry::set(
                "Your name",
                text::clipped(&preferences.name, 24),
                "shown in your games",
            ),
            Row::Theme => {
                ListEntry::set("Theme", appearance.theme.name, appearance.theme.description)
            }
            Row::Pieces => {
                let (name, about) = match appearance.figures {
                    PieceStyle::Glyphs => ("figures", "needs a font with chess symbols"),
                    PieceStyle::Letters => ("letters", "plain ASCII everywhere"),
                };
                ListEntry::set("Pieces", name, about)
            }
            Row::Game(choice) => choice.entry(preferences),
            Row::Pace => ListEntry::set(
                "Human pace",
                yes(preferences.paced),
                "weaker levels take their time",
            ),
            Row::Resigns => ListEntry::set(
                "Computer resigns",
                yes(preferences.resigns),
                "lost games, level 4 and up",
            ),
            Row::Thinking => ListEntry::set(
                "Show thinking",
                yes(preferences.shows_thinking),
                "what the computer is thinking",
            ),
            Row::Bell => {
                ListEntry::set("Bell", yes(preferences.rings), "rings when it is your turn")
            }
            Row::EvalBar => ListEntry::set(
                "Evaluation bar",
                yes(preferences.shows_eval),
                "who is better, beside the board",
            ),
        }
    }

    fn row(&self) -> Row {
        ROWS[self.list.chosen]
    }

    fn change(&mut self, on: bool, appearance: &mut Appearance) {
        self.list.message = Message::default();
        let row = self.row();
        if row == Row::Name {
            let mut prompt = Prompt::new("Your name", "your name, shown in your games");
            prompt.insert(&self.context.borrow().preferences.name);
            self.typing = Some(prompt);
            return;
        }
        self.is_changed = true;
        let preferences = &mut self.context.borrow_mut().preferences;
        match row {
            Row::Name => {}
            Row::Theme => {
                let themes: Vec<&Theme> = Theme::ALL.iter().collect();
                appearance.theme = turned(&themes, &appearance.theme, on);
            }
            Row::Pieces => {
                appearance.figures = match appearance.figures {
                    PieceStyle::Glyphs => PieceStyle::Letters,
                    PieceStyle::Letters => PieceStyle::Glyphs,
                };
            }
            Row::Game(choice) => choice.change(preferences, on),
            Row::Pace => preferences.paced ^= true,
            Row::Resigns => preferences.resigns ^= true,
            Row::Thinking => preferences.shows_thinking ^= true,
            Row::EvalBar => preferences.shows_eval ^= true,
            Row::Bell => preferences.rings ^= true,
        }
    }

    /// Edits or accepts the name.
    fn type_key(&mut self, key: KeyEvent) {
        let Some(prompt) = &mut self.typing else {
            return;
        };
        self.list.message = Message::default();
        match key.code {
            KeyCode::Esc => self.typing = None,
            KeyCode::Enter => {
                let name = prompt.text().trim().to_owned();
                if name.is_empty() {
                    self.list.message = Message::refusal("enter a name, or press Esc");
                    return;
                }
                self.context.borrow_mut().preferences.name = name;
                self.is_changed = true;
                self.typing = None;
            }
            _ => {
                prompt.edit(key);
            }
        }
    }

    /// Saves changes. Returns whether that worked.
    fn keep(&mut self, appearance: &Appearance) -> bool {
        if !self.is_changed {
            return true;
        }
        let kept = self.context.borrow_mut().save_settings(appearance);
        match kept {
            Ok(()) => {
                self.is_changed = false;
                self.list.message = Message::good("Settings saved.");
                true
            }
            Err(error) => {
                self.list.message = Message::refusal(error.to_string());
                false
            }
        }
    }

    fn press(&mut self, code: KeyCode, appearance: &mut Appearance) -> Transition {
        match code {
            KeyCode::Right | KeyCode::Char(' ' | '+' | 'l') => self.change(true, appearance),
            KeyCode::Left | KeyCode::Char('-' | 'h') => self.change(false, appearance),
            KeyCode::Enter if self.row() == Row::Name => self.change(true, appearance),
            KeyCode::Enter => {
                self.keep(appearance);
            }
            KeyCode::Esc | KeyCode::Char('q') => {
                let was_failing = self.list.message.kind == crate::game_view::MessageKind::Refusal;
                // After an error, a second attempt leaves without saving.
                if self.keep(appearance) || was_failing {
                    return Transition::Back;
                }
            }
            _ => {}
        }
        Transition::Stay
    }
}

impl Screen for SettingsScreen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance) {
        let entries: Vec<ListEntry> = ROWS
            .iter()
            .map(|&row| self.entry(row, appearance))
            .collect();
        let keys: &[Key] = match self.typing {
            Some(_) => &KEYS_TYPING,
            None if self.row() == Row::Name => &KEYS_AT_TEXT,
            None => &KEYS,
        };
        let page = Page {
            title: "Settings",
            about: "saved for next time",
            keys,
            has_prompt: true,
            value_width: value_width(),
        };
        self.appearance = Some(*appearance);
        self.list.draw(page, &entries, frame, appearance);
        if let Some(prompt) = &self.typing {
            list::draw_prompt(prompt, frame, appearance);
        }
    }

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition {
        if let Some(prompt) = &mut self.typing {
            match input {
                UserInput::Key(key) => self.type_key(key),
                UserInput::Paste(text) => prompt.insert(&text),
                UserInput::Press(point) => {
                    let chosen = self.list.chosen;
                    if let ListAction::Key(code) = self.list.handle_press(point, appearance) {
                        self.type_key(KeyEvent::from(code));
                    }
                    self.list.chosen = chosen;
                }
                UserInput::Release(_) | UserInput::Wheel { .. } => {}
            }
            return Transition::Stay;
        }
        match self.list.handle(&input, appearance) {
            ListAction::Key(code) => return self.press(code, appearance),
            ListAction::Click { is_again: true } => self.change(true, appearance),
            ListAction::Wheel { down } if self.row() != Row::Name => self.change(down, appearance),
            ListAction::Nothing
            | ListAction::Moved
            | ListAction::Click { .. }
            | ListAction::Wheel { .. } => {}
        }
        Transition::Stay
    }

    /// Leaving the program saves the settings too.
    fn close(&mut self) -> Option<String> {
        let appearance = self.appearance?;
        if !self.keep(&appearance) {
            return Some(format!(
                "Your settings are not saved: {}",
                self.list.message.text
            ));
        }
        None
    }
}
