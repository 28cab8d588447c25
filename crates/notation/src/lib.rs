//! Every way chess is written, read and written, with errors that say where and why.
#![forbid(unsafe_code)]

mod epd;
mod letters;
mod openings;
pub mod pgn;
mod san;
mod scan;
pub mod uci;

pub use epd::{Epd, EpdError, Operand, Operation};
pub use letters::{Letters, UnknownLanguage};
pub use openings::{Opening, opening, opening_of, openings};
pub use san::{
    Dialect, PieceMove, San, SanError, SanParts, SanText, read_move, read_move_with, write_move,
};
