//! Portable Game Notation.
//!
//! [`Reader`] pulls events out of bytes without allocating; [`Batches`] cuts a stream of any length into pieces of whole
//! games for it; [`Game`] is a whole game in memory that can be written again.

mod comment;
mod event;
mod game;
mod reader;
mod stream;
mod text;

pub use comment::{Command, Eval, clock, commands, elapsed, eval};
pub use event::{Event, SanToken, SyntaxError};
pub use game::{Game, GameError, GameErrorKind, Node, NodeId, read_word};
pub use reader::Reader;
pub use stream::{Batch, Batches};
pub use text::{decode, decode_tag};
