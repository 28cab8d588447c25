//! Moves as a player types them.

use tabiya_board::{Board, Move, Refusal, Square};
use tabiya_notation::uci::{self, UciError};
use tabiya_notation::{Dialect, SanError, parse_san};
use thiserror::Error;

use crate::command::similar_command;

/// A text that is not a legal move. Prints as a sentence without a capital letter and full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The move is illegal.
    #[error("{0}")]
    Illegal(Refusal),
    /// The SAN matches no legal move, or more than one.
    #[error("{0}")]
    San(SanError),
    /// The promotion piece is missing.
    #[error("{refusal}, as in {text}{}", if *squares { "q" } else { "=Q" })]
    Promotion {
        /// The board's explanation.
        refusal: Refusal,
        /// The text.
        text: String,
        /// Whether the text names two squares, as in `e7e8`.
        squares: bool,
    },
    /// The text is neither a move nor a command.
    #[error("unknown command: {text}{hint}", text = .0, hint = suggestion(.0))]
    Syntax(String),
}

/// What to type instead of an unknown command.
fn suggestion(text: &str) -> String {
    match similar_command(text) {
        Some(command) => format!("; did you mean {command}?"),
        None => "; type a move such as Nf3 or e2e4, or help".to_owned(),
    }
}

/// Parses a move in SAN or as two squares, tolerating the ways people type them.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_play::parse_move;
/// let board = Board::start();
/// assert_eq!(parse_move("Nf3", &board), parse_move("g1f3", &board));
/// assert_eq!(parse_move("e2-e4", &board), parse_move("E2 E4", &board));
/// let error = parse_move("hnt", &board).unwrap_err();
/// assert_eq!(error.to_string(), "unknown command: hnt; did you mean hint?");
/// ```
pub fn parse_move(text: &str, board: &Board) -> Result<Move, ParseMoveError> {
    let joined: String = text.split_whitespace().collect();
    let plain = joined.trim_end_matches(['+', '#', '!', '?']);
    if let Some(squares) = squares(plain) {
        return uci::parse(&squares, board).map_err(|error| match error {
            UciError::Illegal(refusal @ Refusal::MissingPromotion { .. }) => {
                ParseMoveError::Promotion {
                    refusal,
                    text: squares,
                    squares: true,
                }
            }
            UciError::Illegal(refusal) => ParseMoveError::Illegal(refusal),
            _ => ParseMoveError::Syntax(text.to_owned()),
        });
    }
    let castling = plain.to_ascii_uppercase().replace('0', "O");
    let written = match castling.as_str() {
        "O-O" | "OO" => "O-O",
        "O-O-O" | "OOO" => "O-O-O",
        _ => joined.as_str(),
    };
    parse_san(written, board, Dialect::Import).map_err(|error| match error {
        SanError::Illegal {
            reason: refusal @ Refusal::MissingPromotion { .. },
        } => ParseMoveError::Promotion {
            refusal,
            text: plain.to_owned(),
            squares: false,
        },
        SanError::Illegal { reason } => ParseMoveError::Illegal(reason),
        SanError::Incomplete { .. }
        | SanError::Unexpected { .. }
        | SanError::UnknownPiece { .. } => ParseMoveError::Syntax(text.to_owned()),
        error => ParseMoveError::San(error),
    })
}

/// Two squares and an optional promotion piece, spelled as in UCI.
fn squares(text: &str) -> Option<String> {
    // Only all capitals are lowered: E2E4 is two squares, but B1d2 is a bishop move.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_parsed_in_all_spellings() {
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
            let mv = parse_move(text, &board).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(mv.to_string(), uci, "{text}");
        }
        for (text, sentence) in [
            ("b7b8", "as in b7b8q"),
            ("b8", "as in b8=Q"),
            ("e2e5", "a pawn does not move from e2 to e5"),
            ("Nf3", "no knight of the side to move goes to f3"),
            ("hello", "unknown command: hello; type a move"),
            ("reisgn", "unknown command: reisgn; did you mean resign?"),
            ("", "unknown command: "),
            ("e2e", "unknown command: e2e; type a move"),
            ("e2e4e5", "unknown command: e2e4e5"),
            ("♟", "unknown command: ♟"),
            ("ñ2ñ4", "unknown command: ñ2ñ4"),
        ] {
            let error = parse_move(text, &board).unwrap_err().to_string();
            assert!(error.contains(sentence), "{text}: {error}");
        }
    }
}
