//! The UCI options of the engine.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tabiya_board::{Board, Move};
use tabiya_engine::{Engine, Level, Network, Strength, book};
use tabiya_notation::polyglot::Book;
use thiserror::Error;

use crate::lines::shortened;

pub(crate) const MAX_HASH: u64 = 1 << 20;
const MAX_THREADS: u64 = 1024;
const MAX_MULTIPV: u64 = 256;
const MAX_OVERHEAD: u64 = 10_000;

/// The options that the engine itself does not keep.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the protocol defines these switches"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UciOptions {
    /// Whether to write castling as king takes rook.
    pub(crate) chess960: bool,
    pub(crate) show_wdl: bool,
    pub(crate) overhead: Duration,
    /// Whether to play book moves.
    pub(crate) own_book: bool,
    /// The book in a file; `None` for the one built in.
    book: Option<Arc<Book<Vec<u8>>>>,
    /// The level; `None` for full strength.
    level: Option<Level>,
    /// Whether to play at the rating.
    limit_strength: bool,
    rating: u32,
    /// Decides which book moves are played, and which mistakes a limited strength makes.
    pub(crate) seed: u64,
}

impl UciOptions {
    /// Returns the defaults.
    pub(crate) const fn new(seed: u64) -> Self {
        Self {
            chess960: false,
            show_wdl: false,
            overhead: Duration::from_millis(10),
            own_book: false,
            book: None,
            level: None,
            limit_strength: false,
            rating: Strength::MAX_RATING,
            seed,
        }
    }

    /// Returns the options of the next search. Each search has its own seed.
    pub(crate) fn for_search(&mut self) -> Self {
        // The golden ratio: an odd number far from any pattern.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.clone()
    }

    /// Chooses a book move.
    pub(crate) fn book_move(&self, board: &Board) -> Option<Move> {
        match &self.book {
            Some(book) => book.choose(board, self.seed),
            None => book::choose(board, self.seed),
        }
    }
}

