//! Reading PGN.

mod pgn_extract;
mod pgn_reader;
mod tabiya;

use std::error::Error;
use std::fmt;
use std::io;
use std::ops::AddAssign;
use std::path::Path;

use crate::clock::BenchClock;
use crate::race::{self, Contestant, Lap};
use crate::table::{self, TableLayout, Unit};
use crate::versions;

pub use self::pgn_extract::PgnExtract;

/// What to do with the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnTask {
    /// Read the tags, skip the moves.
    Tags,
    /// Read everything, piece by piece.
    Tokens,
    /// Play the legal moves of the main line.
    Replay,
    /// Play them, and ask for the hash key of every position.
    Keys,
}

/// What is counted, depending on the task.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct PgnCounts {
    /// The games.
    pub games: u64,
    /// The games without an illegal move.
    pub legal_games: u64,
    /// The tags.
    pub tags: u64,
    /// The moves that are played, or all of them.
    pub moves: u64,
    /// The numeric annotation glyphs.
    pub glyphs: u64,
    /// The comments.
    pub comments: u64,
    /// The variations.
    pub variations: u64,
    /// The results after the moves.
    pub results: u64,
    /// The sum of the keys.
    pub keys: u64,
}

impl AddAssign for PgnCounts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.legal_games += other.legal_games;
        self.tags += other.tags;
        self.moves += other.moves;
        self.glyphs += other.glyphs;
        self.comments += other.comments;
        self.variations += other.variations;
        self.results += other.results;
        self.keys = self.keys.wrapping_add(other.keys);
    }
}

impl fmt::Display for PgnCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            ("games", self.games),
            ("legal games", self.legal_games),
            ("tags", self.tags),
            ("moves", self.moves),
            ("glyphs", self.glyphs),
            ("comments", self.comments),
            ("variations", self.variations),
            ("results", self.results),
        ];
        for (name, count) in counts {
            if count > 0 {
                write!(f, "{count} {name}, ")?;
            }
        }
        write!(f, "keys {:#x}", self.keys)
    }
}

/// A function that reads bytes from beginning to end.
type Read = fn(&[u8]) -> io::Result<PgnCounts>;

/// Times a library that reads the text.
fn contestant<'a>(
    name: &str,
    version: String,
    text: &'a [u8],
    read: Read,
) -> Contestant<'a, PgnCounts> {
    Contestant {
        name: name.to_owned(),
        version,
        run: Box::new(move || {
            let (counts, time) = BenchClock::of_this_thread().time(|| read(text))?;
            let counts = counts?;
            Ok(Lap { counts, time })
        }),
    }
}

/// The libraries, once for each way to do the task.
fn contestants(task: PgnTask, text: &[u8]) -> Vec<Contestant<'_, PgnCounts>> {
    let ours =
        |note: &str, read| contestant("tabiya", format!("{}{note}", versions::TABIYA), text, read);
    let theirs = |name, read| {
        let version = if matches!(task, PgnTask::Tags | PgnTask::Tokens) {
            versions::PGN_READER.to_owned()
        } else {
            format!("{} + shakmaty {}", versions::PGN_READER, versions::SHAKMATY)
        };
        contestant(name, version, text, read)
    };
    match task {
        PgnTask::Tags => vec![
            ours("", |text| Ok(tabiya::tags(text))),
            ours(STREAMED, |text| tabiya::streamed(text, tabiya::tags)),
            theirs(PGN_READER, pgn_reader::tags),
        ],
        PgnTask::Tokens => vec![
            ours("", |text| Ok(tabiya::tokens(text))),
            ours(STREAMED, |text| tabiya::streamed(text, tabiya::tokens)),
            theirs(PGN_READER, pgn_reader::tokens),
        ],
        PgnTask::Replay => vec![
            ours("", |text| Ok(tabiya::replay(text))),
            ours(STREAMED, |text| tabiya::streamed(text, tabiya::replay)),
            theirs(PGN_READER, pgn_reader::replay),
        ],
        PgnTask::Keys => vec![
            ours("", |text| Ok(tabiya::keys(text))),
            ours(STREAMED, |text| tabiya::streamed(text, tabiya::keys)),
            theirs(PGN_READER, pgn_reader::keys),
            theirs(UPDATING, pgn_reader::updated_keys),
        ],
    }
}

