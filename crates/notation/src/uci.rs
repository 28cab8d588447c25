//! Moves as the UCI protocol writes them: `e2e4`, `e7e8q`, and castling by the king's squares or onto its rook.

use std::fmt;

use tabiya_board::{Move, Position, Refusal, Role, Square};
use thiserror::Error;

/// Why a text is no UCI move, or no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum UciError {
    /// Not two squares and perhaps a piece.
    #[error("a UCI move is two squares, and a letter for a promotion, as in e2e4 or e7e8q")]
    Unreadable,
    /// `0000`: nobody moves.
    #[error("a null move is no legal move")]
    NullMove,
    /// Two squares, but no legal move.
    #[error("{0}")]
    Illegal(#[from] Refusal),
}

/// Reads a move of a position. Castling may be spelled by the king's squares or as the king taking its rook.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::uci;
///
/// let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
/// assert_eq!(uci::read("e1g1", &board), uci::read("e1h1", &board));
/// assert_eq!(uci::read("e1e3", &board).unwrap_err().to_string(), "a king does not move from e1 to e3");
/// ```
pub fn read(text: &str, position: &Position) -> Result<Move, UciError> {
    if text == "0000" {
        return Err(UciError::NullMove);
    }
    let square = |range| {
        let text: Option<&str> = text.get(range);
        text.filter(|text| !text.starts_with(|c: char| c.is_ascii_uppercase()))
            .and_then(|text| text.parse::<Square>().ok())
            .ok_or(UciError::Unreadable)
    };
    let (from, to) = (square(0..2)?, square(2..4)?);
    let mut rest = text[4..].chars();
    let promotion = match (rest.next(), rest.next()) {
        (None, _) => None,
        (Some(letter), None) => Some(Role::from_char(letter).ok_or(UciError::Unreadable)?),
        _ => return Err(UciError::Unreadable),
    };
    Ok(position.why_not(from, to, promotion)?)
}

/// A move of a position in the spelling of Chess960: castling is the king taking its rook.
///
/// In ordinary chess a [`Move`] prints as UCI wants it already.
pub fn chess960(position: &Position, mv: Move) -> impl fmt::Display {
    let rook = tabiya_board::Wing::ALL
        .into_iter()
        .find(|wing| mv.is_castle() && wing.king_file() == mv.to().file())
        .and_then(|wing| position.castling_rook(position.turn(), wing));
    Spelled { mv, rook }
}

struct Spelled {
    mv: Move,
    rook: Option<Square>,
}

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rook {
            Some(rook) => write!(f, "{}{rook}", self.mv.from()),
            None => write!(f, "{}", self.mv),
        }
    }
}
