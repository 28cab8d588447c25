//! The record of a game on disk.
//!
//! A record is PGN, written line by line as events happen, so that killing the program loses nothing: tags first, then
//! moves with clock times. Draw offers and the end of the game are comments with commands of our own. A line counts
//! once its newline is on disk. A takeback or a change of players rewrites the file atomically. [`Game::resume`] reads
//! it.

mod read;
mod repair;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::event::GameEvent;
use crate::game::Game;
use tabiya_files::append;
use tabiya_notation::printable;
use tabiya_uci::EngineCommand;

/// The file that a game is written to. It is locked while the game is in progress.
#[derive(Debug)]
pub struct GameRecord {
    path: PathBuf,
    /// The open file; `None` before the first event.
    file: Option<File>,
    /// Whether the file has to be rewritten with the next event.
    stale: bool,
    /// Whether the last attempt to write failed.
    failing: bool,
    /// Whether the file holds lines that could not be read. It is copied before it changes.
    damaged: bool,
}

/// A failure to read or write a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Writing failed.
    #[error(
        "could not write the game to {path}: {error}; you can play on, but the game is lost if you quit now",
        path = path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Deleting failed.
    #[error("could not delete {path}: {error}", path = path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Reading failed.
    #[error("could not read {path}: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The game is against a program that the person has never chosen. Anybody who can write the file could start
    /// any program with it.
    #[error(
        "the game in {path} is against a program that is not among your engines: {engine}; to start it, name it with: \
         tabiya play --resume --opponent \"PROGRAM\"",
        path = path.display(),
        engine = printable(&engine.to_string())
    )]
    UnknownEngine {
        /// The file.
        path: PathBuf,
        /// The engine.
        engine: EngineCommand,
    },
    /// Another program has the game open.
    #[error("the game in {path} is open in another window", path = .0.display())]
    Locked(PathBuf),
    /// The file is not a game record.
    #[error("{path} is not a saved game: {problem}", path = path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: RecordFormatError,
    },
}

/// A text that is not a game record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct RecordFormatError(String);

impl GameRecord {
    /// Creates a record in this file. The file is created with the first event.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            file: None,
            stale: true,
            failing: false,
            damaged: false,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether an event has been written, or failed to be written.
    pub const fn is_started(&self) -> bool {
        self.file.is_some() || self.failing
    }

    /// Whether the last event could not be written.
    pub const fn is_failing(&self) -> bool {
        self.failing
    }

    /// The game's unique ID.
    pub(crate) fn id(&self) -> Option<&str> {
        self.path.file_stem()?.to_str()
    }

    /// Writes an event. A lasting failure is reported once.
    pub(crate) fn write(&mut self, game: &Game, event: &GameEvent) -> Result<(), RecordError> {
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

    /// Replaces the file atomically.
    fn replace(&mut self, text: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        self.keep_damaged()?;
        self.file = Some(tabiya_files::replace(&self.path, text)?);
        Ok(())
    }

    /// Copies a damaged file, with all the lines that could not be read.
    fn keep_damaged(&mut self) -> io::Result<()> {
        if self.damaged {
            let mut old = tabiya_files::open(&self.path)?;
            let mut number = 1;
            let mut new = loop {
                match File::create_new(damaged_copy(&self.path, number)) {
                    // The game was damaged before.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                    new => break new?,
                }
            };
            io::copy(&mut old, &mut new)?;
            new.sync_all()?;
            self.damaged = false;
        }
        Ok(())
    }

    /// Deletes the file.
    pub(crate) fn remove(mut self) -> Result<(), RecordError> {
        let kept = self.keep_damaged();
        let path = self.path;
        drop(self.file);
        if let Err(error) = kept {
            return Err(RecordError::Remove { path, error });
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(RecordError::Remove { path, error })
            }
            _ => Ok(()),
        }
    }
}

/// The name of the copy of a damaged file.
fn damaged_copy(path: &Path, number: u32) -> PathBuf {
    match number {
        1 => path.with_extension("damaged"),
        number => path.with_extension(format!("{number}.damaged")),
    }
}
