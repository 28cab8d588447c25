//! What may not be done, and why.

use tabiya_board::{Board, Color, Move, Refusal, Square};
use tabiya_notation::uci::{self, UciError};
use tabiya_notation::{Dialect, SanError, read_move};
use thiserror::Error;

use crate::ending::Ending;

/// Why something cannot be done in a game. Each prints as a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Ending),
    /// The move is none, or breaks a rule.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// The computer is to move.
    #[error("{0} is to move, which the computer plays")]
    NotYourTurn(Color),
    /// There is no move to take back.
    #[error("there is no move to take back")]
    NothingToTakeBack,
    /// Only a person can do that, and none plays.
    #[error("no person plays in this game")]
    NoPerson,
    /// A draw was offered already.
    #[error("{0} has offered a draw already; the offer stands until {other} answers it or moves", other = !*.0)]
    AlreadyOffered(Color),
    /// No draw is offered.
    #[error("no draw is offered")]
    NoOffer,
    /// There is no draw to claim.
    #[error(
        "there is no draw to claim: the position is there for the {} time, and {} since a capture or a pawn move",
        ordinal(*.repetitions),
        moves(*.halfmoves)
    )]
    NothingToClaim {
        /// How often the position has been on the board.
        repetitions: usize,
        /// Moves of both sides since the last capture or pawn move.
        halfmoves: u8,
    },
}

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// A rule forbids it.
    #[error("{0}")]
    Illegal(Refusal),
    /// It is written in SAN, but is no move here.
    #[error("{0}")]
    San(SanError),
    /// A pawn has to become something, and the text does not say what.
    #[error("{refusal}, as in {text}{}", if *squares { "q" } else { "=Q" })]
    Promotion {
        /// What the board says.
        refusal: Refusal,
        /// What was typed.
        text: String,
        /// Whether that was two squares.
        squares: bool,
    },
    /// It cannot be read.
    #[error(
        "{0:?} is neither a move, as in Nf3, exd5, O-O or e2e4, nor a command; help lists the commands"
    )]
    Unreadable(String),
}

/// Reads a move in SAN or by its squares, as a person types it.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_play::read_text;
/// let board = Board::start();
/// assert_eq!(read_text("Nf3", &board), read_text("g1f3", &board));
/// assert_eq!(read_text("e2-e4", &board), read_text("E2 E4", &board));
/// assert_eq!(read_text("e2e5", &board).unwrap_err().to_string(), "a pawn does not move from e2 to e5");
/// ```
pub fn read_text(text: &str, board: &Board) -> Result<Move, MoveError> {
    let joined: String = text.split_whitespace().collect();
    let plain = joined.trim_end_matches(['+', '#', '!', '?']);
    if let Some(squares) = squares(plain) {
        return uci::read(&squares, board).map_err(|error| match error {
            UciError::Illegal(refusal @ Refusal::PromotionMissing { .. }) => MoveError::Promotion {
                refusal,
                text: squares,
                squares: true,
            },
            UciError::Illegal(refusal) => MoveError::Illegal(refusal),
            _ => MoveError::Unreadable(text.to_owned()),
        });
    }
    let castling = plain.to_ascii_uppercase().replace('0', "O");
    let written = match castling.as_str() {
        "O-O" | "OO" => "O-O",
        "O-O-O" | "OOO" => "O-O-O",
        _ => joined.as_str(),
    };
    read_move(written, board, Dialect::Import).map_err(|error| match error {
        SanError::Illegal {
            reason: refusal @ Refusal::PromotionMissing { .. },
        } => MoveError::Promotion {
            refusal,
            text: plain.to_owned(),
            squares: false,
        },
        SanError::Illegal { reason } => MoveError::Illegal(reason),
        SanError::Incomplete { .. }
        | SanError::Unexpected { .. }
        | SanError::UnknownPiece { .. } => MoveError::Unreadable(text.to_owned()),
        error => MoveError::San(error),
    })
}

/// Two squares, and perhaps what a pawn becomes, as UCI writes them.
fn squares(text: &str) -> Option<String> {
    // B1d2 is a bishop, but E2E4 are squares.
    let is_shouted = !text.contains(|letter: char| letter.is_ascii_lowercase());
    let lower = if is_shouted {
        text.to_ascii_lowercase()
    } else {
        text.to_owned()
    };
    let plain: String = lower
        .chars()
        .filter(|letter| !matches!(letter, '-' | '=' | 'x' | '/'))
        .collect();
    let (from, rest) = plain.split_at_checked(2)?;
    let (to, promotion) = rest.split_at_checked(2)?;
    let is_square = |text: &str| {
        text.starts_with(|letter: char| letter.is_ascii_lowercase())
            && text.parse::<Square>().is_ok()
    };
    (is_square(from) && is_square(to) && promotion.len() <= 1)
        .then(|| format!("{from}{to}{}", promotion.to_ascii_lowercase()))
}

fn ordinal(number: usize) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        _ => format!("{number}th"),
    }
}

/// Plies as moves of both sides: the rule counts those.
fn moves(halfmoves: u8) -> String {
    match halfmoves / 2 {
        1 => "1 move has been played".to_owned(),
        count => format!("{count} moves have been played"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_all_their_forms() {
        let board: Board = "r3k2r/1P6/8/8/8/8/3BP3/R3K2R w KQkq - 0 1".parse().unwrap();
        for (text, uci) in [
            ("e2e4", "e2e4"),
            ("E2E4", "e2e4"),
            ("e2 e4", "e2e4"),
            ("e4", "e2e4"),
            ("O-O", "e1g1"),
            ("0-0-0", "e1c1"),
            ("o-o", "e1g1"),
            ("e1g1", "e1g1"),
            ("b7b8q", "b7b8q"),
            ("b7xa8=N", "b7a8n"),
            ("b8=R+", "b7b8r"),
            ("bxa8=Q", "b7a8q"),
            ("Bc3", "d2c3"),
            ("Rxa8+!", "a1a8"),
        ] {
            let mv = read_text(text, &board).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(mv.to_string(), uci, "{text}");
        }
        for (text, sentence) in [
            ("b7b8", "as in b7b8q"),
            ("b8", "as in b8=Q"),
            ("e2e5", "a pawn does not move from e2 to e5"),
            ("Nf3", "no knight of the side to move goes to f3"),
            ("hello", "neither a move"),
            ("", "neither a move"),
            ("e2e", "neither a move"),
            ("e2e4e5", "neither a move"),
            ("♟", "neither a move"),
            ("ñ2ñ4", "neither a move"),
        ] {
            let error = read_text(text, &board).unwrap_err().to_string();
            assert!(error.contains(sentence), "{text}: {error}");
        }
    }
}
