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
pub use event::{Event, GameResult, Problem, San as SanToken};
pub use game::{Game, GameError, GameProblem, Node, NodeId, read_word};
pub use reader::Reader;
pub use stream::{Batch, Batches};
pub use text::{tag_value, text};
