//! `tabiya classic chessmoves`.

use std::io::{Read, Write};
use std::process::Stdio;

use super::check_examples;
use crate::folder::Folder;
use crate::{error_message, fed, output, printed, tabiya, text};

const COMMAND: [&str; 2] = ["classic", "chessmoves"];

const START: &str = "\
========
RNBQKBNR
PPPPPPPP
        
        
        
        
pppppppp
rnbqkbnr
========

";
const KINGS_PAWN: &str = "\
========
RNBQKBNR
PPPPPPPP
        
        
    p   
        
pppp ppp
rnbqkbnr
========

";

#[test]
fn a_game_from_a_file_or_from_standard_input() {
    let folder = Folder::new("chessmoves");
    let boards = format!("{START}{KINGS_PAWN}");
    for game in ["1. e4", "1. e4 1-0\n", "1. Pe4\r\n", "e4 0.5-0.5"] {
        let file = folder.write("game.txt", game);
        assert_eq!(printed(&[&COMMAND[..], &[&file]].concat()), boards);
        for arguments in [&COMMAND[..], &[COMMAND[0], COMMAND[1], "-"]] {
            let output = fed(arguments, game.as_bytes());
            assert_eq!(text(&output.stdout), boards, "{game:?}");
            assert_eq!(text(&output.stderr), "", "{game:?}");
            assert_eq!(output.status.code(), Some(0), "{game:?}");
        }
    }
}

#[test]
fn errors_are_one_line() {
    for (game, boards, reason) in [
        (
            "1. e4 Ke7\n",
            2,
            "line 1: Black's move Ke7 cannot be played: your own pawn is on e7",
        ),
        (
            "1. e4 e5\n\n2. Nf3 Nf6\n3. Qe3 d6\n",
            5,
            "line 4: White's move Qe3 cannot be played: queens move along ranks, files and diagonals",
        ),
        (
            "1. a4 a5\n2. h4 h5\n3. Ra3 Ra6\n4. Rh3",
            7,
            "line 4: White's move Rh3 cannot be played: more than one rook can move to h3, from h1 and a3: say which one",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6\n",
            1,
            "line 1: 2. is one word too many: a line has a move by White, a move by Black and at the end the result",
        ),
    ] {
        let output = fed(&COMMAND, game.as_bytes());
        assert_eq!(text(&output.stderr), format!("error: {reason}\n"), "{game}");
        assert_eq!(text(&output.stdout).lines().count(), 11 * boards, "{game}");
        assert_eq!(output.status.code(), Some(1), "{game}");
    }
}

/// A path with seven slashes is not a FEN.
#[test]
fn deep_paths_are_not_fens() {
    let missing = "b/b/b/b/b/b/b/b";
    let said = error_message(&[&COMMAND[..], &[missing]].concat());
    assert!(said.contains("cannot read b/b/b/b/b/b/b/b"), "{said}");
}

/// Each board is printed before the next move is read.
#[test]
fn boards_are_printed_at_once() {
    let mut child = tabiya(&COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut expect = |boards: &str| {
        let mut bytes = vec![0; boards.len()];
        stdout.read_exact(&mut bytes).unwrap();
        assert_eq!(text(&bytes), boards);
    };
    expect(START);
    stdin.write_all(b"1. e4\n").unwrap();
    expect(KINGS_PAWN);
    stdin.write_all(b"1... zz\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("chessmoves-files");
    let missing = folder.path("missing.txt");
    let said = error_message(&[&COMMAND[..], &[&missing]].concat());
    assert!(said.contains("no such file"), "{said}");
    let said = error_message(&[&COMMAND[..], &[env!("CARGO_MANIFEST_DIR")]].concat());
    assert!(said.contains("it is a directory"), "{said}");
    error_message(&[&COMMAND[..], &["a.txt", "b.txt"]].concat());
    // Endless input is not read to the end.
    #[cfg(target_os = "linux")]
    {
        let output = output(&[&COMMAND[..], &["/dev/zero"]].concat());
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains("longer than 1000 characters"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn help_examples_work() {
    let folder = Folder::new("chessmoves-examples");
    folder.write("game.txt", "1. e4 e5\n2. Nf3 Nc6 *\n");
    check_examples("chessmoves", &folder);
}
