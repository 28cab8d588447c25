//! `tabiya classic chessmaster`.

use std::fs::File;

use super::check_examples;
use crate::folder::Folder;
use crate::{fed, tabiya, text};

const COMMAND: [&str; 2] = ["classic", "chessmaster"];

#[test]
fn squares_in_one_line() {
    for (input, squares) in [
        ("R d 4", "a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4\n"),
        ("N c 5", "a4 a6 b3 b7 d3 d7 e4 e6\n"),
        ("B e 4", "a8 b1 b7 c2 c6 d3 d5 f3 f5 g2 g6 h1 h7\n"),
        (
            "Q b 3",
            "a2 a3 a4 b1 b2 b4 b5 b6 b7 b8 c2 c3 c4 d1 d3 d5 e3 e6 f3 f7 g3 g8 h3\n",
        ),
        ("K f 6", "e5 e6 e7 f5 f7 g5 g6 g7\n"),
        ("Ph2", "h3 h4\n"),
        ("P\nh\n1\n", "h2\n"),
        ("Ph8", "\n"),
        ("Ph2\nRd4\n", "h3 h4\n"),
    ] {
        let output = fed(&COMMAND, input.as_bytes());
        assert_eq!(text(&output.stdout), squares, "{input:?}");
        assert_eq!(text(&output.stderr), "", "{input:?}");
        assert_eq!(output.status.code(), Some(0), "{input:?}");
    }
}

#[test]
fn wrong_input_prints_one_line_and_nothing_else() {
    for (input, line) in [
        ("A c 6", "WRONG PIECE\n"),
        ("C i 7", "WRONG PIECE\n"),
        ("", "WRONG PIECE\n"),
        ("R i 7", "COLUMN OUTSIDE RANGE\n"),
        ("R", "COLUMN OUTSIDE RANGE\n"),
        ("R d 9", "ROW OUTSIDE RANGE\n"),
        ("R d", "ROW OUTSIDE RANGE\n"),
    ] {
        let output = fed(&COMMAND, input.as_bytes());
        assert_eq!(text(&output.stdout), line, "{input:?}");
        assert_eq!(text(&output.stderr), "", "{input:?}");
        assert_eq!(output.status.code(), Some(1), "{input:?}");
    }
}

#[test]
fn input_that_cannot_be_read() {
    // A directory can be opened, but not read.
    let folder = File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let output = tabiya(&COMMAND).stdin(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    assert!(text(&output.stderr).starts_with("error: "));
}

#[cfg(unix)]
#[test]
fn help_examples_work() {
    check_examples("chessmaster", &Folder::new("chessmaster-examples"));
}
