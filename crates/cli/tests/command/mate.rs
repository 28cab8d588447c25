//! `tabiya mate`.

use crate::folder::Folder;
use crate::{check_closed_output, error_message, fed, json, output, printed, text};

const TWO_ROOKS: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
const SMOTHERED: &str = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1";

/// The output and the exit code, with nothing on standard error.
#[track_caller]
fn answer(arguments: &[&str]) -> (String, Option<i32>) {
    let output = output(&[&["mate"], arguments].concat());
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    (text(&output.stdout), output.status.code())
}

#[test]
fn one_position() {
    for (arguments, wanted, code) in [
        (
            &["4", "--fen", SMOTHERED][..],
            "mate in 4: 1. Nf7+ Kg8 2. Nh6+ Kh8 3. Qg8+ Rxg8 4. Nf7#\n",
            0,
        ),
        // The shortest mate, even if more moves are allowed; and a line that starts with Black.
        (
            &[
                "3",
                "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
            ],
            "mate in 1: 2... Qh4#\n",
            0,
        ),
        (&["3", "--fen", SMOTHERED], "no mate in 3\n", 1),
        (&["2"], "no mate in 2\n", 1),
        // Already checkmate.
        (&["2", "R6k/8/6K1/8/8/8/8/8 b - - 0 1"], "no mate in 2\n", 1),
        (
            &["20", "--nodes", "1000"],
            "undecided within 1000 nodes, but no mate in 3\n",
            3,
        ),
        (&["20", "--time", "0"], "undecided within 0 s\n", 3),
        (
            &["20", "--nodes", "0", "--time", "7.5"],
            "undecided within 7.5 s and 0 nodes\n",
            3,
        ),
        // A very long time is allowed.
        (&["2", TWO_ROOKS, "--time", "1e9"], "mate in 2: ", 0),
    ] {
        let (printed, found) = answer(arguments);
        assert!(printed.starts_with(wanted), "{arguments:?}: {printed}");
        assert_eq!(found, Some(code), "{arguments:?}");
    }
}

#[test]
fn as_json() {
    let report = json(&["mate", "5", "--json", "--fen", SMOTHERED]);
    assert_eq!(report["fen"], SMOTHERED);
    assert_eq!(report["moves"], 5);
    assert_eq!(report["verdict"], "mate");
    assert_eq!(report["mate_in"], 4);
    assert_eq!(report["no_mate_in"], 3);
    assert_eq!(report["uci"].as_array().unwrap().len(), 7);
    assert_eq!(report["uci"][0], "g5f7");
    assert!(report["line"].as_str().unwrap().ends_with("4. Nf7#"));
    assert!(report["nodes"].as_u64().unwrap() > 0);

    let (printed, code) = answer(&["2", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&report["verdict"], code), (&"no_mate".into(), Some(1)));
    assert!(report.get("line").is_none() && report.get("mate_in").is_none());
    let (printed, code) = answer(&["9", "--json", "--nodes", "5"]);
    let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&report["verdict"], code), (&"undecided".into(), Some(3)));
}

#[test]
fn a_file() {
    let folder = Folder::new("mate-file");
    let two = TWO_ROOKS.trim_end_matches(" 0 1");
    let four = SMOTHERED.trim_end_matches(" 0 1");
    let file = folder.write(
        "mates.epd",
        format!("# Mates\n{two} dm 2;\r\n\n{four} dm 4; id \"smothered\";\n{TWO_ROOKS}\n"),
    );
    let (printed, code) = answer(&["4", "--epd", &file]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 4, "{printed}");
    assert!(lines[0].starts_with(&format!("{file}:2: mate in 2: 1. ")));
    assert!(lines[1].starts_with(&format!("{file}:4: mate in 4: 1. Nf7+")));
    assert!(lines[2].starts_with(&format!("{file}:5: mate in 2: ")));
    assert!(lines[3].starts_with("3 positions in "), "{printed}");
    assert!(
        lines[3]
            .ends_with(": 3 with mate, 0 without, 0 undecided; 2 agree with the file, 0 disagree"),
        "{printed}"
    );
    assert_eq!(code, Some(0));

    // Fewer moves than the file states: there is no mate, which agrees with it.
    let (printed, code) = answer(&["3", "--epd", &file]);
    assert!(printed.contains(":4: no mate in 3\n"), "{printed}");
    assert!(
        printed.ends_with("2 agree with the file, 0 disagree\n"),
        "{printed}"
    );
    assert_eq!(code, Some(1));

    let (printed, code) = answer(&["4", "--nodes", "1", "--epd", &file]);
    assert!(printed.contains("0 without, 3 undecided"), "{printed}");
    assert_eq!(code, Some(3));

    let (printed, code) = answer(&["4", "--json", "--epd", &file]);
    let entries: Vec<serde_json::Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[1]["line_number"], 4);
    assert_eq!(entries[1]["mate_in"], 4);
    assert_eq!(entries[1]["dm"], 4);
    assert_eq!(entries[1]["agrees"], true);
    assert!(entries[2].get("dm").is_none());
    assert_eq!(code, Some(0));
}

