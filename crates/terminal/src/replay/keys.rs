//! Keys and mouse of the replay screen.

use std::path::Path;
use std::time::SystemTime;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position as Point;
use tabiya_play::UtcDateTime;

use super::{Question, ReplayScreen};
use crate::app::Transition;
use crate::appearance::Appearance;
use crate::keys::{Key, KeyBar};

/// The plies that Up and Down skip.
const LEAP: usize = 10;

/// The key bar, the most important first.
pub(super) const KEYS: [Key; 10] = [
    Key::plain(KeyCode::Right, "move"),
    Key::plain(KeyCode::Up, "jump"),
    Key::plain(KeyCode::Char('v'), "variation"),
    Key::plain(KeyCode::Char('m'), "mistake"),
    Key::control('e', "engine"),
    Key::plain(KeyCode::Char('q'), "close"),
    Key::plain(KeyCode::Char('?'), "help"),
    Key::plain(KeyCode::Char('n'), "next game"),
    Key::control('f', "flip"),
    Key::control('s', "save"),
];

/// The help page.
pub(super) const HELP: [(&str, &str); 15] = [
    ("Right, Left", "next or previous move"),
    ("Down, Up", "ten half-moves forward or back"),
    ("Home, End", "start or end of the game"),
    ("v", "next variation"),
    ("m", "next mistake"),
    ("n, p", "next or previous game"),
    ("^E  eval", "turn the engine on or off"),
    ("^F  flip", "turn the board around"),
    ("^P  theme", "next colour theme"),
    ("^S  save game.pgn", "save the game with its variations"),
    (
        "e4, Nf3, e2e4",
        "play a move; a new move starts a variation",
    ),
    ("a FEN", "analyse that position"),
    (
        "mouse",
        "click a piece and a square, or a move, also one of the explorer; scroll through the moves",
    ),
    ("^L", "redraw the screen"),
    ("q, Esc", "close"),
];

impl ReplayScreen {
    pub(super) fn handle_key(&mut self, key: KeyEvent, appearance: &mut Appearance) -> Transition {
        // Any other input cancels the search for mistakes.
        self.mistakes = None;
        if let Some(question) = self.question {
            self.answer(question, key.code);
            return Transition::Stay;
        }
        if let Some((scrolled, most)) = &mut self.help {
            match key.code {
                KeyCode::Down => *scrolled = (*scrolled + 1).min(*most),
                KeyCode::Up => *scrolled = scrolled.saturating_sub(1),
                _ => self.help = None,
            }
            return Transition::Stay;
        }
        if self.move_input.promotion().is_some() {
            let board = self.board();
            let result = self.move_input.choose_promotion(key.code, &board);
            self.handle_move_input(result);
            return Transition::Stay;
        }
        if !self.prompt.is_empty() && self.prompt.edit(key) {
            return Transition::Stay;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('d') => return Transition::Quit,
                KeyCode::Char('f') => self.flipped = !self.flipped,
                KeyCode::Char('e') => self.set_engine(self.engine.is_none()),
                KeyCode::Char('p') => appearance.theme = appearance.theme.next(),
                KeyCode::Char('s') => {
                    let now = UtcDateTime::of(SystemTime::now());
                    self.save(Path::new(&format!("analysis-{}.pgn", now.file_stem())));
                }
                _ => {}
            }
            return Transition::Stay;
        }
        if self.prompt.is_empty() {
            match key.code {
                KeyCode::Char('q') => return Transition::Back,
                KeyCode::Esc if !self.move_input.cancel() => return Transition::Back,
                KeyCode::Right | KeyCode::Char(' ') => self.walk(1, true),
                KeyCode::Left | KeyCode::Backspace => self.walk(1, false),
                KeyCode::Down | KeyCode::PageDown => self.walk(LEAP, true),
                KeyCode::Up | KeyCode::PageUp => self.walk(LEAP, false),
                KeyCode::Home => self.walk(usize::MAX, false),
                KeyCode::End => self.walk(usize::MAX, true),
                KeyCode::Char('v') => self.vary(),
                KeyCode::Char('n') => self.ask(Question::Open(1)),
                KeyCode::Char('p') => self.ask(Question::Open(-1)),
                KeyCode::Char('m') => self.next_mistake(),
                KeyCode::Char('?') | KeyCode::F(1) => self.help = Some((0, 0)),
                _ => {
                    self.prompt.edit(key);
                }
            }
            return Transition::Stay;
        }
        if key.code == KeyCode::Enter {
            let text = self.prompt.take();
            return self.run_command(&text, appearance);
        }
        self.prompt.edit(key);
        Transition::Stay
    }

    pub(super) fn handle_press(&mut self, point: Point, appearance: &mut Appearance) -> Transition {
        if self.help.take().is_some() {
            return Transition::Stay;
        }
        if self.keys.contains(point) {
            let bar = KeyBar {
                keys: &KEYS,
                appearance,
            };
            return match bar.at(self.keys, point.x) {
                Some(key) => self.handle_key(key.event(), appearance),
                None => Transition::Stay,
            };
        }
        if self.move_input.promotion().is_some() {
            let board = self.board();
            let result = self
                .move_input
                .click_promotion(point, self.promotions, &board);
            self.handle_move_input(result);
        } else if let Some(word) = self.areas.move_at(point) {
            self.go_to_word(word);
        } else if let Some(row) = self.areas.explorer_at(point) {
            let explorer = self.explorer.as_ref();
            if let Some(mv) = explorer.and_then(|explorer| explorer.move_in(row)) {
                self.play(mv);
            }
        } else if let Some(square) = self.areas.square_at(point) {
            let board = self.board();
            let result = self.move_input.touch(square, &board);
            self.handle_move_input(result);
        }
        Transition::Stay
    }
}
