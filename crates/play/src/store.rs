//! Where games are kept: a folder with the unfinished ones, and the collection of the finished ones.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use crate::collection::{Collection, CollectionError};
use crate::game::Game;
use crate::moment::Moment;
use crate::record::{Record, RecordError};

/// The folder of unfinished games, one record each.
const UNFINISHED: &str = "unfinished";
/// The collection of finished games.
const COLLECTION: &str = "games.pgn";
/// A file that somebody has begun to write so long ago will not be finished any more.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// A folder with everything that has been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store in this folder, which need not be there yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The collection of finished games.
    pub fn collection(&self) -> Collection {
        Collection::new(self.folder.join(COLLECTION))
    }

    /// A record for a new game. Nothing is written before something happens in the game.
    pub fn new_record(&self) -> Record {
        static COUNT: AtomicU32 = AtomicU32::new(1);
        let name = format!(
            "{}-{}-{}.pgn",
            Moment::of(SystemTime::now()).compact(),
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        Record::new(self.folder.join(UNFINISHED).join(name))
    }

    /// The records of unfinished games, the one that was played last first.
    pub fn unfinished(&self) -> io::Result<Vec<PathBuf>> {
        let mut records = Vec::new();
        for (path, modified) in self.files()? {
            if path.extension().is_some_and(|extension| extension == "pgn") {
                records.push((modified, path));
            }
        }
        records.sort_by(|a, b| b.cmp(a));
        Ok(records.into_iter().map(|(_, path)| path).collect())
    }

    /// The files in the folder of unfinished games, and when they were changed.
    fn files(&self) -> io::Result<Vec<(PathBuf, SystemTime)>> {
        let entries = match fs::read_dir(self.folder.join(UNFINISHED)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A file that has just gone needs no date.
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            files.push((entry.path(), modified.unwrap_or(SystemTime::UNIX_EPOCH)));
        }
        Ok(files)
    }

    /// The unfinished game that was played last and is not being played elsewhere; nothing if there is none. Records that
    /// cannot be read are left alone, and only complained about when there is nothing else.
    pub fn resume(&self) -> Result<Option<Game>, RecordError> {
        let unfinished = self.unfinished().map_err(|error| RecordError::Read {
            path: self.folder.join(UNFINISHED),
            error,
        })?;
        let mut trouble = None;
        for path in unfinished {
            match Game::resume(&path) {
                Ok(game) if game.ending().is_none() => return Ok(Some(game)),
                Ok(_) => {}
                Err(error) => trouble = trouble.or(Some(error)),
            }
        }
        trouble.map_or(Ok(None), Err)
    }

    /// Adds a game that has ended to the collection, after which its record is not needed any more. A game without a move
    /// is not worth keeping.
    pub fn finish(&self, game: &mut Game) -> Result<(), CollectionError> {
        if game.ending().is_none() {
            return Ok(());
        }
        if game.line().moves().len() > 0 {
            self.collection().add(&game.pgn())?;
        }
        game.forget_record();
        Ok(())
    }

    /// Does what was not done because the program was killed: games that had ended come to the collection, and files that
    /// were half written are removed.
    pub fn tidy(&self) -> Result<(), CollectionError> {
        // Where the folder cannot be read there is nothing to tidy.
        for (path, modified) in self.files().unwrap_or_default() {
            let is_temporary = path.extension().is_some_and(|extension| extension == "tmp");
            if is_temporary {
                let age = SystemTime::now().duration_since(modified);
                if age.is_ok_and(|age| age > FORGOTTEN) {
                    let _ = fs::remove_file(&path);
                }
            } else if let Ok(mut game) = Game::resume(&path) {
                self.finish(&mut game)?;
            }
        }
        Ok(())
    }
}