#[test]
fn wrong_distances_in_a_file_are_reported() {
    let two = TWO_ROOKS.trim_end_matches(" 0 1");
    let told = format!("{two} dm 1;\n{two} dm 3;\n");
    let output = fed(&["mate", "3", "--epd", "-"], told.as_bytes());
    let printed = text(&output.stdout);
    assert!(
        printed.contains(", but the file says mate in 1\n"),
        "{printed}"
    );
    assert!(
        printed.contains(", but the file says mate in 3\n"),
        "{printed}"
    );
    assert!(
        printed.ends_with("0 agree with the file, 2 disagree\n"),
        "{printed}"
    );
    assert_eq!(output.status.code(), Some(1));
}

/// The other lines are still proved.
#[test]
fn unreadable_lines_are_reported() {
    let lines = format!("nonsense\n{TWO_ROOKS}\n\u{feff}{TWO_ROOKS}\n");
    let output = fed(&["mate", "2", "--epd", "-"], lines.as_bytes());
    let complaints = text(&output.stderr);
    assert!(
        complaints.starts_with("error: standard input:1: "),
        "{complaints}"
    );
    assert_eq!(complaints.lines().count(), 1, "{complaints}");
    // Files that were joined have byte order marks between their lines.
    assert!(text(&output.stdout).contains("2 with mate"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn bad_arguments_are_errors() {
    let folder = Folder::new("mate-mistakes");
    let empty = folder.write("empty.epd", "\n# nothing\n");
    for (arguments, wanted) in [
        (&["mate"][..], "MOVES"),
        (&["mate", "0"], "use a whole number from 1 to 100"),
        (&["mate", "101"], "use a whole number from 1 to 100"),
        (&["mate", "two"], "use a whole number from 1 to 100"),
        (&["mate", "2", "--time=-1"], "use a number of seconds"),
        (&["mate", "2", "--time", "soon"], "use a number of seconds"),
        (&["mate", "2", "--time", "NaN"], "use a number of seconds"),
        (&["mate", "2", "--nodes", "x"], "--nodes"),
        (&["mate", "2", "--epd", "nowhere.epd"], "no such file"),
        (&["mate", "2", "--epd", &empty], "no position in"),
        (
            &["mate", "2", "--epd", "x", "--fen", TWO_ROOKS],
            "cannot be used with",
        ),
        (&["mate", "2", "--fen", "nonsense"], "nonsense"),
    ] {
        let error_message = error_message(arguments);
        assert!(
            error_message.contains(wanted),
            "{arguments:?}: {error_message}"
        );
    }
}

#[test]
fn closed_output_is_not_an_error() {
    let folder = Folder::new("mate-pipe");
    let file = folder.write("mates.epd", format!("{TWO_ROOKS}\n").repeat(100));
    for arguments in [
        &["mate", "2", TWO_ROOKS][..],
        &["mate", "2", "--epd", &file],
        &["mate", "2", "--json", "--epd", &file],
    ] {
        check_closed_output(arguments);
    }
}

#[test]
fn help() {
    let help = printed(&["mate", "--help"]);
    assert!(help.contains("3 for undecided"), "{help}");
}
