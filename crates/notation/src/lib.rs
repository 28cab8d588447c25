//! Chess as text: SAN, UCI moves, EPD and PGN, read and written, with errors that say what and where.
#![forbid(unsafe_code)]

mod decimal;
mod epd;
mod letters;
mod move_input;
mod move_text;
mod openings;
pub mod pgn;
pub mod polyglot;
mod printable;
mod result;
mod san;
mod scan;
mod score;
#[cfg(feature = "serde")]
mod serde;
mod time_control;
pub mod uci;

pub use epd::{Epd, EpdError, Operand, Operation};
pub use letters::{PieceLetters, UnknownLanguageError};
pub use move_input::MoveInput;
pub use move_text::MoveText;
pub use openings::{Opening, opening, opening_of_game, openings};
pub use printable::{printable, printable_lines};
pub use result::{GameResult, ParseResultError};
pub use san::{
    Dialect, PieceMove, San, SanError, SanParts, SanText, parse_san, parse_san_with, write_san,
};
pub use score::{ParseScoreError, Score};
pub use time_control::{TimeControl, TimeControlError};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
