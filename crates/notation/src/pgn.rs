//! Portable Game Notation.
//!
//! [`Reader`] pulls events out of bytes without allocating, and [`Batches`] splits a stream of any length into pieces
//! of whole games for it. [`replay`] replays a game and calls a [`Visitor`] for each legal move. [`Game`] is a whole
//! game in memory, with its variations.

mod comment;
mod event;
mod game;
mod reader;
mod replay;
mod stream;
mod text;

pub use comment::{CommentCommand, clock, commands, elapsed, eval};
pub use event::{Event, SanToken, SyntaxError};
pub use game::{Game, GameError, GameErrorKind, Node, NodeId, Step};
pub use reader::Reader;
pub use replay::{Replay, ReplayBoard, Visitor, replay};
pub use stream::{Batch, Batches};
pub use text::{decode, decode_tag};
