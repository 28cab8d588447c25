//! Standard Algebraic Notation: one reader for several dialects, one writer.

mod error;
mod find;
mod parts;
mod read;
mod write;

pub use error::SanError;
pub use parts::{PieceMove, San, SanParts};
pub use write::{SanText, write_san};

use tabiya_board::Move;
use tabiya_board::unkeyed::Position;

use crate::letters::PieceLetters;

/// What counts as a move in SAN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// The exact spelling of the PGN standard, including `+` and `#`.
    Strict,
    /// Everything that real files contain: missing or needless `x + # =`, zeros for castling, `e.p.`, `!?`, long
    /// algebraic notation, figurines, numbers before moves.
    #[default]
    Import,
    /// Between the two: `x`, `+` and `#` may be missing, and zeros for castling, a `P` for pawns, `e.p.` and long
    /// algebraic notation are allowed, but a wrong `x` is an error.
    Lenient,
    /// Standard spelling without `+` and `#`, and with a special rule: a piece that cannot legally move to the square,
    /// because it is pinned, still makes a move ambiguous.
    PseudoLegal,
}

/// Reads a move of a position, with English piece letters.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::{Dialect, parse_san};
///
/// let board = Board::start();
/// assert!(parse_san("Ng1f3", &board, Dialect::Import).is_ok());
/// let error = parse_san("Ng1f3", &board, Dialect::Strict).unwrap_err();
/// assert_eq!(error.to_string(), "the standard spelling is Nf3");
/// let error = parse_san("Bc4", &board, Dialect::Import).unwrap_err();
/// assert_eq!(error.to_string(), "the pawn on e2 is in the way");
/// ```
pub fn parse_san(text: &str, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
    parse_san_with(text, position, dialect, &PieceLetters::ENGLISH)
}

/// Reads a move of a position, with the piece letters of a language.
pub fn parse_san_with(
    text: &str,
    position: &Position,
    dialect: Dialect,
    letters: &PieceLetters,
) -> Result<Move, SanError> {
    let read = |dialect| San::parse_with(text, dialect, letters)?.to_move(position, dialect);
    if dialect != Dialect::Strict {
        return read(dialect);
    }
    // If the move can be understood otherwise, the error can give the standard spelling.
    let mv = read(Dialect::Strict).or_else(|error| read(Dialect::Import).map_err(|_| error))?;
    let standard = letters.localize(&write_san(position, mv));
    if standard == text {
        Ok(mv)
    } else {
        Err(SanError::NotStandard { standard })
    }
}
