//! Moves as a player types them.

use tabiya_board::{Board, Move, Refusal};
use tabiya_display::text::printable;
use tabiya_notation::{MoveInput, SanError};
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
    #[error("{refusal}, as in {example}")]
    Promotion {
        /// The board's explanation.
        refusal: Refusal,
        /// The move with a promotion to a queen.
        example: String,
    },
    /// The text is neither a move nor a command.
    #[error("{}", unknown(.0))]
    Syntax(String),
}

impl ParseMoveError {
    const fn is_syntax(&self) -> bool {
        matches!(self, Self::Syntax(_))
    }
}

fn unknown(text: &str) -> String {
    let text = printable(text);
    match similar_command(&text) {
        Some(command) => format!("unknown command: {text}. Did you mean {command}?"),
        None => format!("unknown move or command: {text}. Try Nf3, e2e4 or help"),
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
/// assert_eq!(error.to_string(), "unknown command: hnt. Did you mean hint?");
/// ```
///
/// A small letter can mean a piece: `nf3`. If `bxc3` can be a pawn's move and a bishop's, it is the pawn's.
///
/// ```
/// # use tabiya_board::Board;
/// # use tabiya_play::parse_move;
/// # let board = Board::start();
/// assert_eq!(parse_move("nf3", &board), parse_move("Nf3", &board));
/// ```
pub fn parse_move(text: &str, board: &Board) -> Result<Move, ParseMoveError> {
    let as_typed = parse_as_typed(text, board);
    let Some(other_case) = other_case(text) else {
        return as_typed;
    };
    match (as_typed, parse_as_typed(&other_case, board)) {
        (Ok(mv), _) | (Err(_), Ok(mv)) => Ok(mv),
        // What the text means in the case it was typed, if it means anything, is the better explanation.
        (Err(ParseMoveError::Syntax(_)), Err(error)) if !error.is_syntax() => Err(error),
        (Err(error), Err(_)) => Err(error),
    }
}

/// The text with its first letter as a piece instead of a file or a small letter, or as a file instead of a capital.
fn other_case(text: &str) -> Option<String> {
    let text = text.trim();
    let first = text.chars().next()?;
    let other = match first {
        'b' | 'k' | 'n' | 'q' | 'r' => first.to_ascii_uppercase(),
        'A' | 'C'..='H' => first.to_ascii_lowercase(),
        _ => return None,
    };
    Some(format!("{other}{}", &text[1..]))
}

fn parse_as_typed(text: &str, board: &Board) -> Result<Move, ParseMoveError> {
    let input = MoveInput::parse(text).map_err(|error| match error {
        SanError::NullMove => ParseMoveError::San(error),
        _ => ParseMoveError::Syntax(text.to_owned()),
    })?;
    input.to_move(board).map_err(|error| match error {
        SanError::Illegal {
            reason: refusal @ Refusal::MissingPromotion { .. },
        } => ParseMoveError::Promotion {
            refusal,
            example: input.with_queen(),
        },
        SanError::Illegal { reason } => ParseMoveError::Illegal(reason),
        error => ParseMoveError::San(error),
    })
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
            ("rg1", "h1g1"),
            ("rxa8", "a1a8"),
            ("kf1", "e1f1"),
            ("bc3", "d2c3"),
            ("E4", "e2e4"),
        ] {
            let mv = parse_move(text, &board).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(mv.to_string(), uci, "{text}");
        }
        for (text, sentence) in [
            ("b7b8", "as in b7b8q"),
            ("b8", "as in b8=Q"),
            (
                "e2e5",
                "pawns move one square forward, or two from their starting square",
            ),
            ("Nf3", "White has no knight"),
            ("nf3", "White has no knight"),
            ("hello", "unknown command: hello. Did you mean help?"),
            ("reisgn", "unknown command: reisgn. Did you mean resign?"),
            ("", "unknown move or command: "),
            ("e2e", "unknown move or command: e2e. Try Nf3, e2e4 or help"),
            ("e2e4x", "unknown move or command: e2e4x"),
            ("xe2e4", "unknown move or command: xe2e4"),
            ("e2e4e5", "unknown move or command: e2e4e5"),
            ("♟", "unknown move or command: ♟"),
            ("ñ2ñ4", "unknown move or command: ñ2ñ4"),
        ] {
            let error = parse_move(text, &board).unwrap_err().to_string();
            assert!(error.contains(sentence), "{text}: {error}");
        }
    }

    #[test]
    fn small_letters_mean_pieces_unless_a_pawn_can_move() {
        // A pawn on b2 and a bishop on d2 can both take on c3.
        let board: Board = "4k3/8/8/8/8/2n5/1P1B4/R3K3 w - - 0 1".parse().unwrap();
        for (text, uci) in [
            ("bxc3", "b2c3"),
            ("Bxc3", "d2c3"),
            ("b3", "b2b3"),
            ("be3", "d2e3"),
            ("rb1", "a1b1"),
            ("b2b4", "b2b4"),
        ] {
            let mv = parse_move(text, &board).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(mv.to_string(), uci, "{text}");
        }
        // Without the pawn, only the bishop is left.
        let board: Board = "4k3/8/8/8/8/2n5/3B4/R3K3 w - - 0 1".parse().unwrap();
        assert_eq!(parse_move("bxc3", &board).unwrap().to_string(), "d2c3");
    }
}
