//! Games that the engine plays with itself, and the files in which they wait for training.
//!
//! `training/README.md` describes the files byte by byte. There are three kinds: [`sample`]s of whole games, as self-play
//! on a GPU leaves them; files of [`blocks`], one block of [`Record`]s for each game, as a [`Generator`] writes them;
//! and bare [`Record`]s. All are proved by [`replay`]ing their games by the rules of `tabiya-board`.
#![forbid(unsafe_code)]

pub mod blocks;
mod error;
mod file;
mod game;
mod generate;
mod inspect;
mod log;
mod moves;
mod player;
mod record;
mod referee;
mod replay;
pub mod sample;
mod summary;

pub use error::ReadError;
pub use file::{FileCheck, FileItem, check_file, read_file};
pub use game::{EndReason, SelfplayGame, Wdl};
pub use inspect::{Inspection, SearchedPosition, inspect_file};
pub use generate::{Generator, Progress, GenerateError};
pub use log::{GameLog, LogError};
pub use moves::PackedMove;
pub use player::{NetworkId, SelfplaySettings};
pub use record::{TrainingRecord, RecordError};
pub use referee::ScoreAdjudication;
pub use replay::{ReplayError, check_block, replay};
pub use summary::{SCORE_BANDS, Summary};

/// The most plies that a game may have: then it is drawn.
pub const MAX_PLIES: usize = 400;

/// What a file holds, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Games with their records, a block for each.
    Blocks,
    /// Whole games.
    Sample,
    /// Records and nothing else.
    Records,
}

impl FileKind {
    /// The kind of a file that begins with these bytes. Bare records have no mark: they are what is left.
    pub fn detect(start: &[u8]) -> Self {
        if start.starts_with(blocks::MAGIC) {
            Self::Blocks
        } else if start.starts_with(sample::MAGIC) {
            Self::Sample
        } else {
            Self::Records
        }
    }
}
