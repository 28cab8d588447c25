//! Starting positions and players.

use std::fs;
#[cfg(target_os = "linux")]
use std::thread;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use super::{Home, PEOPLE, computer};
#[cfg(target_os = "linux")]
use crate::folder::Folder;
use crate::{CHESS960, error_message, tabiya, text};

/// Longer than a process takes to end, even on a busy machine.
#[cfg(target_os = "linux")]
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn from_a_position() {
    let home = Home::new("fen");
    let printed = home.printed(
        &["--opponent", "person", "--fen", CHESS960],
        "O-O\nmoves\nboard\n",
    );
    assert!(printed.contains("1. O-O\n"), "{printed}");
    assert!(printed.contains("1  . R . . . R K .\n"), "{printed}");
    // A finished game is only shown.
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let printed = home.printed(&[stalemate], "hint\n");
    assert!(
        printed.contains("Draw by stalemate. 1/2-1/2\n"),
        "{printed}"
    );
    assert_eq!(home.collection(), "");
    assert_eq!(home.unfinished().len(), 1);
}

#[test]
fn from_a_chess960_start() {
    let home = Home::new("chess960");
    for (number, rank) in [
        ("0", "b b q n n r k r"),
        ("518", "r n b q k b n r"),
        ("959", "r k r n n q b b"),
    ] {
        let printed = home.printed(&["--chess960", number, "--opponent", "person"], "board\n");
        assert!(
            printed.contains(&format!("8  {rank}\n")),
            "{number}: {printed}"
        );
    }
    let random = |seed: &str| {
        let arguments = [
            "--chess960",
            "random",
            "--seed",
            seed,
            "--opponent",
            "person",
        ];
        home.printed(&arguments, "board\n")
    };
    assert_eq!(random("7"), random("7"));
    assert_ne!(random("7"), random("8"));
    // The record keeps the starting position.
    home.printed(&["--chess960", "0", "--opponent", "person"], "e4\n");
    let printed = home.printed(&["--resume"], "board\n");
    assert!(printed.contains("8  b b q n n r k r\n"), "{printed}");
}

#[test]
fn from_a_game_in_a_file() {
    let home = Home::new("from-pgn");
    let file = home.path("games.pgn");
    fs::write(&file, "[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event \"c\"]\n\n1. e4 Ke4 *\n").unwrap();
    let file = file.to_str().unwrap();
    let from = |more: &[&str], input: &str| {
        home.printed(&[&["--pgn", file], PEOPLE, more].concat(), input)
    };
    assert!(from(&[], "d5\n").contains("1. d4\n"));
    let printed = from(&["--game", "2", "--ply", "3"], "d6\nmoves\n");
    assert!(printed.contains("1. e4 e5 2. Nf3 d6\n"), "{printed}");
    // A broken game can be used up to the error.
    assert!(from(&["--game", "3", "--ply", "1"], "e5\n").contains("1... e5\n"));
    for (more, problem) in [
        (&["--game", "4"][..], "has no game 4"),
        (
            &["--game", "2", "--ply", "9"],
            "has only 4 half-moves, not 9",
        ),
        (&["--game", "3"], "Ke4"),
    ] {
        let error_message = error_message(&[&["play", "--pgn", file], more].concat());
        assert!(error_message.contains(problem), "{error_message}");
    }
}

#[test]
fn sides_and_names() {
    let home = Home::new("sides");
    let printed = home.printed(
        &["--side", "black", "--level", "1", "--name", "Zoë"],
        "moves\n",
    );
    assert!(
        printed.starts_with(&format!("White: {}\nBlack: Zoë\n1. ", computer(1))),
        "{printed}"
    );
    let random = |seed: &str| {
        let arguments = ["--side", "random", "--level", "1", "--seed", seed];
        home.printed(&arguments, "").starts_with("White: Player")
    };
    // Bit 40 of the seed decides.
    assert!(random("1"));
    assert!(!random("1099511627776"));
}

