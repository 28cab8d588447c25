//! `tabiya analyse` on files of games.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::folder::Folder;
use crate::{check_closed_output, error_message, fed, json, output, printed, tabiya, text};

/// Black takes a pawn and hangs the queen; White does not take it.
const BLUNDERS: &str = "[White \"Anna\"]\n[Black \"Bob & Co\"]\n[Result \"*\"]\n\n\
    1. e4 {[%clk 0:05:00] good} e5 2. Nf3 Qf6 3. Nc3 Qxf3 4. d3 {[%eval 0.1]} Qf6 (4... Qg4 5. Qxg4) *\n";
/// An illegal king move.
const BROKEN: &str = "[White \"Kim\"]\n\n1. e4 e5 2. Ke3 *\n";
const SHORT: &str = "[White \"Eve\"]\n[Black \"Dan\"]\n\n1. d4 d5 1/2-1/2\n";

fn in_one_line(text: &str) -> String {
    text.replace('\n', " ")
}

#[test]
fn annotated() {
    let folder = Folder::new("analyse-annotated");
    let file = folder.write("games.pgn", BLUNDERS);
    let games = printed(&["analyse", &file, "--depth", "7"]);
    let line = in_one_line(&games);
    // One evaluation per move; the old one is gone.
    assert_eq!(line.matches("[%eval ").count(), 8, "{games}");
    assert!(line.contains("] [%clk 0:05:00] good }"), "{games}");
    assert!(line.contains("3... Qxf3 $4 { [%eval "), "{games}");
    assert!(
        line.contains(") Blunder: loses the queen for a minor piece. "),
        "{games}"
    );
    assert!(line.contains(" was best. } (3... "), "{games}");
    assert!(line.contains("4. d3 $4 {"), "{games}");
    assert!(line.contains("xf3 was best. } (4. "), "{games}");
    assert!(line.contains("(4... Qg4 5. Qxg4)"), "{games}");
    assert!(games.contains("[WhiteAccuracy \""), "{games}");
    // The result is still a game, and analysing it again changes nothing.
    let again = folder.write("again.pgn", &games);
    let checked = printed(&["pgn", "check", &again]);
    assert!(checked.contains("1 game"), "{checked}");
    assert_eq!(printed(&["analyse", &again, "--depth", "7"]), games);
}

#[test]
fn a_file_and_a_report() {
    let folder = Folder::new("analyse-report");
    let file = folder.write("games.pgn", BLUNDERS);
    let (out, svg) = (folder.path("out.pgn"), folder.path("graph.svg"));
    let arguments = ["analyse", &file, "--depth", "7", "-o", &out, "--svg", &svg];
    let report = printed(&arguments);
    assert!(
        report.starts_with("Game 1: Anna – Bob & Co, *\n"),
        "{report}"
    );
    for row in [
        "100 % ",
        "  0 % ",
        "Accuracy",
        "Blunders ",
        "Centipawn loss",
    ] {
        assert!(report.contains(row), "{report}");
    }
    assert!(report.contains("X blunder"), "{report}");
    assert!(report.contains("\n3... Qxf3?? ("), "{report}");
    assert!(
        report.contains(") Blunder: loses the queen for a minor piece. Best: 3... "),
        "{report}"
    );
    assert!(report.is_ascii() || report.contains('→'), "{report}");
    assert!(!report.contains('\u{1b}'), "{report}");
    assert!(folder.read("out.pgn").contains("[%eval "));
    let svg = folder.read("graph.svg");
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    assert!(svg.contains("Anna – Bob &amp; Co"), "{svg}");
    assert_eq!(folder.names(), ["games.pgn", "graph.svg", "out.pgn"]);

    let painted = [&arguments[..], &["--force", "--color", "always"]].concat();
    let painted = text(&output(&painted).stdout);
    assert!(
        painted.contains('█') && painted.contains("\u{1b}[48;5;59m"),
        "{painted}"
    );
}

