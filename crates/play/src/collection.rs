//! The collection of finished games: one PGN file that only ever grows.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use tabiya_notation::pgn;
use thiserror::Error;

use crate::game::ID_TAG;
use tabiya_files::{append, sync_folder};

/// A PGN file that games are appended to. Existing games are never changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    path: PathBuf,
}

/// A game could not be added to a collection.
#[derive(Debug, Error)]
#[error("could not add the game to {path}: {error}", path = path.display())]
pub struct CollectionError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub error: io::Error,
}

/// How much of the file's end is searched for a game that is already there.
const TAIL: u64 = 1 << 22;

impl Collection {
    /// Opens the collection in this file. The file need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a game and waits until it is on disk. Waits for other programs that append to the same file. A game that
    /// is already there, because the program was killed right after appending it, is not added again.
    pub fn add(&self, game: &pgn::Game) -> Result<(), CollectionError> {
        self.try_add(game).map_err(|error| CollectionError {
            path: self.path.clone(),
            error,
        })
    }

    /// Appends a game that a person saves, even if it is there already: it may have changed since. Fails if the file
    /// holds something other than games.
    pub fn append(&self, game: &pgn::Game) -> Result<SavedGame, CollectionError> {
        self.try_append(game).map_err(|error| CollectionError {
            path: self.path.clone(),
            error,
        })
    }

    fn try_append(&self, game: &pgn::Game) -> io::Result<SavedGame> {
        let (mut file, is_new) = self.open()?;
        let tail = tail(&mut file)?;
        if !looks_like_games(&tail) {
            return Err(io::Error::other(
                "it is not a PGN file; choose another name",
            ));
        }
        append(&mut file, &format!("{}{game}\n", separator(&tail)))?;
        if is_new {
            sync_folder(&self.path);
        }
        Ok(if tail.trim_ascii().is_empty() {
            SavedGame::Alone
        } else {
            SavedGame::Added
        })
    }

    /// Opens the file for reading and appending, and locks it. Also returns whether it is new.
    fn open(&self) -> io::Result<(File, bool)> {
        let is_new = !self.path.exists();
        let file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(&self.path)?;
        match file.lock() {
            // Some file systems have no locks.
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            _ => Ok((file, is_new)),
        }
    }

    fn try_add(&self, game: &pgn::Game) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let (mut file, is_new) = self.open()?;
        let tail = tail(&mut file)?;
        let id = game.tag(ID_TAG).map(|id| format!("[{ID_TAG} \"{id}\"]"));
        if id.is_some_and(|id| contains(&tail, id.as_bytes())) {
            return Ok(());
        }
        append(&mut file, &format!("{}{game}\n", separator(&tail)))?;
        if is_new {
            sync_folder(&self.path);
        }
        Ok(())
    }
}

/// Where a game was saved. Prints as a phrase: `Saved to`, `Added to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SavedGame {
    /// To a file of its own.
    Alone,
    /// To a file that holds other games.
    Added,
}

impl fmt::Display for SavedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Alone => "Saved to",
            Self::Added => "Added to the games in",
        })
    }
}

/// Whether the end of a file can be the end of a PGN file: nothing, or text with a tag or a result.
fn looks_like_games(tail: &[u8]) -> bool {
    let text = tail.trim_ascii();
    let is_tag = |line: &[u8]| line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"\"]");
    let is_text = !text.contains(&0);
    let ends_game = RESULTS.iter().any(|end| text.ends_with(end.as_bytes()));
    text.is_empty() || is_text && (ends_game || text.split(|&byte| byte == b'\n').any(is_tag))
}

/// The results that end a game.
const RESULTS: [&str; 4] = ["*", "1-0", "0-1", "1/2-1/2"];

/// The last bytes of a file; empty for a device.
fn tail(file: &mut File) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    let mut bytes = Vec::new();
    if metadata.is_file() {
        file.seek(SeekFrom::Start(metadata.len().saturating_sub(TAIL)))?;
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}

/// The text before the next game. If the last game is incomplete, because the disk was full or the power failed, this
/// closes it, so that the next game can still be read.
fn separator(tail: &[u8]) -> &'static str {
    let sound = tail.trim_ascii_end();
    if sound.is_empty() {
        ""
    } else if !RESULTS.iter().any(|end| sound.ends_with(end.as_bytes())) {
        " *\n\n"
    } else if tail.ends_with(b"\n\n") || tail.ends_with(b"\n\r\n") {
        ""
    } else if tail.ends_with(b"\n") {
        "\n"
    } else {
        "\n\n"
    }
}
