//! Moves as the UCI protocol writes them: `e2e4`, `e7e8q`, and castling by the king's squares or onto its rook.

mod info;

use std::fmt;
use std::str::FromStr;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Move, Refusal, Role, Square};
use thiserror::Error;

pub use info::{Bound, SearchInfo};

/// Why a text is not a UCI move, or not a legal one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not two squares and perhaps a promotion letter.
    #[error("a UCI move is two squares and a promotion letter if needed, such as e2e4 or e7e8q")]
    Syntax,
    /// `0000`, the null move.
    #[error("a null move is not a legal move")]
    NullMove,
    /// The move is not legal.
    #[error(transparent)]
    Illegal(#[from] Refusal),
}

/// A move in UCI notation, without a position. It need not be legal anywhere.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_notation::uci::UciMove;
///
/// let written: UciMove = "e2e4".parse()?;
/// assert_eq!(written, UciMove::Squares { from: Square::E2, to: Square::E4, promotion: None });
/// let mv = written.to_move(&Board::start())?;
/// assert_eq!(UciMove::from(mv).to_string(), "e2e4");
/// assert_eq!("0000".parse(), Ok(UciMove::Null));
/// # Ok::<(), tabiya_notation::uci::UciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UciMove {
    /// Two squares. Castling is the king's two squares, or the king taking its rook.
    Squares {
        /// Where the move starts.
        from: Square,
        /// Where it ends.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// `0000`, the null move.
    Null,
}

impl UciMove {
    /// Returns the legal move of a position.
    pub fn to_move(self, position: &Position) -> Result<Move, UciError> {
        match self {
            Self::Squares {
                from,
                to,
                promotion,
            } => Ok(position.legal_move(from, to, promotion)?),
            Self::Null => Err(UciError::NullMove),
        }
    }
}

/// Castling becomes the king's two squares, as in standard chess.
impl From<Move> for UciMove {
    fn from(mv: Move) -> Self {
        Self::Squares {
            from: mv.from(),
            to: mv.to(),
            promotion: mv.promotion(),
        }
    }
}

/// The only error is [`UciError::Syntax`].
impl FromStr for UciMove {
    type Err = UciError;

    fn from_str(text: &str) -> Result<Self, UciError> {
        if text == "0000" {
            return Ok(Self::Null);
        }
        let square = |range| {
            let text: Option<&str> = text.get(range);
            text.filter(|text| !text.starts_with(|c: char| c.is_ascii_uppercase()))
                .and_then(|text| text.parse::<Square>().ok())
                .ok_or(UciError::Syntax)
        };
        let (from, to) = (square(0..2)?, square(2..4)?);
        let mut rest = text[4..].chars();
        let promotion = match (rest.next(), rest.next()) {
            (None, _) => None,
            (Some(letter), None) => Some(Role::from_char(letter).ok_or(UciError::Syntax)?),
            _ => return Err(UciError::Syntax),
        };
        Ok(Self::Squares {
            from,
            to,
            promotion,
        })
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Squares {
                from,
                to,
                promotion: None,
            } => write!(f, "{from}{to}"),
            Self::Squares {
                from,
                to,
                promotion: Some(role),
            } => write!(f, "{from}{to}{}", role.char()),
            Self::Null => f.write_str("0000"),
        }
    }
}

/// Reads a move. Castling may be the king's two squares or the king taking its rook.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::uci;
///
/// let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
/// assert_eq!(uci::parse("e1g1", &board), uci::parse("e1h1", &board));
/// assert_eq!(uci::parse("e1e3", &board).unwrap_err().to_string(), "kings move one square in any direction");
/// ```
pub fn parse(text: &str, position: &Position) -> Result<Move, UciError> {
    text.parse::<UciMove>()?.to_move(position)
}

/// Writes a move as Chess960 engines do. Castling is written as the king's squares if king and rook are on their normal
/// squares, and as the king taking its rook otherwise, because the king's target could also be that of an ordinary king
/// move.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::uci;
///
/// let usual: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
/// let castle = uci::parse("e1h1", &usual).unwrap();
/// assert_eq!(uci::write(&usual, castle).to_string(), "e1g1");
/// let other: Board = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().unwrap();
/// let castle = uci::parse("f1h1", &other).unwrap();
/// assert_eq!(uci::write(&other, castle).to_string(), "f1h1");
/// ```
pub fn write(position: &Position, mv: Move) -> impl fmt::Display {
    let rook = castling_rook(position, mv).filter(|&rook| {
        mv.castling_side()
            .is_some_and(|wing| !wing.is_standard(mv.from(), rook))
    });
    Spelled { mv, rook }
}

/// Writes a move of a position as the option `UCI_Chess960` wants it: castling is always the king taking its rook.
///
/// In standard chess, a [`Move`] already prints in UCI notation.
pub fn write_chess960(position: &Position, mv: Move) -> impl fmt::Display {
    Spelled {
        mv,
        rook: castling_rook(position, mv),
    }
}

/// The rook of a castling move.
fn castling_rook(position: &Position, mv: Move) -> Option<Square> {
    position.castling_rook(position.turn(), mv.castling_side()?)
}

struct Spelled {
    mv: Move,
    /// The rook that the king takes.
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
