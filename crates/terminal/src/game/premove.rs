//! Premoves: moves entered while the computer thinks, and played when it has moved.

use std::time::Instant;

use tabiya_board::{Bitboard, Color, Square};
use tabiya_play::{ActionError, ParseMoveError, parse_move};

use super::GameScreen;
use crate::game_view::{Message, sentence};

/// A move to play when the computer has moved.
pub(super) struct Premove {
    /// The move as it was typed, or its squares.
    text: String,
    /// Its squares, as far as they are known.
    pub(super) squares: Bitboard,
}

impl GameScreen {
    /// Whether a person's move can only be a premove.
    pub(super) fn can_premove(&self) -> bool {
        let game = self.game();
        game.termination().is_none()
            && self.session.is_computers_turn()
            && game.player(!game.turn()).is_person()
    }

    /// Takes a typed move as a premove. Anything but a move is refused.
    pub(super) fn set_premove(&mut self, text: &str) {
        let board = *self.game().board();
        if let Err(error @ ParseMoveError::Syntax(_)) = parse_move(text, &board) {
            self.message = Message::refusal(error.to_string());
            return;
        }
        // The squares, if the move were legal now.
        let mv = board
            .null_move()
            .and_then(|own| parse_move(text, &own).ok());
        let squares = mv.map_or(Bitboard::EMPTY, |mv| {
            Bitboard::from(mv.from()) | Bitboard::from(mv.to())
        });
        self.premove = Some(Premove {
            text: text.to_owned(),
            squares,
        });
        self.message = Message::note(format!("Premove: {text}. Esc cancels it."));
    }

    /// Selects a piece for a premove, or its target.
    pub(super) fn touch_premove(&mut self, square: Square) {
        let board = *self.game().board();
        let color = !self.game().turn();
        let was_chosen = self.move_input.chosen();
        if let Some((from, to)) = self.move_input.touch_premove(square, &board, color) {
            self.premove_squares(from, to, color);
        } else if self.move_input.chosen().is_none() && was_chosen.is_none() {
            self.message = Message::note("Choose one of your pieces for a premove.");
        }
    }

    /// Drops a piece that was dragged for a premove.
    pub(super) fn release_premove(&mut self, square: Square) {
        if self.move_input.chosen().is_some_and(|from| from != square) {
            self.touch_premove(square);
        }
    }

    fn premove_squares(&mut self, from: Square, to: Square, color: Color) {
        // A pawn becomes a queen.
        let is_pawn = self.game().board().role_at(from) == Some(tabiya_board::Role::Pawn);
        let last = color.relative_rank(tabiya_board::Rank::Eighth);
        let queen = if is_pawn && to.rank() == last {
            "q"
        } else {
            ""
        };
        let text = format!("{from}{to}{queen}");
        self.message = Message::note(format!("Premove: {text}. Esc cancels it."));
        self.premove = Some(Premove {
            text,
            squares: Bitboard::from(from) | Bitboard::from(to),
        });
    }

    /// Cancels the premove. Returns whether there was one.
    pub(super) fn cancel_premove(&mut self) -> bool {
        let was_set = self.premove.take().is_some();
        if was_set {
            self.message = Message::note("Premove cancelled.");
        }
        was_set
    }

    /// Plays the premove if it is the person's turn, or drops it with a remark if it is illegal.
    pub(super) fn play_premove(&mut self) {
        let is_turn = self
            .game()
            .player_to_move()
            .is_some_and(tabiya_play::Player::is_person);
        if !is_turn {
            return;
        }
        let Some(premove) = self.premove.take() else {
            return;
        };
        let now = Instant::now();
        match self.session.play_text(&premove.text, now) {
            Ok(events) => self.handle_events(events),
            Err(ActionError::Move(ParseMoveError::Promotion { .. })) => {
                self.play_text(&premove.text, now);
            }
            Err(error) => {
                let why = sentence(&error.to_string());
                let said = std::mem::take(&mut self.message.text);
                self.message = Message::refusal(format!(
                    "{said} Your premove {} was dropped: {why}",
                    premove.text
                ));
            }
        }
    }
}