#[test]
fn the_computer_against_itself() {
    let home = Home::new("both");
    let fen = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1";
    let printed = home.printed(&["--both", "--level", "8", "--seed", "1", fen], "");
    let last = printed.lines().rev().nth(1).unwrap();
    assert!(
        last.ends_with("1-0") || last.ends_with("1/2-1/2"),
        "{printed}"
    );
    assert!(
        home.collection()
            .contains(&format!("[Black \"{}\"]", computer(8)))
    );
}

#[test]
fn another_engine() {
    let home = Home::new("engine");
    let program = tabiya(&[]).get_program().to_str().unwrap().to_owned();
    let engine = format!("\"{program}\" uci Hash=1");
    let arguments = ["--opponent", &engine, "--clock", "60s/move"];
    // The engine thinks for three seconds.
    let printed = home.printed(&arguments, "a4\nthink on\nmoves\n");
    assert!(printed.contains("Black: tabiya\n"), "{printed}");
    assert!(printed.contains("\n1... "), "{printed}");
    // The engine gets the option UCI_Chess960.
    let arguments = [&arguments[..], &["--chess960", "0"]].concat();
    let printed = home.printed(&arguments, "a4\n");
    assert!(printed.contains("\n1... "), "{printed}");
    // A bad engine is an error before the game begins.
    for (opponent, problem) in [
        (
            "/no/such/engine",
            "cannot play against engine: the engine /no/such/engine cannot be started",
        ),
        ("true", "cannot play against true"),
    ] {
        let output = home.play(&["--opponent", opponent], "e4\n");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(text(&output.stdout), "");
        let told = text(&output.stderr);
        assert!(told.contains(problem), "{told}");
    }
}

/// Whether the engine quits when it is told to, or not.
#[cfg(target_os = "linux")]
#[test]
fn child_processes_of_an_engine_end_with_the_game() {
    let home = Home::new("engine-children");
    let folder = Folder::new("engine-children-script");
    for rest in ["quit) exit;;", "quit) exec sleep 1000;;"] {
        let script = format!(
            "sleep 1000 > /dev/null 2>&1 & echo $! >> \"$0.children\"
            while read -r line; do
                case $line in uci) echo uciok;; isready) echo readyok;; go*) echo bestmove e7e5;; {rest} esac
            done"
        );
        let engine = format!("sh {}", folder.write("engine", script));
        let printed = home.printed(&["--opponent", &engine], "e4\nmoves\n");
        assert!(printed.contains("\n1. e4\n"), "{printed}");
        let children = folder.read("engine.children");
        assert!(!children.is_empty());
        let begin = Instant::now();
        for child in children.lines() {
            // A zombie has ended, too.
            let stat = format!("/proc/{child}/stat");
            while fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z")) {
                assert!(begin.elapsed() < PATIENCE, "it still runs: {rest}");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

#[test]
fn bad_arguments_are_errors() {
    for (arguments, problem) in [
        (&["--level", "0"][..], "use a number from 1 to 10"),
        (&["--clock", "soon"], "write 5+3 for 5 minutes"),
        (
            &["--side", "green"],
            "possible values: white, black, random",
        ),
        (&["--chess960", "960"], "use a number from 0 to 959"),
        (&["--fen", "x"], "invalid FEN"),
        (&["--resume", "--level", "3"], "cannot be used with"),
        (
            &["--both", "--opponent", "person"],
            "--both cannot be used with --opponent person",
        ),
        (&["--ply", "3"], "--pgn <FILE>"),
        (&["--name", "A\u{1b}[2J"], "enter one line of text"),
        (&["--pgn", "/no/such/file"], "no such file"),
    ] {
        let error_message = error_message(&[&["play"], arguments].concat());
        assert!(
            error_message.contains(problem),
            "{arguments:?}: {error_message}"
        );
    }
    let home = Home::new("nothing");
    let output = home.play(&["--resume"], "");
    assert_eq!(output.status.code(), Some(2));
}
