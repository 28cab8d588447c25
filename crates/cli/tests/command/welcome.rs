//! `tabiya` alone, help and version.

use std::path::Path;

use crate::folder::Folder;
use crate::{START, fed, printed, tabiya, text};

/// The commands that do something.
const COMMANDS: [&[&str]; 21] = [
    &["play"],
    &["board"],
    &["moves"],
    &["why"],
    &["pgn", "check"],
    &["pgn", "fix"],
    &["pgn", "show"],
    &["pgn", "stats"],
    &["convert"],
    &["classic", "checker"],
    &["classic", "herochess"],
    &["analyse"],
    &["mate"],
    &["perft"],
    &["uci"],
    &["bench"],
    &["match"],
    &["tournament"],
    &["config"],
    &["completions"],
    &["man"],
];

#[test]
fn no_arguments_list_the_commands() {
    let printed = printed(&[]);
    assert!(printed.contains("8  r n b q k b n r"), "{printed}");
    for command in ["board", "moves", "why", "pgn", "convert", "perft"] {
        assert!(printed.contains(&format!("\n  {command}")), "{printed}");
    }
    assert!(printed.contains("\n  tabiya why e2e5\n"), "{printed}");
    assert!(!printed.contains('\u{1b}'), "{printed}");
}

#[test]
fn under_cargo_the_examples_are_for_cargo() {
    let output = tabiya(&[]).env("CARGO", "/usr/bin/cargo").output().unwrap();
    let printed = text(&output.stdout);
    assert!(
        printed.contains("\n  cargo run --release -- why e2e5\n"),
        "{printed}"
    );
}

#[test]
fn every_command_has_help_with_examples() {
    for command in COMMANDS
        .into_iter()
        .chain([&[][..], &["pgn"], &["match"], &["tournament"]])
    {
        for flag in ["--help", "-h"] {
            let printed = printed(&[command, &[flag]].concat());
            assert!(printed.contains("Usage: tabiya"), "{printed}");
            assert!(printed.contains("Examples:\n  tabiya "), "{printed}");
            assert!(!printed.contains('\u{1b}'), "{printed}");
        }
    }
}

/// Programs and files of examples that are not available here.
const OTHERS: [&str; 3] = ["./new", "stockfish", "engines.txt"];

/// Runs the examples of the help pages, without other programs of their pipes.
#[test]
fn the_examples_work() {
    let folder = Folder::new("examples");
    let game = "[Event \"?\"]\n\n1. e4 *\n";
    for name in ["games.pgn", "partien.pgn"] {
        folder.write(name, game);
    }
    folder.write(
        "games.pgn.zst",
        zstd::encode_all(game.as_bytes(), 1).unwrap(),
    );
    folder.write("positions.fen", START);
    folder.write("boards.txt", "q 1 1: 1 1 8 8\n");
    // Saves a record of a game without moves.
    fed(
        &["classic", "herochess", "--folder", &folder.path("")],
        b"1\nq\ny\n4\n",
    );
    let names = folder.names();
    let record = names.iter().find(|name| name.starts_with("herochess-"));
    let record = record.expect("the record is saved");
    folder.write(
        "positions.epd",
        format!("{} bm e4;", &START[..START.len() - 4]),
    );
    // Engines are found in the PATH.
    let program = Path::new(env!("CARGO_BIN_EXE_tabiya"));
    let beside = program.parent().expect("it lies in a folder");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(beside.to_owned()).chain(std::env::split_paths(&paths));
    let paths = std::env::join_paths(paths).expect("the folder has a usual name");
    for command in COMMANDS {
        let help = printed(&[command, &["--help"]].concat());
        let (_, examples) = help.split_once("Examples:\n").unwrap();
        let is_arena = matches!(command, ["match" | "tournament"]);
        for example in examples.lines() {
            if OTHERS.iter().any(|other| example.contains(other)) && is_arena {
                continue;
            }
            let mut parts = example.split(['|', '>']).map(str::trim);
            let line = parts.find(|part| part.starts_with("tabiya ")).unwrap();
            let line = line
                // A debug build is slow.
                .replace("perft 7", "perft 3")
                .replace("perft 6", "perft 3")
                .replace("--depth 10", "--depth 3")
                // As a shell would expand it.
                .replace('*', "games")
                // There is nothing to resume.
                .replace("play --resume", "play")
                .replace("lichess_db_standard_rated_2013-01", "games")
                .replace("herochess-20261115-193012.txt", record);
            let mut arguments = Vec::new();
            for (i, part) in line.split('"').enumerate() {
                match i % 2 {
                    0 => arguments.extend(part.split_whitespace()),
                    _ => arguments.push(part),
                }
            }
            let mut tabiya = tabiya(&arguments[1..]);
            // Some examples change settings: keep those apart.
            tabiya
                .current_dir(folder.path(""))
                .env("PATH", &paths)
                .env("XDG_DATA_HOME", folder.path("home"))
                .env("XDG_CONFIG_HOME", folder.path("home"));
            let output = tabiya.output().unwrap();
            let code = output.status.code();
            // Some need what is not here: an opponent, a third game, a terminal.
            let told = text(&output.stderr);
            let is_refused = [
                "has no game 3",
                "cannot play against stockfish",
                "which needs a terminal",
            ]
            .iter()
            .any(|reason| told.contains(reason));
            assert!(
                matches!(code, Some(0 | 1)) || is_refused,
                "{line}: {output:?}"
            );
            assert!(
                output.stderr.is_empty() || is_refused || is_arena,
                "{line}: {output:?}"
            );
        }
    }
}

#[test]
fn version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(printed(&["--version"]), format!("tabiya {version}\n"));
}

#[test]
fn help_respects_the_colour_option() {
    assert!(printed(&["--color", "always", "--help"]).contains('\u{1b}'));
    assert!(!printed(&["--color=never", "why", "--help"]).contains('\u{1b}'));
}
