//! The record of a game on disk.
//!
//! It is PGN, written line by line as things happen, so that the program may be killed at any moment: the tags, then the
//! moves with what the clocks showed, draw offers and the end as comments with commands that only we read. A line counts
//! from the moment when its end is on the disk. Where moves are taken back or players change, the whole file is replaced
//! at once. [`Game::resume`] reads it.

mod read;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::event::Event;
use crate::game::Game;
use crate::whole_file::{self, append};

/// The file that a game is written to. While the game goes on, it is locked.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    /// The file, once something has happened.
    file: Option<File>,
    /// Whether the file is not what it should be, and has to be written anew with the next event.
    stale: bool,
    /// Whether the last attempt to write failed.
    failing: bool,
}

/// What goes wrong with a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It cannot be written.
    #[error(
        "the game cannot be recorded in {path}: {error}; it goes on, but would be lost if the program ended now",
        path = path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It cannot be removed.
    #[error("{path} cannot be removed: {error}", path = path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It cannot be read.
    #[error("{path} cannot be read: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another program plays this game.
    #[error("the game in {path} is being played in another window", path = .0.display())]
    InUse(PathBuf),
    /// It is no record of a game.
    #[error("{path} is no record of a game: {problem}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: NotARecord,
    },
}

/// What is wrong with a text that should be a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct NotARecord(String);

impl Record {
    /// A record that will be in this file. Nothing is written before something happens.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            file: None,
            stale: true,
            failing: false,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether something has been written, or should have been.
    pub const fn is_begun(&self) -> bool {
        self.file.is_some() || self.failing
    }

    /// Whether what has happened is not on the disk.
    pub const fn is_failing(&self) -> bool {
        self.failing
    }

    /// What tells the game from all others.
    pub(crate) fn id(&self) -> Option<&str> {
        self.path.file_stem()?.to_str()
    }

    /// Writes an event that has just happened. A failure that lasts is told once.
    pub(crate) fn write(&mut self, game: &Game, event: &Event) -> Result<(), RecordError> {
        let line = game.event_text(event).filter(|_| !self.stale);
        let written = match (line, &mut self.file) {
            (Some(line), Some(file)) => append(file, &line),
            _ => self.replace(&game.record_text(self.id())),
        };
        let was_failing = self.failing;
        self.failing = written.is_err();
        self.stale = written.is_err();
        match written {
            Err(error) if !was_failing => Err(RecordError::Write {
                path: self.path.clone(),
                error,
            }),
            _ => Ok(()),
        }
    }

    /// Puts a text into the place of the file: all of it or nothing.
    fn replace(&mut self, text: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        self.file = Some(whole_file::replace(&self.path, text)?);
        Ok(())
    }

    /// Removes the file.
    pub(crate) fn remove(self) -> Result<(), RecordError> {
        let path = self.path;
        drop(self.file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(RecordError::Remove { path, error })
            }
            _ => Ok(()),
        }
    }
}
