//! The games of a tournament on disk, from which an interrupted tournament continues.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tabiya_notation::GameResult;
use tabiya_notation::pgn::{Batches, Event, Game, Reader, decode_tag};
use thiserror::Error;

use crate::fingerprint::Fingerprint;
use crate::schedule::Slot;

/// How the tag `Event` of our matches and tournaments begins. The fingerprint of the settings follows.
const EVENTS: [&str; 2] = ["Tabiya match ", "Tabiya tournament "];
/// How many bytes to read at a time.
const CHUNK: usize = 1 << 20;

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MatchRecordError {
    /// The file cannot be opened or read.
    #[error("cannot keep games in {}: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// Another tournament is writing to it.
    #[error("{} is in use by another match or tournament: wait until that ends, or give another file", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A game cannot be written.
    #[error("cannot write to {}: {error}; the games so far are kept: repeat the command to continue", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// A game of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordedGame {
    pub(crate) result: GameResult,
    pub(crate) termination: String,
}

/// The file of games, locked while it is open.
#[derive(Debug)]
pub(crate) struct TournamentRecord {
    path: PathBuf,
    file: File,
    event: String,
}

/// The content of a file of games.
#[derive(Debug, Default)]
struct Content {
    /// The complete games of this tournament. Of two in the same slot, the first counts.
    ours: HashMap<Slot, RecordedGame>,
    /// How many other games there are.
    others: u64,
    /// The start of an incomplete game at the end.
    cut: Option<u64>,
}

/// The tags of a game that matter here.
#[derive(Default)]
struct Tags {
    event: String,
    round: String,
    result: String,
    termination: String,
}

/// Returns the tag `Event` of a match or a tournament with these settings.
pub(crate) fn event(is_match: bool, fingerprint: Fingerprint) -> String {
    let [a_match, tournament] = EVENTS;
    let kind = if is_match { a_match } else { tournament };
    format!("{kind}{fingerprint}")
}

impl TournamentRecord {
    /// Opens a file, and returns its games of this tournament and the number of its other games. An incomplete game at
    /// the end is removed if it belongs to one of our tournaments.
    pub(crate) fn open(
        path: &Path,
        event: &str,
    ) -> Result<(Self, HashMap<Slot, RecordedGame>, u64), MatchRecordError> {
        let failure = |error| MatchRecordError::Open {
            path: path.to_owned(),
            error,
        };
        // A directory cannot be opened for writing, and a pipe cannot be read again.
        if path.exists() && !path.is_file() {
            return Err(failure(io::Error::other("it is not a regular file")));
        }
        let mut options = File::options();
        options.read(true).write(true).create(true);
        let mut file = options.open(path).map_err(failure)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.to_owned();
                return Err(MatchRecordError::Locked { path });
            }
            // Some file systems have no locks. There the user must take care not to start two.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failure(error)),
        }
        let content = read(&mut file, event).map_err(failure)?;
        if let Some(cut) = content.cut {
            file.set_len(cut).map_err(failure)?;
        }
        let mut record = Self {
            path: path.to_owned(),
            file,
            event: event.to_owned(),
        };
        record.begin_line().map_err(failure)?;
        Ok((record, content.ours, content.others))
    }

    /// Moves to the end of the file, after an empty line.
    fn begin_line(&mut self) -> io::Result<()> {
        let length = self.file.seek(SeekFrom::End(0))?;
        let tail = length.min(2);
        let mut last = [0; 2];
        self.file.seek(SeekFrom::Start(length - tail))?;
        self.file.read_exact(&mut last[..tail as usize])?;
        match &last[..tail as usize] {
            b"" | b"\n\n" => Ok(()),
            [.., b'\n'] => self.file.write_all(b"\n"),
            _ => self.file.write_all(b"\n\n"),
        }
    }

    /// Writes a game with its tags, in one piece, to the disk.
    pub(crate) fn add(
        &mut self,
        game: &Game,
        slot: Slot,
        names: [&str; 2],
        time_control: &str,
        termination: &str,
    ) -> Result<(), MatchRecordError> {
        let result = game.result.unwrap_or(GameResult::Unknown).as_str();
        let mut whole = game.clone();
        let tags = [
            ("Event", self.event.as_str()),
            ("Site", "?"),
            ("Date", &date(SystemTime::now())),
            ("Round", &slot.to_string()),
            ("White", names[0]),
            ("Black", names[1]),
            ("Result", result),
        ];
        let more = [("TimeControl", time_control), ("Termination", termination)];
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        whole.tags = tags.into_iter().map(owned).collect();
        whole.tags.extend(game.tags.iter().cloned());
        whole.tags.extend(more.into_iter().map(owned));
        let text = format!("{whole}\n");
        let written = self.file.write_all(text.as_bytes());
        written
            .and_then(|()| self.file.sync_data())
            .map_err(|error| MatchRecordError::Write {
                path: self.path.clone(),
                error,
            })
    }
}

