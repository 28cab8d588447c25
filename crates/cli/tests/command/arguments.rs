//! Arguments that are not what they look like: FENs without quotes, paths with slashes.

use crate::folder::Folder;
use crate::{START, error_message, output, printed, tabiya, text};

const FEN: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

#[test]
fn a_fen_needs_neither_quotes_nor_option() {
    let words: Vec<&str> = FEN.split(' ').collect();
    let expected = printed(&["why", "--fen", FEN, "e2e4"]);
    let option = format!("--fen={}", words[0]);
    for arguments in [
        vec!["why", FEN, "e2e4"],
        [&["why"], &words[..], &["e2e4"]].concat(),
        [&["why", "--fen"], &words[..], &["e2e4"]].concat(),
        [&["why", &option], &words[1..], &["e2e4"]].concat(),
    ] {
        assert_eq!(printed(&arguments), expected, "{arguments:?}");
    }
}

#[test]
fn arguments_after_a_fen_are_not_part_of_it() {
    let words: Vec<&str> = START.split(' ').collect();
    let without_clocks = &words[..4];
    let square = [&["moves"], without_clocks, &["e2"]].concat();
    assert_eq!(printed(&square), "e2: e3 e4\n");
    // A single number is the depth, not a clock.
    for depth in [
        [&["perft"], without_clocks, &["2"]].concat(),
        [&["perft"], &words[..], &["2"]].concat(),
        vec!["perft", "startpos", "2"],
    ] {
        assert!(printed(&depth).starts_with("nodes: 400\n"), "{depth:?}");
    }
}

#[test]
fn other_words_are_not_fens() {
    assert_eq!(
        printed(&["moves", "startpos", "g1"]),
        printed(&["moves", "g1"])
    );
    error_message(&["why", "e2e4", "b", "-", "-"]);
    error_message(&["board", "--fen", "rubbish", "w"]);
}

#[test]
fn a_path_with_many_slashes_is_not_a_fen() {
    let folder = Folder::new("arguments");
    let path = folder.path("b/c/d/e/f/g/h/none");
    let option = format!("--epd={path}");
    for arguments in [
        &["mate", "3", "--epd", &path][..],
        &["mate", "3", &option],
        &["play", "--pgn", &path],
        &["pgn", "check", &path],
        &["match", &path, &path],
        &["analyse", &path],
    ] {
        let error = text(&output(arguments).stderr);
        assert!(error.contains("none"), "{arguments:?}: {error}");
        assert!(!error.contains("FEN"), "{arguments:?}: {error}");
    }
    let path = folder.write("mates.epd", format!("{FEN}\n"));
    let relative = "./././././././mates.epd";
    let mut command = tabiya(&["analyse", relative, "--depth", "1"]);
    let output = command.current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{path}: {output:?}");
}

#[cfg(unix)]
#[test]
fn the_path_of_the_command_is_not_a_fen() {
    let folder = Folder::new("arguments-program");
    let link = folder.path("tabiya");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tabiya"), link).unwrap();
    // Seven slashes, like a FEN.
    let program = "./././././././tabiya";
    let mut command = std::process::Command::new(program);
    let command = command.args(["why", "e2e4"]).current_dir(folder.path(""));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