#[test]
fn several_games_and_a_broken_one() {
    let folder = Folder::new("analyse-several");
    let file = folder.write("games.pgn", format!("{BLUNDERS}\n{BROKEN}\n{SHORT}"));
    let (out, svg) = (folder.path("out.pgn"), folder.path("g.svg"));
    let output = output(&["analyse", &file, "--depth", "4", "-o", &out, "--svg", &svg]);
    assert_eq!(output.status.code(), Some(1));
    let error_message = text(&output.stderr);
    assert!(
        error_message.starts_with(&format!("{file}:9:13: 2. Ke3: ")),
        "{error_message}"
    );
    assert!(
        error_message.contains("game 2 is copied unchanged"),
        "{error_message}"
    );
    assert_eq!(error_message.lines().count(), 1, "{error_message}");
    let report = text(&output.stdout);
    assert!(
        report.contains("Game 1: ") && report.contains("Game 3: Eve – Dan"),
        "{report}"
    );
    assert!(!report.contains("Game 2"), "{report}");
    assert_eq!(
        folder.names(),
        ["g-1.svg", "g-3.svg", "games.pgn", "out.pgn"]
    );
    let games = folder.read("out.pgn");
    assert!(
        games.contains("\n[White \"Kim\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"?\"]\n")
            && games.contains("\n[White \"Eve\"]\n"),
        "{games}"
    );

    // One game only.
    let one = printed(&["analyse", &file, "--game", "3", "--depth", "3"]);
    assert!(
        one.contains("\n[White \"Eve\"]\n") && !one.contains("Anna"),
        "{one}"
    );
    let one = printed(&[
        "analyse", &file, "--game", "3", "--depth", "3", "--force", "-o", &out, "--svg", &svg,
    ]);
    assert!(one.starts_with("Game 3: "), "{one}");
    assert!(folder.names().contains(&"g.svg".to_owned()));
}

#[test]
fn as_json() {
    let folder = Folder::new("analyse-json");
    let file = folder.write("games.pgn", BLUNDERS);
    let found = json(&["analyse", &file, "--depth", "7", "--json"]);
    assert_eq!(found["players"]["white"], "Anna");
    assert_eq!(found["black"]["blunders"], 1);
    assert_eq!(found["white"]["blunders"], 1);
    let accuracy = found["black"]["accuracy"].as_f64().unwrap();
    assert!((0.0..80.0).contains(&accuracy), "{found}");
    assert_eq!(found["start"]["fen"], crate::START);
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    let blunder = &moves[5];
    assert_eq!(blunder["san"], "Qxf3");
    assert_eq!(blunder["uci"], "f6f3");
    assert_eq!(
        (&blunder["number"], &blunder["color"]),
        (&3.into(), &"black".into())
    );
    assert_eq!(blunder["judgement"], "blunder");
    assert!(blunder["comment"].as_str().unwrap().ends_with(" was best."));
    assert!(blunder["eval"]["cp"].as_i64().unwrap() > 300, "{found}");
    assert_eq!(moves[0]["judgement"], Value::Null);

    // One object per line, and the games in the output file.
    let file = folder.write("games.pgn", format!("{SHORT}\n{SHORT}"));
    let out = folder.path("out.pgn");
    let found = printed(&["analyse", &file, "--depth", "2", "--json", "-o", &out]);
    let numbers: Vec<Value> = found
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("it is JSON")["game"].clone())
        .collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(folder.read("out.pgn").matches("[White \"Eve\"]").count(), 2);
}

#[test]
fn a_place_in_a_game() {
    let folder = Folder::new("analyse-ply");
    let file = folder.write("games.pgn", format!("{SHORT}\n{BLUNDERS}"));
    let table = printed(&[
        "analyse", &file, "--ply", "1", "--depth", "3", "--lines", "2",
    ]);
    assert!(table.starts_with("Black to move: "), "{table}");
    assert!(table.contains("  1... "), "{table}");
    let found = json(&[
        "analyse", &file, "--game", "2", "--ply", "6", "--depth", "5", "--json",
    ]);
    assert!(
        found["lines"][0]["eval"]["cp"].as_i64().unwrap() > 300,
        "{found}"
    );
    let start = json(&["analyse", &file, "--ply", "0", "--depth", "2", "--json"]);
    assert_eq!(start["fen"], crate::START);
    let error_message = error_message(&["analyse", &file, "--ply", "3"]);
    assert!(
        error_message.contains("game 1 has only 2 half-moves, not 3"),
        "{error_message}"
    );
}

