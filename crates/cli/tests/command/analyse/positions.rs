//! `tabiya analyse` on files of positions.

use serde_json::Value;

use crate::folder::Folder;
use crate::{error_message, fed, output, printed, text};

const FILE: &str = "# Two mates and an end\n\
    6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\"; ce 12; acd 3;\n\
    r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - am Qxf7#; dm 1;\n\
    \n\
    7k/5Q2/6K1/8/8/8/8/8 b - - id \"stalemate\";\n";

#[test]
fn lines_get_their_evaluation() {
    let folder = Folder::new("analyse-epd");
    let file = folder.write("positions.epd", FILE);
    let found = printed(&["analyse", &file, "--depth", "4"]);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 5, "{found}");
    assert_eq!((lines[0], lines[3]), ("# Two mates and an end", ""));
    let back_rank = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\"; acd 4; acn ";
    assert!(lines[1].starts_with(back_rank), "{found}");
    assert!(lines[1].ends_with("; ce 32766; pv Rd8#;"), "{found}");
    assert!(lines[2].contains(" am Qxf7#; dm 1; acd 4; "), "{found}");
    assert_eq!(lines[4], "7k/5Q2/6K1/8/8/8/8/8 b - - id \"stalemate\";");
    // Analysing it again changes nothing.
    let again = fed(&["analyse", "-", "--depth", "4"], found.as_bytes());
    assert_eq!(text(&again.stdout), found);
}

#[test]
fn a_file_and_a_report() {
    let folder = Folder::new("analyse-epd-report");
    let file = folder.write("positions.epd", FILE);
    let out = folder.path("out.epd");
    let report = printed(&["analyse", &file, "--depth", "4", "-o", &out]);
    let rows: Vec<&str> = report.lines().collect();
    assert_eq!(rows[0], "back rank: Rd8# #1, found");
    assert_eq!(rows[1], format!("{file}:3: Qxf7# #1, not found: am Qxf7#"));
    assert_eq!(rows[2], "stalemate: draw by stalemate");
    assert!(rows[3].starts_with("3 positions in "), "{report}");
    assert!(
        rows[3].ends_with(" s: best move found in 1 of 2"),
        "{report}"
    );
    assert_eq!(
        folder.read("out.epd"),
        printed(&["analyse", &file, "--depth", "4"])
    );
}

#[test]
fn as_json() {
    let folder = Folder::new("analyse-epd-json");
    let file = folder.write("positions.epd", FILE);
    let found = printed(&["analyse", &file, "--depth", "3", "--json", "--lines", "2"]);
    let found: Vec<Value> = found
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(found.len(), 3);
    assert_eq!(found[0]["line_number"], 2);
    assert_eq!(found[0]["id"], "back rank");
    assert_eq!(found[0]["found"], true);
    assert_eq!(found[0]["lines"][0]["eval"]["mate"], 1);
    assert_eq!(found[0]["lines"].as_array().unwrap().len(), 2);
    assert_eq!(found[1]["found"], false);
    assert_eq!(found[2]["outcome"], "draw by stalemate");
    assert!(found[2].get("found").is_none());
}

