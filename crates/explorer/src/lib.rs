//! The opening explorer of an archive, for programs that do not link the archive.
//!
//! [`Explorer`] starts `tabiya-archive explore ARCHIVE --stream` and asks it one position after another.
//! [`ExplorerThread`] does so in the background, and drops answers that are no longer wanted.
//!
//! ```no_run
//! use tabiya_board::Board;
//! use tabiya_explorer::Explorer;
//!
//! let mut explorer = Explorer::open("games".as_ref())?;
//! for explored in explorer.explore(&Board::start())?.moves {
//!     println!("{} {}", explored.name(), explored.games);
//! }
//! # Ok::<(), tabiya_explorer::ExplorerError>(())
//! ```
#![forbid(unsafe_code)]

mod explored;
mod program;
mod thread;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tabiya_board::Board;
use thiserror::Error;

pub use explored::{Explored, ExploredGame, ExploredMove};
pub use thread::ExplorerThread;

use program::Program;

/// The name of the program.
pub const PROGRAM: &str = "tabiya-archive";

/// The default time limit for an answer. Milliseconds are normal, but the first question opens the archive, and a
/// sleeping disk takes some seconds to wake up.
const DEFAULT_LIMIT: Duration = Duration::from_secs(15);

/// Returns the program of this name: the one beside this program, because both are built into the same folder, or else
/// the one on the PATH.
pub fn program_named(name: &str) -> PathBuf {
    let beside = std::env::current_exe()
        .ok()
        .map(|path| path.with_file_name(name))
        .map(|path| path.with_extension(std::env::consts::EXE_EXTENSION));
    beside
        .filter(|path| path.is_file())
        .unwrap_or_else(|| name.into())
}

/// Returns the program `tabiya-archive`.
pub fn program() -> PathBuf {
    program_named(PROGRAM)
}

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExplorerError {
    /// The program is neither beside this one nor on the PATH.
    #[error("tabiya-archive is not installed: cargo install --path crates/archive")]
    NotInstalled,
    /// The system does not start the program.
    #[error("cannot start tabiya-archive: {0}")]
    Start(#[source] io::Error),
    /// The program says why: there is no archive, or it is damaged.
    #[error("{0}")]
    Archive(String),
    /// The program ended without a reason.
    #[error("tabiya-archive ended before it answered")]
    Ended,
    /// The program was ended because it took too long.
    #[error("tabiya-archive did not answer within {} s", .0.as_secs_f32())]
    TooSlow(Duration),
    /// The program is another version, or another program.
    #[error("tabiya-archive gave an unreadable answer; is it the same version as this program?")]
    Unreadable,
}

/// The explorer of an archive. The program ends when this value is dropped, and with this process.
#[derive(Debug)]
pub struct Explorer {
    program: PathBuf,
    folder: PathBuf,
    limit: Duration,
    /// `None` after a failure: the next question starts the program again.
    running: Option<Program>,
}

impl Explorer {
    /// Opens the archive in a folder. Anything wrong with it is reported now, not at the first question.
    pub fn open(folder: &Path) -> Result<Self, ExplorerError> {
        Self::with_program(&program(), folder)
    }

    /// Opens an archive with the program at a path.
    pub fn with_program(program: &Path, folder: &Path) -> Result<Self, ExplorerError> {
        let mut explorer = Self::new(program, folder);
        explorer.explore(&Board::start())?;
        Ok(explorer)
    }

    /// An explorer that starts its program with the first question, whose answer then says what is wrong.
    pub fn new(program: &Path, folder: &Path) -> Self {
        Self {
            program: program.to_owned(),
            folder: folder.to_owned(),
            limit: DEFAULT_LIMIT,
            running: None,
        }
    }

    /// Gives the program this time for each answer.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// The time that the program has for an answer.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// The folder of the archive.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns what was played in a position. Waits for the answer: some milliseconds, unless the disk is slow. A
    /// program that takes longer than its limit is ended, and the next question starts it again.
    pub fn explore(&mut self, board: &Board) -> Result<Explored, ExplorerError> {
        // Taken out, so that a program that has failed is not asked again.
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Program::start(&self.program, &self.folder)?,
        };
        let line = running.ask(&board.to_string(), self.limit)?;
        match serde_json::from_str(&line) {
            Ok(Answer::Explored(explored)) => {
                self.running = Some(running);
                Ok(explored)
            }
            // The archive may have been built again: the next question opens it anew.
            Ok(Answer::Error { error }) => Err(ExplorerError::Archive(error)),
            Err(_) => Err(ExplorerError::Unreadable),
        }
    }
}

/// A line of the program.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Answer {
    Error { error: String },
    Explored(Explored),
}
