//! The question before unsaved moves are dropped.

use crossterm::event::KeyCode;
use tabiya_board::Board;

use super::ReplayScreen;
use crate::game_view::Message;

/// What drops the moves that were added to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Another position.
    Position(Board),
    /// Another game of the file, this many games ahead.
    Open(isize),
}

impl Question {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Position(_) => "Analyse another position? You'll lose your unsaved moves.",
            Self::Open(_) => "Open another game? You'll lose your unsaved moves.",
        }
    }
}

/// The keys that answer a question.
pub(super) const ANSWERS: [(&str, &str); 2] = [("y", "yes"), ("n", "no (^S saves them)")];

impl ReplayScreen {
    /// Does it, after a question if moves would be lost.
    pub(super) fn ask(&mut self, question: Question) {
        if self.is_unsaved {
            self.question = Some(question);
        } else {
            self.confirmed(question);
        }
    }

    /// Handles a key while a question is open.
    pub(super) fn answer(&mut self, question: Question, code: KeyCode) {
        match code {
            KeyCode::Char('y' | 'Y') => {
                self.question = None;
                self.confirmed(question);
            }
            KeyCode::Char('n' | 'N') | KeyCode::Esc => {
                self.question = None;
                self.message =
                    Message::note("Your moves are still here. Press Ctrl+S to save them.");
            }
            _ => {}
        }
    }

    fn confirmed(&mut self, question: Question) {
        self.is_unsaved = false;
        match question {
            Question::Position(board) => self.set_position(board),
            Question::Open(by) => self.open(by),
        }
    }
}