/// Positions are recognised by content; lines that cannot be read are named.
#[test]
fn positions_are_recognised_by_content() {
    let lines = format!("{}\nnonsense\n8/8 w - -\n", crate::START);
    let output = fed(&["analyse", "-", "--depth", "2"], lines.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let written = text(&output.stdout);
    assert!(written.ends_with(";\nnonsense\n8/8 w - -\n"), "{written}");
    let complaints = text(&output.stderr);
    assert_eq!(complaints.lines().count(), 2, "{complaints}");
    assert!(
        complaints.starts_with("error: standard input:2: "),
        "{complaints}"
    );
    assert!(
        complaints.contains("error: standard input:3: "),
        "{complaints}"
    );
}

/// Text is decoded as in all commands, and what is not analysed is copied byte for byte.
#[test]
fn lines_that_are_left_alone_keep_their_bytes() {
    let folder = Folder::new("analyse-epd-bytes");
    let alone = b"\xef\xbb\xbf  # \xe9t\xe9\r\n8/8 w - - id \"\xfc\";\r\n";
    let stalemate = b"7k/5Q2/6K1/8/8/8/8/8 b - - id \"M\xfcller\";\n\0\0\n% no line break";
    let latin = folder.write("latin.epd", [&alone[..], stalemate].concat());
    let analysed = output(&["analyse", &latin, "--depth", "1"]);
    let expected = [
        &alone[..],
        "7k/5Q2/6K1/8/8/8/8/8 b - - id \"Müller\";\n".as_bytes(),
        b"\0\0\n% no line break",
    ]
    .concat();
    assert_eq!(
        analysed.stdout.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );
    assert_eq!(analysed.status.code(), Some(2), "one line is wrong");

    let utf16: Vec<u8> = FILE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let windows = folder.write("windows.epd", utf16);
    let remark = format!("{windows} is UTF-16: it is read as UTF-8\n");
    for arguments in [
        &["analyse", &windows, "--depth", "1"][..],
        &["mate", "1", "--epd", &windows],
    ] {
        let read = output(arguments);
        assert_eq!(text(&read.stderr), remark, "{arguments:?}");
        assert!(!read.stdout.is_empty(), "{arguments:?}");
    }
}

/// A line above the limit is reported and copied, and reading goes on.
#[test]
fn lines_above_the_limit_are_copied() {
    let folder = Folder::new("analyse-epd-long");
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - id \"stalemate\";\n";
    let (long, zeros) = ("x".repeat(3_000_000), "\0".repeat(3_000_000));
    let lines = format!("{long}\n{zeros}\n{stalemate}");
    let file = folder.write("long.epd", &lines);
    let analysed = output(&["analyse", &file, "--depth", "1", "--max-game", "2MB"]);
    assert_eq!(
        text(&analysed.stderr),
        format!(
            "error: {file}:1: the line is longer than 2 MB, the limit, which --max-game can raise\n"
        )
    );
    assert!(analysed.stdout == lines.as_bytes(), "all lines are there");
    assert_eq!(analysed.status.code(), Some(2));

    let mates = folder.write(
        "mates.epd",
        format!("{long}\n\u{feff}{}\n", FILE.lines().nth(1).unwrap()),
    );
    let proved = output(&["mate", "1", "--epd", &mates]);
    let complaint = format!("error: {mates}:1: the line is longer than 1 MB\n");
    assert_eq!(text(&proved.stderr), complaint);
    assert!(text(&proved.stdout).starts_with(&format!("{mates}:2: mate in 1: 1. Rd8#")));
}

#[test]
fn bad_arguments_are_errors() {
    let folder = Folder::new("analyse-epd-mistakes");
    let empty = folder.write("empty.epd", "");
    let file = folder.write("positions.epd", FILE);
    for (arguments, wanted) in [
        (&["analyse", &empty][..], "has no positions"),
        (&["analyse", &file, "--game", "1"], "--game works for games"),
        (&["analyse", &file, "--ply", "1"], "--ply works for games"),
        (
            &["analyse", &file, "--svg", "x.svg"],
            "--svg works for games",
        ),
    ] {
        let error_message = error_message(arguments);
        assert!(
            error_message.contains(wanted),
            "{arguments:?}: {error_message}"
        );
    }
    let remarks = folder.write("remarks.epd", "# nothing\n\n");
    let output = output(&["analyse", &remarks]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("has no positions"));
    let wrong = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Qd8;\n";
    let output = fed(&["analyse", "-"], wrong.as_bytes());
    let error_message = text(&output.stderr);
    assert!(
        error_message.starts_with("error: standard input:1: bm Qd8: "),
        "{error_message}"
    );
    assert_eq!(output.status.code(), Some(2));
}