/// Closing the file is not enough to unlock it: an engine that is just being started has inherited it.
impl Drop for TournamentRecord {
    fn drop(&mut self) {
        // Fails where there are no locks.
        let _ = self.file.unlock();
    }
}

/// Reads a file of games.
fn read(file: &mut File, event: &str) -> io::Result<Content> {
    let mut content = Content::default();
    let length = file.metadata()?.len();
    let mut batches = Batches::new(&mut *file, CHUNK);
    while let Some(batch) = batches.next_batch()? {
        let ends_file = batch.bytes_before + batch.text.len() as u64 == length;
        let mut text = batch.text.as_slice();
        if ends_file && text.ends_with(b"\0") {
            // A power cut may leave zeros at the end.
            let end = text.iter().rposition(|&byte| byte != 0);
            text = &text[..end.map_or(0, |end| end + 1)];
            content.cut = Some(batch.bytes_before + text.len() as u64);
        }
        let mut reader = Reader::new(text);
        let mut tags = Tags::default();
        let mut start = None;
        let mut is_broken = false;
        while let Some(next) = reader.next() {
            let start_of_game = *start.get_or_insert(reader.event_offset());
            match next {
                Event::Tag { name, value } => tags.set(name, value),
                Event::Error(_) => is_broken = true,
                Event::End(result) => {
                    let (game, rest) =
                        text[start_of_game..].split_at(reader.offset() - start_of_game);
                    let is_last = ends_file && rest.trim_ascii().is_empty();
                    let whole = result.filter(|result| {
                        let result = result.as_str();
                        !is_broken
                            && tags.result == result
                            && game.trim_ascii_end().ends_with(result.as_bytes())
                    });
                    if is_last && whole.is_none() && belongs_to_tournament(game) {
                        content.cut = Some(batch.bytes_before + start_of_game as u64);
                    } else if let (Some(result), Some(slot)) = (whole, Slot::parse(&tags.round))
                        && tags.event == event
                        && result != GameResult::Unknown
                    {
                        content.ours.entry(slot).or_insert(RecordedGame {
                            result,
                            termination: std::mem::take(&mut tags.termination),
                        });
                    } else {
                        content.others += 1;
                    }
                    tags = Tags::default();
                    start = None;
                    is_broken = false;
                }
                _ => {}
            }
        }
        batches.reuse(batch);
    }
    Ok(content)
}

impl Tags {
    fn set(&mut self, name: &[u8], value: &[u8]) {
        let field = match name {
            b"Event" => &mut self.event,
            b"Round" => &mut self.round,
            b"Result" => &mut self.result,
            b"Termination" => &mut self.termination,
            _ => return,
        };
        *field = decode_tag(value).into_owned();
    }
}

/// Whether an incomplete game belongs to one of our tournaments.
fn belongs_to_tournament(game: &[u8]) -> bool {
    EVENTS.into_iter().any(|event| {
        let begin = format!("[Event \"{event}");
        match game.strip_prefix(begin.as_bytes()) {
            Some(rest) => {
                let mut fingerprint = rest.iter().take_while(|&&byte| byte != b'"');
                fingerprint.all(u8::is_ascii_hexdigit)
            }
            None => begin.as_bytes().starts_with(game.trim_ascii_end()),
        }
    })
}

