//! `tabiya play` line by line, with its files.

mod files;
mod kill;
#[cfg(unix)]
mod manners;
mod start;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tabiya_play::{Level, Player};

use crate::folder::Folder;
use crate::process::Process;
use crate::{feed, feed_with_closed_output, tabiya, text};

/// A user with their own settings and games.
struct Home {
    folder: Folder,
}

impl Home {
    fn new(test: &str) -> Self {
        Self {
            folder: Folder::new(&format!("play-{test}")),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name).into()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = tabiya(arguments);
        command.env("XDG_DATA_HOME", self.path(""));
        command.env("XDG_CONFIG_HOME", self.path("config"));
        command
    }

    /// Runs `play` with input.
    fn play(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = self.command(&[&["play"], arguments].concat());
        feed(&mut command, input.as_bytes())
    }

    /// The output of a run of `play` without messages.
    #[track_caller]
    fn printed(&self, arguments: &[&str], input: &str) -> String {
        let output = self.play(arguments, input);
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        text(&output.stdout)
    }

    /// The output and the messages of a successful run of `play`.
    #[track_caller]
    fn remarks(&self, arguments: &[&str], input: &str) -> (String, String) {
        let output = self.play(arguments, input);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (text(&output.stdout), text(&output.stderr))
    }

    /// The collection of finished games.
    fn collection(&self) -> String {
        fs::read_to_string(self.path("tabiya/games.pgn")).unwrap_or_default()
    }

    /// The records of unfinished games.
    fn unfinished(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("tabiya/unfinished")) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    fn process(&self, arguments: &[&str]) -> Process {
        Process::start(self.command(&[&["play"], arguments].concat()))
    }
}

/// The computer's name at a level.
fn computer(level: u8) -> String {
    Player::Computer(Level::new(level).expect("there is such a level")).to_string()
}

const PEOPLE: &[&str] = &["--opponent", "person"];

#[test]
fn a_game_to_mate() {
    let home = Home::new("mate");
    let printed = home.printed(PEOPLE, "f3\ne7e5\ng4\nQh4\nmoves\n");
    for line in [
        "1. f3\n",
        "1... e5\n",
        "2... Qh4#\nBlack wins by checkmate. 0-1\n",
        "1. f3 e5 2. g4 Qh4#\n",
    ] {
        assert!(printed.contains(line), "{line:?}: {printed}");
    }
    assert!(!printed.contains("kept"), "{printed}");
    let games = home.collection();
    assert!(games.contains("[Result \"0-1\"]"), "{games}");
    assert!(games.contains("[White \"Player\"]"), "{games}");
    assert_eq!(home.unfinished(), [""; 0]);
}

#[test]
fn wrong_input_gets_one_sentence() {
    let home = Home::new("wrong");
    let input = "e2e5\nhello\nlevel 99\nundo\ndraw now\n\nsave\ne4\nwhy e1e3\n";
    let (printed, remarks) = home.remarks(PEOPLE, input);
    let remarks: Vec<&str> = remarks.lines().collect();
    assert_eq!(
        remarks,
        [
            "Pawns move one square forward, or two from their starting square.",
            "Unknown command: hello. Did you mean help?",
            "There is no level 99; choose 1 to 10.",
            "There is no move to take back.",
            "Draw takes no argument; remove \"now\".",
            "Save needs a file name, for example: save game.pgn.",
        ]
    );
    assert!(printed.contains("1. e4\n"), "{printed}");
    assert!(printed.contains("The king on e1 is White's"), "{printed}");
}

#[test]
fn any_bytes_are_accepted() {
    let home = Home::new("bytes");
    let mut input = String::from("\u{0}\n\u{1b}[2J\nñ\n♞f3\n");
    input.push_str(&"x".repeat(200_000));
    input.push_str("\ne4");
    let (printed, remarks) = home.remarks(PEOPLE, &input);
    // A figurine is a knight, and the last line needs no line break.
    assert!(printed.contains("1. Nf3\n"), "{printed}");
    assert!(remarks.contains("This line is too long."), "{remarks}");
    assert!(!remarks.contains('\u{1b}'), "{remarks:?}");
}

