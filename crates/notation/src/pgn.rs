//! Portable Game Notation.
//!
//! [`Reader`] pulls events out of bytes without allocating; [`Batches`] cuts a stream of any length into pieces of whole
//! games for it; [`Game`] is a whole game in memory that can be written again.

mod comment;
mod game;
mod reader;
mod stream;
mod text;

pub use comment::{Command, Eval, clock, commands, elapsed, eval};
pub use game::{Game, GameError, GameProblem, Node, NodeId, read_word};
pub use reader::{Event, GameResult, Problem, Reader, San as SanToken};
pub use stream::{Batch, Batches};
pub use text::{tag_value, text};
