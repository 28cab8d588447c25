//! The collection of finished games: one PGN file that only ever grows.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use tabiya_notation::pgn;
use thiserror::Error;

use crate::game::ID;
use crate::whole_file::{append, sync_folder};

/// A file of games to which games are added, by one program at a time. Nothing in it is ever removed or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    path: PathBuf,
}

/// Why a game could not be added to a collection.
#[derive(Debug, Error)]
#[error("the game cannot be added to {path}: {error}", path = path.display())]
pub struct CollectionError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// A game that was added twice would be this near to the end.
const TAIL: u64 = 1 << 22;

impl Collection {
    /// The collection in this file, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game, and waits until it is on the disk. While another program adds one, it waits for that. A game that is
    /// there already, because the program was killed right after it had been added, is not added again.
    pub fn add(&self, game: &pgn::Game) -> Result<(), CollectionError> {
        self.try_add(game).map_err(|error| CollectionError {
            path: self.path.clone(),
            error,
        })
    }

    fn try_add(&self, game: &pgn::Game) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let is_new = !self.path.exists();
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(&self.path)?;
        match file.lock() {
            // Where files cannot be locked, nobody else can be waited for.
            Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
            _ => {}
        }
        let tail = tail(&mut file)?;
        let id = game.tag(ID).map(|id| format!("[{ID} \"{id}\"]"));
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

/// The last bytes of a file; nothing of a device.
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

/// What has to stand before the next game. A game that broke off, because the disk was full or the power failed, is
/// closed first, so that it does not take the next one with it.
fn separator(tail: &[u8]) -> &'static str {
    let sound = tail.trim_ascii_end();
    let ends_game = ["*", "1-0", "0-1", "1/2-1/2"];
    if sound.is_empty() {
        ""
    } else if !ends_game.iter().any(|end| sound.ends_with(end.as_bytes())) {
        " *\n\n"
    } else if tail.ends_with(b"\n\n") || tail.ends_with(b"\n\r\n") {
        ""
    } else if tail.ends_with(b"\n") {
        "\n"
    } else {
        "\n\n"
    }
}
