//! The folder of games: a record for each unfinished game, and the collection of finished games.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use crate::collection::{Collection, CollectionError};
use crate::date_time::UtcDateTime;
use crate::game::Game;
use crate::player::Player;
use crate::record::{GameRecord, RecordError};
use tabiya_uci::EngineCommand;

/// The folder of unfinished games, one record each.
const UNFINISHED: &str = "unfinished";
/// The collection of finished games.
const COLLECTION: &str = "games.pgn";
/// The age at which a temporary file is considered abandoned.
const ABANDONED_AGE: Duration = Duration::from_secs(3600);

/// The folder that holds all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens the store in this folder. The folder need not exist yet.
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

    /// Creates a record for a new game. Its file is created with the first event.
    pub fn new_record(&self) -> GameRecord {
        static COUNT: AtomicU32 = AtomicU32::new(1);
        let name = format!(
            "{}-{}-{}.pgn",
            UtcDateTime::of(SystemTime::now()).file_stem(),
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        GameRecord::new(self.folder.join(UNFINISHED).join(name))
    }

    /// The records of unfinished games, the most recent first.
    pub fn unfinished(&self) -> io::Result<Vec<PathBuf>> {
        let mut records = Vec::new();
        for (path, modified) in self.files()? {
            if is_record(&path) {
                records.push((modified, path));
            }
        }
        records.sort_by(|a, b| b.cmp(a));
        Ok(records.into_iter().map(|(_, path)| path).collect())
    }

    /// The files in the folder of unfinished games with their modification times.
    fn files(&self) -> io::Result<Vec<(PathBuf, SystemTime)>> {
        let entries = match fs::read_dir(self.folder.join(UNFINISHED)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            // The file may just have been deleted.
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            files.push((entry.path(), modified.unwrap_or(SystemTime::UNIX_EPOCH)));
        }
        Ok(files)
    }

    /// Resumes the most recent unfinished game that is not open in another window. An unreadable record is an error
    /// only if there is no other game. A game against an engine is resumed only if the person knows that engine: see
    /// [`Settings::engines`](crate::Settings::engines).
    pub fn resume(&self, engines: &[EngineCommand]) -> Result<Option<Game>, RecordError> {
        let unfinished = self.unfinished().map_err(|error| RecordError::Read {
            path: self.folder.join(UNFINISHED),
            error,
        })?;
        let mut first_error = None;
        for path in unfinished {
            match Game::resume(&path) {
                Ok(game) if game.termination().is_none() => {
                    return match unknown_engine(&game, engines) {
                        None => Ok(Some(game)),
                        Some(engine) => Err(RecordError::UnknownEngine { path, engine }),
                    };
                }
                Ok(_) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        first_error.map_or(Ok(None), Err)
    }

    /// Moves a finished game to the collection and deletes its record. A game without moves is only deleted.
    pub fn finish(&self, game: &mut Game) -> Result<(), CollectionError> {
        if game.termination().is_none() {
            return Ok(());
        }
        if game.history().moves().len() > 0 {
            self.collection().add(&game.pgn())?;
        }
        game.remove_record();
        Ok(())
    }

    /// Cleans up after a killed program: moves finished games to the collection and deletes temporary files.
    pub fn tidy(&self) -> Result<(), CollectionError> {
        // A folder that cannot be read has nothing to clean up.
        for (path, modified) in self.files().unwrap_or_default() {
            let is_temporary = path.extension().is_some_and(|extension| extension == "tmp");
            if is_temporary {
                let age = SystemTime::now().duration_since(modified);
                if age.is_ok_and(|age| age > ABANDONED_AGE) {
                    let _ = fs::remove_file(&path);
                }
            } else if is_record(&path)
                && let Ok(mut game) = Game::resume(&path)
            {
                self.finish(&mut game)?;
            }
        }
        Ok(())
    }
}

/// Whether a file in the folder is a record, not a temporary file or the copy of a damaged record.
fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pgn")
}

/// An engine in a game that is not among these.
fn unknown_engine(game: &Game, engines: &[EngineCommand]) -> Option<EngineCommand> {
    game.players().iter().find_map(|player| match player {
        Player::Engine(engine) if !engines.contains(engine) => Some(engine.clone()),
        _ => None,
    })
}
