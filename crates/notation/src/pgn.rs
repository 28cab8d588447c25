//! Portable Game Notation.
//!
//! [`games`] reads the games of a file one by one. A [`Game`] is a whole game in memory, with its variations: it can be
//! read, built, walked through and written.
//!
//! For many games there are faster ways. [`Reader`] iterates over the events in bytes without allocating, and
//! [`Batches`] splits a stream of any length into pieces of whole games for it. [`replay`] replays a game and calls a
//! [`Visitor`] for each legal move; [`replay_main_line`] calls a function.

mod comment;
mod event;
mod game;
mod games;
mod reader;
mod replay;
mod stream;
mod text;

pub use comment::{CommentCommand, clock, commands, elapsed, eval};
pub use event::{Event, SanToken, SyntaxError};
pub use game::{Game, GameError, GameErrorKind, Node, NodeId, Ply, Step};
pub use games::{Games, ReadGameError, games, replay_main_line};
pub use reader::Reader;
pub use replay::{Replay, ReplayBoard, Visitor, replay};
pub use stream::{Batch, BatchKind, Batches, MAX_GAME};
pub use text::{decode, decode_tag, result_in_tag};