#[test]
fn the_computer_replies_and_moves_are_taken_back() {
    let home = Home::new("undo");
    let input = "e4\nundo\nmoves\nd4\nswap\nlevel 2\nmoves\n";
    let printed = home.printed(&["--level", "1", "--seed", "5"], input);
    for line in [
        &format!("Black: {}\n", computer(1)),
        "Took back the last 2 moves.\nNo moves yet.\n",
        "Black: Player\n",
        &format!("White: {}\n", computer(2)),
    ] {
        assert!(printed.contains(line), "{line:?}: {printed}");
    }
    // After the swap, the computer plays White.
    let (_, after) = printed.split_once("Black: Player\n").unwrap();
    assert!(
        after.contains("\n2. ") || after.starts_with("2. "),
        "{printed}"
    );
    // The same seed plays the same game.
    assert_eq!(
        printed.lines().next_back(),
        Some("Game saved. Continue it with: tabiya play --resume")
    );
    let again = home.printed(&["--level", "1", "--seed", "5"], input);
    assert_eq!(again, printed);
}

#[test]
fn hints_evaluation_thinking_and_help() {
    let home = Home::new("hint");
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let printed = home.printed(&["--fen", fen], "hint\neval\nlevel\nhelp\nclock\nRd8\n");
    for line in [
        "Hint: Rd8# is back-rank mate.\n",
        "White mates in 1 at depth ",
        &format!(" 3  {}", Level::ALL[2].name()),
        "undo                       take back",
        "This game has no clock.\n",
        "White wins by checkmate. 1-0\n",
    ] {
        assert!(printed.contains(line), "{line:?}: {printed}");
    }
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let printed = home.printed(&["--level", "9", fen], "think on\ne4\n");
    assert!(printed.contains(" at depth "), "{printed}");
}

#[test]
fn draws() {
    let home = Home::new("draws");
    let printed = home.printed(PEOPLE, "draw\ne4\ndecline\n");
    for line in [
        "White offers a draw. Black: type draw to accept, or decline.\n1. e4\n",
        "Black declines the draw.\n",
    ] {
        assert!(printed.contains(line), "{line:?}: {printed}");
    }
    let printed = home.printed(PEOPLE, "draw\ne4\ndraw\n");
    assert!(
        printed.contains("Draw by agreement. 1/2-1/2\n"),
        "{printed}"
    );
    let shuffle = "Nf3\nNf6\nNg1\nNg8\n".repeat(2);
    let printed = home.printed(PEOPLE, &format!("{shuffle}draw\n"));
    assert!(
        printed.contains("Draw by threefold repetition. 1/2-1/2\n"),
        "{printed}"
    );
    let shuffle = "Nf3\nNf6\nNg1\nNg8\n".repeat(4);
    let printed = home.printed(PEOPLE, &shuffle);
    assert!(
        printed.contains("Draw by fivefold repetition. 1/2-1/2\n"),
        "{printed}"
    );
    assert_eq!(home.collection().matches("[Event ").count(), 3);
}

#[test]
fn another_game() {
    let home = Home::new("new");
    let printed = home.printed(PEOPLE, "e4\nnew\nmoves\nd4\nresign\nnew\n");
    assert!(printed.contains("Game saved."), "{printed}");
    assert!(printed.contains("No moves yet.\n1. d4\n"), "{printed}");
    assert!(
        printed.contains("White wins: Black resigned. 1-0\n"),
        "{printed}"
    );
    // The first game is still there.
    assert_eq!(home.unfinished().len(), 1);
    let printed = home.printed(&["--resume"], "moves\n");
    assert!(printed.contains("1. e4\n"), "{printed}");
}

#[test]
fn the_flag_falls_while_waiting_for_input() {
    let home = Home::new("flag");
    let process = home.process(&["--clock", "0.3s/move", "--opponent", "person"]);
    assert_eq!(
        process.wait_for_line("Clock: "),
        "Clock: White 0:00, Black 0:00"
    );
    let ending = process.wait_for_line("Black wins");
    assert_eq!(ending, "Black wins: White ran out of time. 0-1");
    process.end();
}

#[test]
fn the_board_can_be_flipped() {
    let home = Home::new("board");
    let printed = home.printed(PEOPLE, "e4\nd5\nexd5\nboard\nflip\n");
    assert!(
        printed.contains("8  r n b q k b n r\n7  p p p . p p p p\n"),
        "{printed}"
    );
    assert!(
        printed.contains("1  R N B K Q B N R\n2  P P P . P P P P\n"),
        "{printed}"
    );
    assert!(
        printed.contains("White has captured: pawn\nWhite is ahead by 1\n"),
        "{printed}"
    );
    assert!(
        printed.contains("Opening: B01 Scandinavian Defense\n"),
        "{printed}"
    );
}

#[test]
fn a_closed_output_is_not_an_error() {
    let home = Home::new("pipe");
    let mut command = home.command(&["play", "--opponent", "person"]);
    let output = feed_with_closed_output(&mut command, b"e4\ne5\nNf3\n");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}
