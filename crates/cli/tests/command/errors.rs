//! Errors: one clear sentence, exit code 2, and never a panic.

use std::fs::File;
use std::process::Stdio;

use crate::folder::Folder;
use crate::{KIWIPETE, check_closed_output, error_message, tabiya, text};

#[test]
fn fens_that_cannot_be_read() {
    for (fen, problem) in [
        ("", "the pieces are missing"),
        ("hello", "among the pieces"),
        (
            "rnbqkbnr/pppppppp/8/8/8/7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rank 3 has 7 squares instead of 8 (character 26)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "incomplete FEN: the side to move is missing",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
            "cannot read the side to move: write w or b (character 45)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2",
            "there is more text after the six fields",
        ),
        (
            "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "impossible position: Black has no king",
        ),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "there is a pawn on h1"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "right to castle"),
        (
            "4k3/♞/8/8/8/8/8/4K3 w - - 0 1",
            "unexpected '♞' among the pieces",
        ),
        (
            "4k3/\u{7}\u{1b}[31m/8/8/8/8/8/4K3 w - - 0 1",
            "among the pieces",
        ),
    ] {
        for command in [
            &["board"][..],
            &["moves"],
            &["perft", "1"],
            &["why", "e2e4"],
        ] {
            let error_message = error_message(&[command, &["--fen", fen]].concat());
            assert!(error_message.contains(problem), "{error_message}");
            assert!(
                !error_message.chars().any(|c| c.is_control() && c != '\n'),
                "{error_message:?}"
            );
        }
    }
}

#[test]
fn the_error_in_a_fen_is_marked() {
    let error_message = error_message(&["board", "4k3/8/8/8/8/8/8/4K2x w - - 0 1"]);
    let lines: Vec<&str> = error_message.lines().collect();
    assert_eq!(lines[1], "  4k3/8/8/8/8/8/8/4K2x w - - 0 1");
    assert_eq!(lines[2].find('^'), lines[1].find('x'));
    assert_eq!(lines.len(), 3);
}

#[test]
fn an_unquoted_fen_with_an_error() {
    let words: Vec<&str> = KIWIPETE.split(' ').collect();
    let error_message =
        error_message(&["board", "--fen", words[0], "white", words[2], "-", "0", "1"]);
    assert!(
        error_message.contains("put quotes around the whole FEN"),
        "{error_message}"
    );
}

#[test]
fn unknown_arguments() {
    let said = error_message(&["bord"]);
    assert!(said.contains("'board'"), "{said}");
    let said = error_message(&["perft", "3", "--thread", "2"]);
    assert!(said.contains("'--threads'"), "{said}");
    error_message(&["board", "--color", "pink"]);
    error_message(&["board", "e4"]);
    error_message(&["moves", "e2", "e4"]);
    error_message(&["--nonsense"]);
    error_message(&["board", "--fen", KIWIPETE, "--fen", KIWIPETE]);
    error_message(&["board", "--fen"]);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::new("closed-pipe");
    // More than the threads read ahead.
    let file = folder.write("games.pgn", "[Event \"?\"]\n\n1. e4 *\n\n".repeat(800_000));
    let file = file.as_str();
    for arguments in [
        &[][..],
        &["--help"],
        &["board"],
        &["board", "--json"],
        &["board", "--color", "always"],
        &["moves"],
        &["moves", "--uci"],
        &["why", "e2e4"],
        &["perft", "2", "--divide"],
        &["pgn", "--help"],
        &["pgn", "check", file],
        &["pgn", "check", "--json", file],
        &["pgn", "fix", file],
        &["pgn", "fix", "--threads", "1", file],
        &["pgn", "stats", file],
        &["pgn", "show", file],
        &["convert", "--to", "uci", file],
        &["classic", "chessmoves"],
        &["classic", "chessmaster"],
    ] {
        check_closed_output(arguments);
    }
}

