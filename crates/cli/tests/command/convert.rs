//! `tabiya convert`.

use crate::folder::Folder;
use crate::{START, error_message, fed, output, printed, text};

/// The output of a successful conversion.
#[track_caller]
fn converted(arguments: &[&str], input: &str) -> String {
    let output = fed(&[&["convert"], arguments].concat(), input.as_bytes());
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert!(output.status.success(), "{arguments:?}");
    text(&output.stdout)
}

const PGN: &str = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *

"#;
const SAN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O\n";
const UCI: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1\n";
const END: &str = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4\n";

#[test]
fn games_from_everything_to_everything() {
    for input in [PGN, SAN, UCI] {
        for (to, expected) in [("pgn", PGN), ("san", SAN), ("uci", UCI), ("fen", END)] {
            assert_eq!(converted(&["--to", to], input), expected);
        }
    }
    let several = converted(&["--to", "uci"], "e4 e5\n\n1. d4 d5 1-0\n");
    assert_eq!(several, "e2e4 e7e5\nd2d4 d7d5\n");
    let result = converted(
        &["--to", "san"],
        "[Result \"1-0\"]\n\n1. d4 {good} (1. e4) d5 1-0\n",
    );
    assert_eq!(result, "1. d4 d5 1-0\n");
}

#[test]
fn positions() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 40\n";
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 40;\n";
    assert_eq!(converted(&["--to", "epd"], fen), epd);
    assert_eq!(converted(&["--to", "fen"], epd), fen);
    let with_best = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"a; b\";\n";
    assert_eq!(converted(&["--to", "epd"], with_best), with_best);
    let plain = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    assert_eq!(converted(&["--to", "fen"], with_best), plain);
    let pgn = converted(&["--to", "pgn"], plain);
    assert!(
        pgn.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n*\n"),
        "{pgn}"
    );
}

#[test]
fn games_from_another_start() {
    let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    let san = format!("[FEN \"{fen}\"] 1. e4 Kd7 2. O-O\n");
    let uci = format!("position fen {fen} moves e2e4 e8d7 e1g1\n");
    assert_eq!(converted(&["--fen", fen, "--to", "uci"], "e4 Kd7 O-O"), uci);
    assert_eq!(
        converted(&["--fen", fen, "--to", "san"], "e2e4 e8d7 e1g1"),
        san
    );
    assert_eq!(converted(&["--from", "san", "--to", "uci"], &san), uci);
    assert_eq!(converted(&["--to", "san"], &uci), san);
    // An unquoted FEN is joined.
    let words: Vec<&str> = fen.split(' ').collect();
    let line = [&["--to", "uci", "--fen"], &words[..]].concat();
    assert_eq!(converted(&line, "e4 Kd7 O-O"), uci);
    let black = "4k3/8/8/8/8/8/4P3/4K2R b K - 0 7";
    let line = converted(&["--fen", black, "--to", "san"], "Kd7 e4");
    assert_eq!(line, format!("[FEN \"{black}\"] 7... Kd7 8. e4\n"));
}

#[test]
fn null_moves() {
    assert_eq!(
        converted(&["--to", "uci"], "1. e4 -- 2. d4"),
        "e2e4 0000 d2d4\n"
    );
    assert_eq!(
        converted(&["--to", "san"], "e2e4 0000 d2d4"),
        "1. e4 -- 2. d4\n"
    );
}

#[test]
fn letters_of_other_languages() {
    let german = "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. O-O\n";
    assert_eq!(converted(&["--letters", "de", "--to", "san"], german), SAN);
    assert_eq!(
        converted(&["--to-letters", "de", "--to", "san"], SAN),
        german
    );
    let pgn = converted(&["--to-letters", "de", "--to", "pgn"], SAN);
    assert!(
        pgn.ends_with("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. O-O *\n\n"),
        "{pgn}"
    );
    assert_eq!(converted(&["--letters", "de", "--to", "pgn"], &pgn), PGN);
    // A letter that means another piece in English is not misread.
    let output = fed(
        &["convert", "--letters", "de", "--to", "san"],
        b"1. e4 e5 2. Nf3",
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Nf3: "), "{output:?}");
}

#[test]
fn bad_input_is_skipped_with_a_message() {
    let lines = format!("{START}\n\nnonsense\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    let output = fed(&["convert", "--to", "epd"], lines.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let said = text(&output.stderr);
    assert!(said.starts_with("standard input:3: "), "{said}");
    assert_eq!(said.lines().count(), 1);

    for (from, input, reason) in [
        ("uci", "e2e4 e2e4", ":1: 1... e2e4: "),
        ("uci", "e2e4 e7", ":1: 1... e7: a UCI move is two squares"),
        ("uci", "position fen x", ":1: "),
        ("san", "\n1. e4 e4", ":2: 1... e4: "),
        (
            "san",
            "e4 *\ne4 * d4 *",
            ":2: this line has more than one game",
        ),
        ("pgn", "[Event \"a\"]\n\n1. e4\ne4 *\n", ":4: 1... e4: "),
        (
            "epd",
            "4k3/8/8/8/8/8/8/4K3 w - - id \"a",
            ":1: the quotation mark at character 30 is never closed",
        ),
    ] {
        let output = fed(
            &["convert", "--from", from, "--to", "fen"],
            input.as_bytes(),
        );
        assert_eq!(output.status.code(), Some(1), "{input}");
        let said = text(&output.stderr);
        assert!(
            said.starts_with(&format!("standard input{reason}")),
            "{said}"
        );
    }
}

#[test]
fn the_format_is_found_by_name_or_content() {
    let folder = Folder::new("convert");
    // The content could also be SAN.
    let file = folder.write("games.pgn", "1. e4\ne5 *\n\n1. d4 *\n");
    assert_eq!(
        printed(&["convert", "--to", "uci", &file]),
        "e2e4 e7e5\nd2d4\n"
    );
    let packed = zstd::encode_all(UCI.as_bytes(), 1).unwrap();
    let file = folder.write("games.uci.zst", packed);
    assert_eq!(printed(&["convert", "--to", "san", &file]), SAN);
    let packed = zstd::encode_all(UCI.as_bytes(), 1).unwrap();
    let file = folder.write("cut.uci.zst", &packed[..packed.len() - 4]);
    let said = text(&output(&["convert", "--to", "san", &file]).stderr);
    assert!(said.contains("is incomplete"), "{said}");
}

#[test]
fn impossible_conversions_are_errors() {
    let folder = Folder::new("convert-errors");
    let file = folder.write("positions.fen", START);
    let said = error_message(&["convert", "--to", "san", &file]);
    assert!(said.contains("a position has no moves"), "{said}");
    let said = error_message(&["convert", "--to", "fen", &folder.path("none.pgn")]);
    assert!(said.contains("no such file"), "{said}");
    let said = error_message(&["convert", "--to", "html"]);
    assert!(said.contains("fen, epd, san, uci, pgn"), "{said}");
    let said = error_message(&["convert"]);
    assert!(said.contains("--to"), "{said}");
    let said = error_message(&["convert", "--to", "uci", "--fen", "nonsense"]);
    assert!(said.contains("among the pieces"), "{said}");
    assert_eq!(converted(&["--to", "pgn"], ""), "");
}