/// The library to compare with.
const PGN_READER: &str = "pgn-reader";

/// The same library, updating the keys instead of computing each.
const UPDATING: &str = "pgn-reader (updating)";

/// The remark on contestants that read the text as a stream.
const STREAMED: &str = ", streamed";

/// Runs the race of one task, calls `progress` with the number of each round as it starts, and returns the table. The
/// text is also in a file, for programs that need one.
///
/// # Errors
///
/// If a contestant fails, or its counts differ from those of the others.
pub fn run(
    task: PgnTask,
    text: &[u8],
    extra: Option<(&PgnExtract, &Path)>,
    rounds: usize,
    progress: impl FnMut(usize),
) -> Result<String, Box<dyn Error>> {
    let mut contestants = contestants(task, text);
    if task == PgnTask::Replay
        && let Some((program, file)) = extra
    {
        contestants.push(program.contestant(file, tabiya::replay(text)));
    }
    let standings = race::run(contestants, rounds, progress)?;

    let megabytes = Unit {
        name: "MB/s",
        decimals: 1,
        amount: &|_: &PgnCounts| text.len() as f64 / 1e6,
    };
    let moves = Unit {
        name: "Mmoves/s",
        decimals: 2,
        amount: &|counts: &PgnCounts| counts.moves as f64 / 1e6,
    };
    let units = [megabytes, moves];
    let layout = TableLayout {
        units: if task == PgnTask::Tags {
            &units[..1]
        } else {
            &units
        },
        baselines: if task == PgnTask::Keys {
            &[PGN_READER, UPDATING]
        } else {
            &[PGN_READER]
        },
        last: None,
    };
    Ok(table::render(&standings, &layout))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    /// A text with everything that is counted, and with an illegal move.
    const ODD: &[u8] = b"[Event \"A \\\"B\\\"\"]\n[Result \"1-0\"]\n\n\
        1. e4 {fine} e5 $1 (1... c5! 2. Nf3 (2. c3 d5) d6) 2. Nf3?! Nc6 {so\nso} 3. Bb5 1-0\n\n\
        [Event \"C\"]\n\n1. e4 e5 2. Ke3 Ke7 1/2-1/2\n\n\
        [Event \"D\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n\
        1. O-O-O Ke7 *\n\n";

    #[test]
    fn all_readers_count_the_same() {
        let random = games::random(50_000);
        for task in [
            PgnTask::Tags,
            PgnTask::Tokens,
            PgnTask::Replay,
            PgnTask::Keys,
        ] {
            for text in [ODD, &random] {
                let table = run(task, text, None, 2, |_| {}).unwrap();
                assert!(table.contains("| tabiya "), "{table}");
            }
        }
    }

    #[test]
    fn counts_of_a_known_text() {
        let count = |task| (contestants(task, ODD)[0].run)().unwrap().counts;
        let tags = PgnCounts {
            games: 3,
            tags: 6,
            ..PgnCounts::default()
        };
        assert_eq!(count(PgnTask::Tags), tags);
        let tokens = PgnCounts {
            moves: 5 + 5 + 4 + 2,
            glyphs: 3,
            comments: 2,
            variations: 2,
            results: 3,
            ..tags
        };
        assert_eq!(count(PgnTask::Tokens), tokens);
        let replay = PgnCounts {
            games: 3,
            legal_games: 2,
            moves: 5 + 2 + 2,
            ..PgnCounts::default()
        };
        assert_eq!(count(PgnTask::Replay), replay);
        let keys = count(PgnTask::Keys).keys;
        assert_ne!(keys, 0);
        assert_eq!(count(PgnTask::Keys), PgnCounts { keys, ..replay });
    }

    #[test]
    fn counts_are_printed() {
        let counts = PgnCounts {
            games: 2,
            moves: 40,
            ..PgnCounts::default()
        };
        assert_eq!(counts.to_string(), "2 games, 40 moves, keys 0x0");
    }
}
