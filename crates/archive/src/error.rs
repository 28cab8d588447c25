//! What can go wrong with an archive.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use tabiya_games::{InputError, display_name};
use thiserror::Error;

/// An archive cannot be built or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// A file or folder of the archive cannot be read or written.
    #[error("cannot {action} {}: {source}", display_name(path))]
    File {
        /// What was tried: read, write, create.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file of games cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file of the archive is damaged.
    #[error(
        "{} is damaged: {reason}. Restore it from a copy, or build the archive again.",
        display_name(path)
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no archive in a folder.
    #[error("{} is not an archive: build one with `tabiya archive build GAMES.pgn -o {}`", display_name(.0), display_name(.0))]
    NoArchive(PathBuf),
    /// An archive was begun but never finished.
    #[error(
        "{} is not finished: its build was interrupted. Run the same `tabiya archive build` command again; it \
         resumes where it stopped.",
        display_name(.0)
    )]
    Unfinished(PathBuf),
    /// A build into a folder that has an archive.
    #[error("{} already holds an archive: add games with `tabiya archive add {} GAMES.pgn`", display_name(.0), display_name(.0))]
    Exists(PathBuf),
    /// A build into a folder with other things in it.
    #[error("{} is not empty: choose a new folder", display_name(.0))]
    NotEmpty(PathBuf),
    /// An interrupted build was started with other files.
    #[error(
        "{} is being built from other files ({started}). Run that command again, or remove the folder {} to start over.",
        display_name(folder),
        display_name(building)
    )]
    OtherBuild {
        /// The folder of the archive.
        folder: PathBuf,
        /// The files it was started with.
        started: String,
        /// The folder of the unfinished work.
        building: PathBuf,
    },
    /// Another process builds in the same folder.
    #[error("another `tabiya archive` is working in {}: wait until it has finished", display_name(.0))]
    Busy(PathBuf),
    /// A file of games has changed since the build was interrupted.
    #[error(
        "{} has changed since the build was interrupted. Remove the folder {} to start over.",
        display_name(file),
        display_name(building)
    )]
    InputChanged {
        /// The file of games.
        file: PathBuf,
        /// The folder of the unfinished work.
        building: PathBuf,
    },
    /// The archive is of another version.
    #[error(
        "{} has format {found}, but this program reads format {}: use another version of tabiya-archive, or build the archive again",
        display_name(path),
        crate::manifest::FORMAT
    )]
    Format {
        /// The manifest.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// More games than a game number can count.
    #[error("an archive holds at most {} games", i32::MAX)]
    TooManyGames,
    /// The memory limit is too low.
    #[error("--memory must be at least {} MB", crate::build::MIN_MEMORY / 1_000_000)]
    TooLittleMemory,
    /// The system gave us no threads.
    #[error("the system cannot start more threads: try with --threads 1")]
    Threads(#[source] io::Error),
    /// The build was stopped on purpose, for a test.
    #[error("stopped after {0} steps")]
    Stopped(u64),
}

/// Adds the file to an error of the system.
pub(crate) trait Context<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, ArchiveError>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, ArchiveError> {
        self.map_err(|source| ArchiveError::File {
            action,
            path: path.to_owned(),
            source,
        })
    }
}

impl ArchiveError {
    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

/// Errors of the Parquet library while reading a file: it is damaged, unless the system could not read it.
impl<T> Context<T> for Result<T, ParquetError> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, ArchiveError> {
        self.map_err(|error| {
            let error = match error {
                ParquetError::External(inner) => match inner.downcast::<ArchiveError>() {
                    Ok(known) => return *known,
                    Err(other) => match other.downcast::<io::Error>() {
                        Ok(source) => {
                            return match (*source).downcast::<ArchiveError>() {
                                Ok(known) => known,
                                Err(source) => ArchiveError::File {
                                    action,
                                    path: path.to_owned(),
                                    source,
                                },
                            };
                        }
                        Err(other) => other.to_string(),
                    },
                },
                other => other.to_string(),
            };
            ArchiveError::damaged(path, error)
        })
    }
}