/// Writes a date as PGN does.
fn date(now: SystemTime) -> String {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    // Count years from March, so that the leap day comes last. 400 years have 146,097 days.
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, over) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}.{month:02}.{day:02}", 400 * era + year + over)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use tabiya_board::Board;

    use super::*;

    /// A file for one test.
    struct TestFile(PathBuf);

    impl TestFile {
        fn new(test: &str) -> Self {
            let name = format!("tabiya-record-{test}-{}.pgn", std::process::id());
            Self(std::env::temp_dir().join(name))
        }

        fn open(&self) -> (TournamentRecord, HashMap<Slot, RecordedGame>, u64) {
            TournamentRecord::open(&self.0, "Tabiya match 00").expect("it opens")
        }

        fn text(&self) -> String {
            fs::read_to_string(&self.0).expect("it is there")
        }
    }

    impl Drop for TestFile {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn game() -> Game {
        let mut game = Game::new(Board::start());
        let e4 = tabiya_notation::uci::parse("e2e4", &Board::start()).unwrap();
        let place = game.add_unchecked(Game::ROOT, Some(e4));
        game.node_mut(place).comments.push("ø".to_owned());
        game.result = Some(GameResult::WhiteWins);
        game
    }

    fn slot(game: u32) -> Slot {
        Slot {
            round: 1,
            board: 1,
            game,
        }
    }

    fn add(record: &mut TournamentRecord, number: u32) {
        record
            .add(&game(), slot(number), ["a", "b"], "1+0", "normal")
            .unwrap();
    }

    #[test]
    fn recorded_games_are_found_again() {
        let place = TestFile::new("back");
        let (mut record, past, others) = place.open();
        assert_eq!((past.len(), others), (0, 0));
        add(&mut record, 1);
        add(&mut record, 2);
        drop(record);
        let (_, past, others) = place.open();
        assert_eq!(others, 0);
        assert_eq!(past.len(), 2);
        for number in [1, 2] {
            let past = &past[&slot(number)];
            assert_eq!(past.result, GameResult::WhiteWins);
            assert_eq!(past.termination, "normal");
        }
    }

    /// Wherever a write is cut off, the games before it survive, and the next one is written whole.
    #[test]
    fn an_incomplete_game_is_played_again() {
        let place = TestFile::new("cut");
        let (mut record, ..) = place.open();
        add(&mut record, 1);
        let first = place.text();
        add(&mut record, 2);
        drop(record);
        let both = fs::read(&place.0).unwrap();
        for length in first.len()..both.len() {
            for zeros in [0, 5] {
                let mut text = both[..length].to_vec();
                text.extend(vec![0; zeros]);
                fs::write(&place.0, text).unwrap();
                let (mut record, past, others) = place.open();
                // A game is complete without the two line ends after it.
                let whole = if length + 2 >= both.len() { 2 } else { 1 };
                assert_eq!((past.len(), others), (whole, 0), "{length} {zeros}");
                add(&mut record, 2);
                drop(record);
                let (_, past, others) = place.open();
                assert_eq!((past.len(), others), (2, 0), "{length} {zeros}");
                if whole == 1 {
                    assert_eq!(fs::read(&place.0).unwrap(), both, "{length} {zeros}");
                }
            }
        }
    }

    #[test]
    fn other_games_stay_in_the_file() {
        let place = TestFile::new("others");
        for foreign in [
            "[Event \"Casual\"]\n[Round \"1.1.1\"]\n[Result \"*\"]\n\n1. e4 *",
            "[Event \"Casual\"]\n\n1. e4 {never closed",
            "1. e4 e5 2. Nf3",
            "[Event \"Tabiya Cup\"]\n\n1. e4 e5",
            "[Event \"Tabiya match of the year\"]\n\n1. e4 e5",
            "[Event \"Tabiya match 01\"]\n[Round \"1.1.1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n",
            "[Event \"Tabiya match 00\"]\n[Round \"1.1.1\"]\n[Result \"*\"]\n\n1. e4 *\n",
            "[Event \"Tab",
            "hello",
        ] {
            let is_cut = foreign == "[Event \"Tab";
            fs::write(&place.0, foreign).unwrap();
            let (mut record, past, others) = place.open();
            assert_eq!((past.len(), others), (0, u64::from(!is_cut)), "{foreign}");
            add(&mut record, 1);
            drop(record);
            let text = place.text();
            assert!(is_cut || text.starts_with(foreign), "{text}");
            let (_, past, others) = place.open();
            assert_eq!((past.len(), others), (1, u64::from(!is_cut)), "{text}");
        }
    }

    #[test]
    fn a_file_has_one_writer_at_a_time() {
        let place = TestFile::new("lock");
        let (record, ..) = place.open();
        let error = TournamentRecord::open(&place.0, "Tabiya match 00").unwrap_err();
        assert!(matches!(error, MatchRecordError::Locked { .. }), "{error}");
        drop(record);
        place.open();
        let folder = TournamentRecord::open(&std::env::temp_dir(), "Tabiya match 00").unwrap_err();
        assert!(folder.to_string().contains("regular file"), "{folder}");
    }

    #[test]
    fn dates_are_written_as_in_pgn() {
        let day = |days: u64| date(UNIX_EPOCH + Duration::from_secs(days * 86_400));
        assert_eq!(day(0), "1970.01.01");
        assert_eq!(day(59), "1970.03.01");
        assert_eq!(day(11_016), "2000.02.29");
        assert_eq!(day(20_088), "2024.12.31");
        assert_eq!(day(20_089), "2025.01.01");
    }
}
