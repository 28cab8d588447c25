//! Standard Algebraic Notation: one reader for all its dialects, one writer.

mod error;
mod find;
mod parts;
mod read;
mod write;

pub use error::SanError;
pub use parts::{PieceMove, San, SanParts};
pub use write::{SanText, write_move};

use tabiya_board::{Move, Position};

use crate::letters::Letters;

/// How strictly moves are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Exactly what the PGN standard writes, `+`, `#` and all.
    Strict,
    /// What real files contain: missing or needless `x + # =`, zeros for castling, `e.p.`, `!?`, long algebraic
    /// notation, figurines, move numbers stuck to moves.
    #[default]
    Import,
    /// The notation of the classic program chessmoves.
    Chessmoves,
    /// The notation of the classic program analysis, in which a pinned piece still makes a move ambiguous.
    Analysis,
}

/// Reads a move of a position in a dialect with the English letters.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::{Dialect, read_move};
///
/// let board = Board::start();
/// assert!(read_move("Ng1f3", &board, Dialect::Import).is_ok());
/// let error = read_move("Ng1f3", &board, Dialect::Strict).unwrap_err();
/// assert_eq!(error.to_string(), "the standard writes this move Nf3");
/// let error = read_move("Bc4", &board, Dialect::Import).unwrap_err();
/// assert_eq!(error.to_string(), "no bishop of the side to move goes to c4");
/// ```
pub fn read_move(text: &str, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
    read_move_with(text, position, dialect, &Letters::ENGLISH)
}

/// Reads a move of a position in a dialect with the letters of a language.
pub fn read_move_with(
    text: &str,
    position: &Position,
    dialect: Dialect,
    letters: &Letters,
) -> Result<Move, SanError> {
    let read = |dialect| San::read_with(text, dialect, letters)?.find(position, dialect);
    if dialect != Dialect::Strict {
        return read(dialect);
    }
    // Where generosity understands what strictness does not, the error can say how it should be written.
    let mv = read(Dialect::Strict).or_else(|error| read(Dialect::Import).map_err(|_| error))?;
    let standard = letters.localise(&write_move(position, mv));
    if standard == text {
        Ok(mv)
    } else {
        Err(SanError::NotStandard { standard })
    }
}
