//! Games with friends on disk, so that they survive a restart of the server.
//!
//! Each has two files, named after the game: the record that all games have (`crates/play`), from the first move on, and
//! beside it who may sit where. The server's token is kept there, too: the links of these games contain it, so it stays
//! the same until they are over.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tabiya_play::{Game, GameRecord, Player};
use tabiya_wasm::Line;

use super::MAX_GAMES;
use crate::games::{ClockMessage, control};

/// Who may sit where, and how the game began.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Seating {
    /// The secrets of White and Black.
    pub(super) seats: [String; 2],
    pub(super) start: String,
    pub(super) clock: Option<ClockMessage>,
    pub(super) token: Option<String>,
}

impl Seating {
    /// A game as it begins.
    fn new_game(&self) -> Option<Game> {
        let line = Line {
            fen: Some(self.start.clone()),
            moves: Vec::new(),
        };
        let players = [Player::person("White"), Player::person("Black")];
        Some(Game::new(
            line.history().ok()?,
            players,
            control(self.clock),
        ))
    }
}

/// The folder; `None` if games are kept in memory only.
#[derive(Clone, Debug)]
pub(crate) struct FriendFiles(Option<PathBuf>);

impl FriendFiles {
    /// Keeps the games in a separate folder: one person cannot continue them in a terminal.
    pub(crate) fn new(store: Option<&PathBuf>) -> Self {
        Self(store.map(|folder| folder.join("friends")))
    }

    fn path(&self, id: &str, extension: &str) -> Option<PathBuf> {
        // Names come from addresses, so only those that the server itself makes lead to files.
        let is_name = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let folder = self.0.as_ref().filter(|_| is_name)?;
        Some(folder.join(format!("{id}.{extension}")))
    }

    /// The record for a game, to be created with its first move.
    pub(super) fn record(&self, id: &str) -> Option<GameRecord> {
        self.path(id, "pgn").map(GameRecord::new)
    }

    /// Writes who may sit where.
    pub(super) fn write(&self, id: &str, seating: &Seating) -> io::Result<()> {
        let Some(path) = self.path(id, "json") else {
            return Ok(());
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        tabiya_files::replace(&path, &serde_json::to_string(seating)?)?;
        Ok(())
    }

    /// Reads a game. It goes on when both sit there again.
    pub(super) fn read(&self, id: &str) -> Option<(Seating, Game)> {
        let seating: Seating =
            serde_json::from_slice(&fs::read(self.path(id, "json")?).ok()?).ok()?;
        let record = self.path(id, "pgn")?;
        let game = if record.exists() {
            Game::resume(&record).ok()?
        } else {
            let mut game = seating.new_game()?;
            game.set_record(GameRecord::new(record));
            game
        };
        Some((seating, game))
    }

    /// Forgets a game.
    pub(super) fn remove(&self, id: &str) {
        for extension in ["pgn", "json"] {
            // It may not exist, and a leftover file does no harm.
            let _ = self.path(id, extension).map(fs::remove_file);
        }
    }

    /// The names of the games, the most recent first.
    fn names(&self) -> Vec<String> {
        let entries = self.0.iter().filter_map(|folder| fs::read_dir(folder).ok());
        let mut names: Vec<(SystemTime, String)> = entries
            .flatten()
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let name = entry.file_name().into_string().ok()?;
                let id = name.strip_suffix(".json")?.to_owned();
                Some((entry.metadata().ok()?.modified().ok()?, id))
            })
            .collect();
        names.sort_by(|a, b| b.cmp(a));
        names.into_iter().map(|(_, id)| id).collect()
    }

    /// Deletes the oldest games if there are too many.
    pub(super) fn tidy(&self) {
        for id in self.names().iter().skip(MAX_GAMES) {
            self.remove(id);
        }
    }

    /// The token in the links of unfinished games.
    pub(crate) fn token(&self) -> Option<String> {
        self.names().iter().find_map(|id| {
            let (seating, game) = self.read(id)?;
            seating.token.filter(|_| game.termination().is_none())
        })
    }
}