#[test]
fn games_are_read_from_files_and_standard_input() {
    let folder = Folder::new("analyse-input");
    let packed = zstd::encode_all(SHORT.as_bytes(), 1).unwrap();
    let file = folder.write("games.pgn.zst", packed);
    let games = printed(&["analyse", &file, "--depth", "2"]);
    let piped = fed(&["analyse", "-", "--depth", "2"], SHORT.as_bytes());
    assert_eq!(text(&piped.stdout), games);
    // Without tags, in another language, recognised by content.
    let german = folder.write("partie.txt", "\n\n1. e4 e5 2. Sf3 Sc6 *");
    let games = printed(&["analyse", &german, "--depth", "2", "--letters", "de"]);
    assert!(in_one_line(&games).contains("2. Nf3 { [%eval"), "{games}");
    // Another starting position, an incomplete move, and no result.
    for (games, wanted) in [
        (
            "[FEN \"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\"]\n\n1. Rd8# 1-0",
            "1. Rd8# 1-0",
        ),
        ("1. e4", "1. e4 { [%eval "),
        ("[Event \"nothing\"]\n\n*", "*"),
    ] {
        let output = fed(&["analyse", "-", "--depth", "2"], games.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = text(&output.stdout);
        assert!(text.contains(wanted), "{text}");
    }
}

/// A truncated compressed file: the complete games are kept.
#[test]
fn truncated_files_are_analysed_to_their_end() {
    let folder = Folder::new("analyse-truncated");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for number in 0..500 {
        write!(packer, "[Event \"{number}\"]\n\n*\n\n").unwrap();
    }
    let mut packed = packer.finish().unwrap();
    packed.truncate(packed.len() / 2);
    let file = folder.write("games.pgn.gz", packed);
    let out = folder.path("out.pgn");
    let output = output(&["analyse", &file, "--depth", "1", "--hash", "1", "-o", &out]);
    let error_message = text(&output.stderr);
    assert!(
        error_message.contains("the compressed data is incomplete"),
        "{error_message}"
    );
    assert_eq!(output.status.code(), Some(2));
    let games = folder.read("out.pgn");
    assert!(games.starts_with("[Event \"0\"]"), "{games}");
    assert!(
        games.contains("[Event \"100\"]") && !games.contains("[Event \"499\"]"),
        "{games}"
    );
}

#[test]
fn bad_arguments_are_errors() {
    let folder = Folder::new("analyse-mistakes");
    let games = folder.write("games.pgn", SHORT);
    let broken = folder.write("broken.pgn", BROKEN);
    let empty = folder.write("empty.pgn", "");
    let uci = folder.write("games.uci", "e2e4 e7e5\n");
    for (arguments, wanted) in [
        (&["analyse", &empty][..], "contains no games"),
        (&["analyse", &games, "--game", "2"], "has no game 2"),
        (&["analyse", &games, "--lines", "2"], "--ply"),
        (&["analyse", &broken, "--ply", "1"], "2. Ke3: "),
        (&["analyse", &uci], "tabiya convert"),
        (&["analyse", &games, "--svg", "-"], "needs a file name"),
        (
            &["analyse", &games, "--svg", "/no/such/graph.svg"],
            "cannot write",
        ),
        (
            &[
                "analyse",
                &games,
                "-o",
                "/no/such/place.pgn",
                "--depth",
                "2",
            ],
            "cannot write",
        ),
        (
            &["analyse", &games, "-o", "x.pgn.gz", "--depth", "2"],
            "never compressed",
        ),
    ] {
        let error_message = error_message(arguments);
        assert!(
            error_message.contains(wanted),
            "{arguments:?}: {error_message}"
        );
    }
}

#[test]
fn a_closed_output_is_not_an_error() {
    let folder = Folder::new("analyse-pipe");
    let file = folder.write("games.pgn", format!("{SHORT}\n").repeat(3));
    for arguments in [
        &["analyse", "--depth", "3"][..],
        &["analyse", &file, "--depth", "2"],
        &["analyse", &file, "--depth", "2", "--json"],
    ] {
        check_closed_output(arguments);
    }
}

/// The games are written even if nothing reads the report.
#[test]
fn a_closed_output_does_not_stop_the_games() {
    let folder = Folder::new("analyse-unread");
    let file = folder.write("games.pgn", format!("{SHORT}\n").repeat(3));
    let positions = folder.write("positions.epd", format!("{}\n", crate::START).repeat(3));
    for (input, options) in [
        (&file, &[][..]),
        (&file, &["--json"]),
        (&positions, &[]),
        (&positions, &["--json"]),
    ] {
        let out = folder.path("out");
        let arguments = ["analyse", input, "--depth", "2", "-o", &out];
        check_closed_output(&[&arguments, options].concat());
        let written = folder.read("out");
        let count = written.matches("[White ").count() + written.matches("; pv ").count();
        assert_eq!(count, 3, "{input} {options:?}: {written}");
        std::fs::remove_file(out).unwrap();
    }
}

/// An existing file is replaced by force only.
#[test]
fn existing_files() {
    let folder = Folder::new("analyse-existing");
    let file = folder.write("games.pgn", SHORT);
    let old = folder.write("old", "precious");
    for option in ["-o", "--svg"] {
        let arguments = ["analyse", &file, "--depth", "1", option, &old];
        let output = output(&arguments);
        assert_eq!(output.status.code(), Some(2));
        let told = text(&output.stderr);
        assert!(told.contains("old exists"), "{told}");
        assert!(told.contains("--force"), "{told}");
        assert_eq!(folder.read("old"), "precious");
    }
    printed(&["analyse", &file, "--depth", "1", "-o", &old, "--force"]);
    assert!(folder.read("old").contains("%eval"));
}

/// Ctrl+C keeps the analysed games, and copies the rest.
#[cfg(unix)]
#[test]
fn interrupted() {
    use std::io::{BufRead, BufReader};

    use rustix::process::{Pid, Signal, kill_process};

    let folder = Folder::new("analyse-interrupted");
    // A finished position takes no time; the other games take minutes.
    let over = "[White \"Zoe\"]\n[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\"]\n\n1/2-1/2\n";
    let file = folder.write("games.pgn", format!("{over}\n{BLUNDERS}\n{SHORT}"));
    // Also if the output replaces the input.
    let mut child = tabiya(&["analyse", &file, "--time", "60", "-o", &file, "--force"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut report = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    report.read_line(&mut line).unwrap();
    assert!(line.starts_with("Game 1: Zoe"), "{line}");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = text(&output.stderr);
    assert!(
        told.starts_with("interrupted: game 2 and the games after it"),
        "{told}"
    );
    assert_eq!(folder.names(), ["games.pgn"]);
    let games = folder.read("games.pgn");
    assert!(games.contains("[Annotator \"Tabiya "), "{games}");
    assert!(games.contains(BLUNDERS.trim_end()), "{games}");
    assert!(games.ends_with(&format!("{SHORT}\n")), "{games}");
}

/// The second Ctrl+C ends the program at once.
#[cfg(unix)]
#[test]
fn interrupted_twice() {
    use std::os::unix::process::ExitStatusExt;

    use rustix::process::{Pid, Signal, kill_process};

    let folder = Folder::new("analyse-interrupted-twice");
    let out = folder.path("out.pgn");
    // Standard input without an end: the rest cannot be copied.
    let mut child = tabiya(&["analyse", "-", "--time", "60", "-o", &out])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let long = format!("[Event \"?\"]\n{SHORT}\n").repeat(100_000);
    let feeding = std::thread::spawn(move || {
        // Fails when the program ends.
        let _ = stdin.write_all(long.as_bytes());
        stdin
    });
    let pid = Pid::from_child(&child);
    let start = std::time::Instant::now();
    let status = loop {
        // If the handler is not installed yet, the first signal ends the program.
        let _ = kill_process(pid, Signal::INT);
        std::thread::sleep(std::time::Duration::from_millis(200));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed().as_secs() < 120, "it does not end");
    };
    assert!(
        status.signal() == Some(2) || status.code() == Some(130),
        "{status}"
    );
    drop(feeding.join());
    assert!(!folder.names().iter().any(|name| name.starts_with('.')));
}