#[test]
fn errors_on_a_closed_pipe_exit_with_2() {
    for arguments in [&["board", "--fen", "nonsense"][..], &["nonsense"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = tabiya(arguments).stderr(writer).status().unwrap();
        assert_eq!(status.code(), Some(2), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let folder = Folder::new("full-disk");
    let file = folder.write("games.pgn", "1. e4 *");
    for arguments in [
        &["board"][..],
        &["pgn", "check", &file],
        &["pgn", "fix", &file],
        &["convert", "--to", "uci", &file],
    ] {
        let output = tabiya(arguments)
            .stdout(full.try_clone().unwrap())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error_message = text(&output.stderr);
        assert!(error_message.starts_with("error: "), "{error_message}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    for command in [
        &["board"][..],
        &["moves"],
        &["why"],
        &["perft"],
        &["pgn", "check"],
        &["pgn", "show"],
        &["convert", "--to", "fen"],
    ] {
        let output = tabiya(command)
            .arg(OsStr::from_bytes(b"\xff/\xfe/3/3/3/3/3/3"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(!text(&output.stderr).contains("panicked"));
    }
}

/// Runs the program in a shell with a limit on the size of files or on memory, in kilobytes.
#[cfg(target_os = "linux")]
fn limited(limit: &str, command: &str) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_tabiya");
    let script = format!("ulimit {limit} && \"$0\" {command}");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script, program]).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = Folder::new("file-limit");
    let game = format!("{}*\n", "1. e4 {a comment} e5 ".repeat(5_000));
    let file = folder.write("games.pgn", game.repeat(5));
    let out = folder.path("out.pgn");
    let command = format!("pgn fix '{file}' -o '{out}'");
    let output = limited("-f 20", &command);
    assert_eq!(output.status.code(), Some(2), "{:?}", output.status);
    let said = text(&output.stderr);
    assert!(said.contains("File too large"), "{said}");
}

/// A search goes on with what memory and threads there are, and says so.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_with_little_memory_still_moves() {
    let commands = "setoption name Hash value 4096\nsetoption name Threads value 1000\n\
                    position startpos\ngo depth 4\n";
    let folder = Folder::new("little-memory");
    let input = folder.write("commands.txt", commands);
    let output = limited("-v 400000", &format!("uci < '{input}'"));
    let said = text(&output.stdout);
    assert!(output.status.success(), "{:?}: {said}", output.status);
    assert!(
        said.contains("info string not enough memory for a hash table of 4096 MB"),
        "{said}"
    );
    assert!(said.contains("bestmove "), "{said}");
    assert!(text(&output.stderr).is_empty(), "{}", text(&output.stderr));
}

/// Opening a pipe waits for somebody who writes to it.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_networks_or_settings() {
    let folder = Folder::new("pipes");
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for path in [pipe.as_str(), "/dev/zero"] {
        let mut uci = tabiya(&["uci"]);
        let commands = format!("setoption name EvalFile value {path}\ngo depth 2\n");
        let input = folder.write("commands.txt", commands);
        let output = uci.stdin(File::open(input).unwrap()).output().unwrap();
        let said = text(&output.stdout);
        assert!(said.contains("not a file; nothing has changed"), "{said}");
        assert!(said.contains("bestmove "), "{said}");
    }
    std::fs::create_dir(folder.path("tabiya")).unwrap();
    std::fs::rename(&pipe, folder.path("tabiya/config.toml")).unwrap();
    let output = tabiya(&["config"])
        .env("XDG_CONFIG_HOME", folder.path(""))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("not a file"), "{said}");
}

#[test]
fn a_fen_of_any_length_is_an_error_and_no_more() {
    let fen = format!("8/8/8/8/8/8/8/K1k5{}x - -", " ".repeat(65_536));
    let said = error_message(&["board", &fen]);
    assert!(
        said.len() < 1_000 && said.contains("cannot read the side to move"),
        "{said}"
    );
}
