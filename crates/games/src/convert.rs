//! Positions and games from one notation to another.
//!
//! ```
//! use tabiya_games::convert::{Format, Options, read, write};
//! use tabiya_notation::PieceLetters;
//!
//! let mut converted = String::new();
//! read(&b"1. e4 e5 2. Nf3\n"[..], Format::San, &Options::default(), &mut |_line, item| {
//!     converted += &write(item.unwrap(), Format::Uci, &PieceLetters::ENGLISH).unwrap();
//!     Ok(())
//! })
//! .unwrap();
//! assert_eq!(converted, "e2e4 e7e5 g1f3\n");
//! ```

mod format;
mod read;
mod write;

pub use format::{Format, UnknownFormatError};
pub use read::{Options, read};
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
    /// A line is too long.
    #[error("the line is longer than {} MB, the limit", limit.div_ceil(1_000_000))]
    LongLine {
        /// The limit in bytes.
        limit: usize,
    },
    /// There is no game.
    #[error("there is no game here")]
    NoGame,
    /// A position was to be written as moves.
    #[error("a position has no moves to write: convert it to FEN, EPD or PGN")]
    NoMoves,
}
