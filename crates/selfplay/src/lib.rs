//! Games that the engine plays with itself, and the files in which they wait for training.
//!
//! `training/README.md` describes the files byte by byte. There are three kinds: [`sample`]s of whole games, as self-play
//! on a GPU leaves them; files of [`blocks`], one block of [`Record`]s for each game, as a [`Generator`] writes them;
//! and bare [`Record`]s. All are proved by [`replay`]ing their games by the rules of `tabiya-board`.
#![forbid(unsafe_code)]

pub mod blocks;
mod error;
mod game;
mod generate;
mod log;
mod moves;
mod player;
mod record;
mod referee;
mod replay;
pub mod sample;
mod summary;

pub use error::ReadError;
pub use game::{Ending, Game, Wdl};
pub use generate::{Generator, Progress, Stopped};
pub use log::{Log, LogError};
pub use moves::PackedMove;
pub use player::{NetworkId, Settings};
pub use record::{Record, RecordError};
pub use referee::Adjudication;
pub use replay::{Fault, check_block, replay};
pub use summary::{BANDS, Summary};

/// The most plies that a game may have: then it is drawn.
pub const LONGEST_GAME: usize = 400;

/// What a file holds, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Games with their records, a block for each.
    Blocks,
    /// Whole games.
    Sample,
    /// Records and nothing else.
    Records,
}

impl Kind {
    /// The kind of a file that begins with these bytes. Bare records have no mark: they are what is left.
    pub fn of(start: &[u8]) -> Self {
        if start.starts_with(blocks::MAGIC) {
            Self::Blocks
        } else if start.starts_with(sample::MAGIC) {
            Self::Sample
        } else {
            Self::Records
        }
    }
}
