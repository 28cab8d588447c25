//! Tests of herochess as a player sees it: whole sessions, from input to output.

mod computer;
mod ends;
mod menu;
mod moves;
mod records;
mod tournaments;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tabiya_classics::herochess::{HerochessRecord, HerochessSession, Options};

/// A fixed time at the start of 2026.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_767_225_615)
}

/// Repeatable options: a fixed time and a fixed seed.
fn options() -> Options {
    Options {
        seed: Some(1),
        now,
        ..Options::default()
    }
}

/// Returns the output of a session.
#[track_caller]
fn session_with(options: Options, typed: &str) -> String {
    let mut printed = Vec::new();
    let mut session = HerochessSession::new(typed.as_bytes(), &mut printed, options);
    session.run().expect("nothing goes wrong");
    String::from_utf8(printed).expect("it is UTF-8")
}

#[track_caller]
fn session(typed: &str) -> String {
    session_with(options(), typed)
}

/// Plays these moves between two people, then quits.
#[track_caller]
fn game(moves: &str) -> String {
    session(&format!("1\n{moves}\nq\nn\n4\n"))
}

/// Returns the printed boards: rows 8 to 1, without the rules between them.
fn boards(printed: &str) -> Vec<Vec<String>> {
    let is_row = |line: &&str| {
        let mut bytes = line.bytes();
        matches!(bytes.next(), Some(b'1'..=b'8')) && line[1..].starts_with(" |")
    };
    let rows: Vec<String> = printed.lines().filter(is_row).map(str::to_owned).collect();
    assert!(rows.len().is_multiple_of(8), "{printed}");
    rows.chunks(8).map(<[String]>::to_vec).collect()
}

/// Returns the two characters on a square.
fn at(board: &[String], square: &str) -> String {
    let bytes = square.as_bytes();
    let (file, rank) = (usize::from(bytes[0] - b'a'), usize::from(bytes[1] - b'1'));
    board[7 - rank][4 + 5 * file..6 + 5 * file].to_owned()
}

/// Checks squares of the last board.
#[track_caller]
fn expect_last(printed: &str, squares: &[(&str, &str)]) {
    let boards = boards(printed);
    let last = boards.last().expect("there is a board");
    for (square, piece) in squares {
        assert_eq!(at(last, square), *piece, "{square}: {printed}");
    }
}

/// A new, empty folder for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("herochess-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn options(&self) -> Options {
        Options {
            folder: self.0.clone(),
            ..options()
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn record(&self, name: &str) -> HerochessRecord {
        HerochessRecord::read(&self.path(name)).expect("it is a record")
    }
}

/// A short game: Black gives mate.
const FOOLS_MATE: &str = "f2 f3\ne7 e5\ng2 g4\nd8 h4";
