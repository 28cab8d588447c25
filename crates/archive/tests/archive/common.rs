//! Games that look random, and a way to run the command.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use tabiya_board::Board;
use tabiya_notation::write_san;

pub(crate) use crate::fixtures::{Folder, add_to_archive, build_archive, files};

/// Numbers that look random, the same every time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }
}

/// Games of random moves. In the opening there are few to choose from, so that many games share their positions.
pub(crate) fn random_games(count: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::new();
    for number in 0..count {
        let results = ["1-0", "0-1", "1/2-1/2", "*"];
        let result = results[random.below(4)];
        let _ = writeln!(text, "[Event \"Random {}\"]", random.below(5));
        let _ = writeln!(text, "[Site \"https://example.org/{seed}-{number}\"]");
        let _ = writeln!(text, "[White \"Player {}\"]", random.below(20));
        let _ = writeln!(text, "[Black \"Player {}\"]", random.below(20));
        let _ = writeln!(text, "[Result \"{result}\"]");
        if random.below(5) > 0 {
            let _ = writeln!(text, "[WhiteElo \"{}\"]", 1000 + random.below(1800));
        }
        if random.below(5) > 0 {
            let _ = writeln!(text, "[BlackElo \"{}\"]", 1000 + random.below(1800));
        }
        if random.below(6) > 0 {
            let (year, month, day) = (
                2000 + random.below(26),
                1 + random.below(12),
                1 + random.below(28),
            );
            let _ = writeln!(text, "[UTCDate \"{year}.{month:02}.{day:02}\"]");
        }
        let control = ["60+0", "300+3", "600+5", "5400+30", "-"][random.below(5)];
        let _ = writeln!(text, "[TimeControl \"{control}\"]\n");
        let mut board = Board::start();
        for ply in 0..random.below(80) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let choices = if ply < 8 {
                moves.len().min(2)
            } else {
                moves.len()
            };
            let mv = moves[random.below(choices)];
            if board.turn().is_white() {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(text, "{} ", write_san(&board, mv));
            if number % 3 == 0 {
                let _ = write!(
                    text,
                    "{{ [%clk 0:{:02}:{:02}] }} ",
                    random.below(60),
                    random.below(60)
                );
            }
            board.play_unchecked(mv);
        }
        let _ = writeln!(text, "{result}\n");
    }
    text
}

/// Our own test games and, where they are, real ones from Lichess.
pub(crate) fn real_games() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/games/lichess_db_1000k.pgn");
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: real games, because ../shared/data/games is not there");
    }
    text
}

/// The command.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-archive"));
    command.env("TABIYA_ARCHIVE_NO_SYNC", "1");
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    command().args(arguments).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
