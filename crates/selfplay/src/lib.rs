//! Games that the engine plays against itself, and the files that keep them for training.
//!
//! `training/README.md` describes the files byte by byte. There are three kinds: [`sample`]s of whole games from
//! self-play on a GPU; files of [`blocks`], one block of [`TrainingRecord`]s per game, as a [`Generator`] writes them;
//! and bare [`TrainingRecord`]s. All can be checked by [`replay`]ing their games.
#![forbid(unsafe_code)]

use std::fmt;

pub mod blocks;
mod error;
mod file;
mod game;
mod generate;
mod inspect;
mod json;
mod log;
mod moves;
mod player;
mod record;
mod referee;
mod replay;
pub mod sample;
mod summary;
mod text;

pub use error::SelfplayFileError;
pub use file::{FileCheck, FileItem, check_file, read_file};
pub use game::{SelfplayGame, Termination, Wdl};
pub use generate::{GenerateError, GenerationProgress, Generator};
pub use inspect::{Inspection, SearchedPosition, inspect_file};
pub use log::{GameLog, LogError};
pub use moves::PackedMove;
pub use player::{NetworkId, SelfplaySettings};
pub use record::{TrainingRecord, TrainingRecordError};
pub use referee::ScoreAdjudication;
pub use replay::{GameCheckError, check_block, replay};
pub use summary::{FileSummary, score_band};

/// The number of plies after which a game is drawn.
pub const MAX_PLIES: usize = 400;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Games with their records, one block per game.
    Blocks,
    /// Whole games.
    Sample,
    /// Bare records.
    Records,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocks => "games with their records",
            Self::Sample => "sample of whole games",
            Self::Records => "bare records",
        })
    }
}

impl FileKind {
    /// Detects the kind of a file by its first bytes. Bare records have no magic number: they are whatever is left.
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