/// Why an option cannot be set.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum OptionError {
    #[error("there is no option \"{0}\": send uci to list them")]
    Unknown(String),
    #[error("{name} needs a whole number from {least} to {most}, not \"{given}\"")]
    NotANumber {
        name: &'static str,
        least: u64,
        most: u64,
        given: String,
    },
    #[error("{name} needs true or false, not \"{given}\"")]
    NotABool { name: &'static str, given: String },
    #[error("{name} {path}: {reason}")]
    File {
        name: &'static str,
        path: String,
        reason: String,
    },
    #[error(transparent)]
    SmallerHash(#[from] tabiya_engine::HashSizeError),
    #[error(transparent)]
    FewerThreads(#[from] tabiya_engine::ThreadsError),
}

/// Returns the options as `uci` lists them.
pub(crate) fn list() -> [String; 15] {
    [
        format!("option name Hash type spin default 16 min 1 max {MAX_HASH}"),
        format!("option name Threads type spin default 1 min 1 max {MAX_THREADS}"),
        format!("option name MultiPV type spin default 1 min 1 max {MAX_MULTIPV}"),
        "option name Ponder type check default false".to_owned(),
        "option name UCI_Chess960 type check default false".to_owned(),
        "option name UCI_ShowWDL type check default false".to_owned(),
        format!("option name Move Overhead type spin default 10 min 0 max {MAX_OVERHEAD}"),
        "option name Clear Hash type button".to_owned(),
        "option name OwnBook type check default false".to_owned(),
        "option name BookFile type string default <embedded>".to_owned(),
        "option name EvalFile type string default <embedded>".to_owned(),
        "option name UCI_LimitStrength type check default false".to_owned(),
        format!(
            "option name UCI_Elo type spin default {most} min {} max {most}",
            Strength::MIN_RATING,
            most = Strength::MAX_RATING
        ),
        format!(
            "option name Level type spin default {most} min 1 max {most}",
            most = Level::FULL.number()
        ),
        "option name UCI_EngineAbout type string default Tabiya, a chess toolkit".to_owned(),
    ]
}

impl UciOptions {
    /// Sets an option. Its name may be in upper or lower case.
    pub(crate) fn set(
        &mut self,
        engine: &mut Engine,
        name: &str,
        value: &str,
    ) -> Result<(), OptionError> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => engine.set_hash(number("Hash", value, 1, MAX_HASH)? as usize)?,
            "threads" => engine.set_threads(number("Threads", value, 1, MAX_THREADS)? as usize)?,
            "multipv" => engine.set_multipv(number("MultiPV", value, 1, MAX_MULTIPV)? as usize),
            // The engine ponders on every `go ponder`, so there is nothing to set.
            "ponder" => {
                boolean("Ponder", value)?;
            }
            "uci_chess960" => self.chess960 = boolean("UCI_Chess960", value)?,
            "uci_showwdl" => self.show_wdl = boolean("UCI_ShowWDL", value)?,
            "move overhead" => {
                let milliseconds = number("Move Overhead", value, 0, MAX_OVERHEAD)?;
                self.overhead = Duration::from_millis(milliseconds);
            }
            "clear hash" => engine.new_game(),
            "evalfile" => engine.set_network(read_network(value)?),
            "ownbook" => self.own_book = boolean("OwnBook", value)?,
            "bookfile" => self.book = read_book(value)?,
            "uci_limitstrength" => {
                self.limit_strength = boolean("UCI_LimitStrength", value)?;
                self.set_strength(engine);
            }
            "uci_elo" => {
                let (least, most) = (Strength::MIN_RATING, Strength::MAX_RATING);
                self.rating = number("UCI_Elo", value, least.into(), most.into())? as u32;
                self.set_strength(engine);
            }
            "level" => {
                let most = Level::FULL.number();
                self.level = Level::new(number("Level", value, 1, most.into())? as u8);
                self.set_strength(engine);
            }
            "uci_engineabout" => {}
            _ => return Err(OptionError::Unknown(shortened(name))),
        }
        Ok(())
    }

    /// Sets the strength by the rating, or else by the level.
    fn set_strength(&self, engine: &mut Engine) {
        let strength = if self.limit_strength {
            Strength::from_rating(self.rating)
        } else {
            self.level.unwrap_or(Level::FULL).strength()
        };
        engine.set_strength(strength, self.seed);
    }
}

/// Reads a file for an option, with a function that understands its bytes. Returns `None` for an empty name or
/// `<embedded>`, which select what is built into the engine.
fn read_file<T, E: ToString>(
    name: &'static str,
    path: &str,
    read: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<Option<Arc<T>>, OptionError> {
    if matches!(path, "" | "<empty>" | "<embedded>") {
        return Ok(None);
    }
    let error = |reason: String| OptionError::File {
        name,
        path: shortened(path),
        reason,
    };
    let file = tabiya_files::open(Path::new(path));
    let bytes = file
        .and_then(|file| tabiya_files::read(&file))
        .map_err(|problem| error(problem.to_string()))?;
    let contents = read(bytes).map_err(|problem| error(problem.to_string()))?;
    Ok(Some(Arc::new(contents)))
}

fn read_network(path: &str) -> Result<Arc<Network>, OptionError> {
    let network = read_file("EvalFile", path, |bytes| Network::read(&bytes))?;
    Ok(network.unwrap_or_else(Network::embedded))
}

/// Reads a book in Polyglot's format.
fn read_book(path: &str) -> Result<Option<Arc<Book<Vec<u8>>>>, OptionError> {
    read_file("BookFile", path, Book::new)
}

/// Returns a number that is different each time.
pub(crate) fn random_seed() -> u64 {
    RandomState::new().hash_one(())
}

fn number(name: &'static str, given: &str, least: u64, most: u64) -> Result<u64, OptionError> {
    let number = given.parse().ok();
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| OptionError::NotANumber {
            name,
            least,
            most,
            given: shortened(given),
        })
}

fn boolean(name: &'static str, given: &str) -> Result<bool, OptionError> {
    given
        .to_ascii_lowercase()
        .parse()
        .map_err(|_| OptionError::NotABool {
            name,
            given: shortened(given),
        })
}
