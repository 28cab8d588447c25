//! `tabiya classic analysis`.

use std::fs::File;
use std::process::{Output, Stdio};

use crate::{error_message, fed, printed, tabiya, text};

fn analysis(game: &[u8]) -> Output {
    fed(&["classic", "analysis"], game)
}

/// The output and the exit code, with nothing on standard error.
#[track_caller]
fn answer(game: &str) -> (String, Option<i32>) {
    let output = analysis(game.as_bytes());
    assert_eq!(text(&output.stderr), "", "{game:?}");
    (text(&output.stdout), output.status.code())
}

#[test]
fn verdicts() {
    for (game, wanted) in [
        ("f3 e5 g4 Qh4\n", "black wins by checkmate\n"),
        ("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7", "white wins by checkmate\n"),
        (
            "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7 Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6\r\n",
            "draw by stalemate\n",
        ),
    ] {
        assert_eq!(answer(game), (wanted.to_owned(), Some(0)), "{game:?}");
    }
}

#[test]
fn errors_in_games() {
    for (game, wanted) in [
        ("e4 d5 i4\n", "parse error at character 'i'\n"),
        ("e4 d5 ed5", "parse error at character 'd'\n"),
        ("e4 d5 exd5a5\r", "parse error at character 'a'\n"),
        ("e4 e5 d5\n", "move completion error: white pawn to d5\n"),
        (
            "e4 d5 exd5 O-O\n",
            "illegal move: black king from e8 to g8\n",
        ),
        ("e4 e\n", "parse error at character '\n'\n"),
        ("e4 e e5\n", "parse error at character ' '\n"),
        ("e4\u{1b}[31m\n", "parse error at character '\u{1b}'\n"),
        ("é\n", "parse error at character 'é'\n"),
    ] {
        assert_eq!(answer(game), (wanted.to_owned(), Some(1)), "{game:?}");
    }
    let output = analysis(b"e4 \xff\n");
    assert_eq!(output.stdout, b"parse error at character '\xff'\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn suggestions() {
    for (game, wanted) in [
        // Mates in one.
        ("f3 e5 g4", "suggest black queen from d8 to h4"),
        ("e4 e5 Bc4 Nc6 Qh5 Nf6", "suggest white queen from h5 to f7"),
        ("e4 e5 Qh5 Ke7", "suggest white queen from h5 to e5"),
    ] {
        let wanted = format!("game incomplete\n{wanted}\n");
        assert_eq!(answer(game), (wanted, Some(0)), "{game}");
    }
    // The suggestion stops Scholar's mate.
    let (printed, _) = answer("e4 e5 Bc4 Nc6 Qh5\n");
    let squares: Vec<&str> = printed.split(' ').collect();
    assert!(
        [["d8", "e7"], ["d8", "f6"], ["g8", "h6"], ["g7", "g6"]]
            .iter()
            .any(|[from, to]| squares.contains(from) && printed.trim_end().ends_with(to)),
        "{printed}"
    );
    let (first, code) = answer("\n");
    assert!(
        first.starts_with("game incomplete\nsuggest white "),
        "{first}"
    );
    assert_eq!(code, Some(0));
    assert_eq!(answer("").0, first);
    assert_eq!(answer("   \r\n").0, first);
}

#[test]
fn a_suggested_promotion_names_the_piece() {
    let (printed, _) = answer("e4 d5 exd5 c6 dxc6 a6 cxb7 h6");
    let promotes = "game incomplete\nsuggest white pawn from b7 to ";
    assert!(printed.starts_with(promotes), "{printed}");
    assert!(printed.ends_with(" promoting to queen\n"), "{printed}");
}

#[test]
fn without_a_suggestion() {
    let output = fed(&["classic", "analysis", "--no-suggest"], b"e4 e5\n");
    assert_eq!(text(&output.stdout), "game incomplete\n");
    assert!(output.status.success());
}

#[test]
fn help_and_bad_arguments() {
    let help = printed(&["classic", "analysis", "--help"]);
    assert!(help.contains("--no-suggest"), "{help}");
    assert!(help.contains("Examples:\n  echo "), "{help}");
    error_message(&["classic", "analysis", "e4"]);
    error_message(&["classic", "analysis", "--suggest"]);
}

#[test]
fn a_closed_output_is_not_an_error() {
    for game in ["e4 e5\n", "nonsense\n"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let folder = crate::folder::Folder::new("analysis-pipe");
        let file = File::open(folder.write("game", game)).unwrap();
        let output = tabiya(&["classic", "analysis"])
            .stdin(file)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(text(&output.stderr), "", "{game}");
        assert!(output.status.success());
    }
}

/// A folder can be opened, but not read.
#[cfg(target_os = "linux")]
#[test]
fn input_that_cannot_be_read() {
    let output = tabiya(&["classic", "analysis"])
        .stdin(File::open("/").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: "));
    assert_eq!(text(&output.stdout), "");
}
