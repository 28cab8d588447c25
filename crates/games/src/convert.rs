//! Positions and games from one notation to another.
//!
//! ```
//! use tabiya_board::Board;
//! use tabiya_games::convert::{Format, read, write};
//! use tabiya_notation::PieceLetters;
//!
//! let mut converted = String::new();
//! let letters = PieceLetters::ENGLISH;
//! read(&b"1. e4 e5 2. Nf3\n"[..], Format::San, &Board::start(), &letters, &mut |_line, item| {
//!     converted += &write(item.unwrap(), Format::Uci, &letters).unwrap();
//!     Ok(())
//! })
//! .unwrap();
//! assert_eq!(converted, "e2e4 e7e5 g1f3\n");
//! ```

mod format;
mod read;
mod write;

pub use format::{Format, UnknownFormatError};
pub use read::read;
pub use write::{localize, write};

use tabiya_board::FenError;
use tabiya_notation::pgn::{Game, GameErrorKind};
use tabiya_notation::uci::UciError;
use tabiya_notation::{Epd, EpdError};
use thiserror::Error;

/// A position or a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A position with operations.
    Position(Epd),
    /// A game.
    Game(Game),
}

/// Why something cannot be converted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// A line is not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A line is not an EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A game cannot be read.
    #[error(transparent)]
    Game(#[from] GameErrorKind),
    /// A move in UCI notation cannot be read.
    #[error("{number}{} {text}: {reason}", if *white { "." } else { "..." })]
    Uci {
        /// The number of the move.
        number: u16,
        /// Whether White moves.
        white: bool,
        /// The text.
        text: String,
        /// The reason.
        reason: UciError,
    },
    /// A line has more than one game.
    #[error("this line has more than one game; if the file is PGN, choose that format")]
    SeveralGames,
    /// There is no game.
    #[error("there is no game here")]
    NoGame,
    /// A position was to be written as moves.
    #[error("a position has no moves to write: convert it to FEN, EPD or PGN")]
    NoMoves,
}
