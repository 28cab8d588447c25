//! `tabiya pgn check`.

use std::io::Write;

use super::GAMES;
use crate::folder::Folder;
use crate::{error_message, fed, output, printed, text};

#[test]
fn legal_games_are_counted() {
    let folder = Folder::new("check-legal");
    let games = GAMES.replace("Qxf4", "Qxf3");
    let file = folder.write("games.pgn", games);
    let printed = printed(&["pgn", "check", &file]);
    assert!(
        printed.starts_with("3 games, 27 half-moves, none broken; "),
        "{printed}"
    );
    assert!(printed.ends_with(" games/s\n"), "{printed}");
    assert_eq!(crate::printed(&["pgn", "check", "--quiet", &file]), "");
}

#[test]
fn a_broken_game_is_reported_and_the_next_is_read() {
    let folder = Folder::new("check-broken");
    let file = folder.write("games.pgn", GAMES);
    let output = output(&["pgn", "check", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "");
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    let expected = format!("{file}:17:17: game 2 (Morphy – Allies): 5. Qxf4: ");
    assert!(lines[0].starts_with(&expected), "{printed}");
    assert!(
        lines[1].starts_with("3 games, 26 half-moves, 1 broken; "),
        "{printed}"
    );
    assert_eq!(lines.len(), 2);
}

#[test]
fn unclosed_comments_end_at_the_next_game() {
    for (open, reason) in [
        ("1. e4 { never closed", "never closed"),
        ("1. e4 e5 (1... c5", "never closed"),
        ("1. e4 e5 )", "unexpected ): nothing is open here"),
        ("1. e4 e6 2. hello", "\"hello\" is not a move"),
        ("1. e4 e5 2. Sf3", "the letters are P N B R Q K"),
        ("(1. d4) e4", "a variation must follow the move it replaces"),
    ] {
        let games = format!("[Event \"1\"]\n\n{open}\n\n[Event \"2\"]\n\n1. e5 *\n");
        let output = fed(&["pgn", "check", "-"], games.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{open}");
        let printed = text(&output.stdout);
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            lines[0].starts_with("standard input:3:") && lines[0].contains(reason),
            "{printed}"
        );
        assert!(
            lines[1].starts_with("standard input:7:4: game 2 (? – ?): 1. e5: "),
            "{printed}"
        );
        assert!(lines[2].starts_with("2 games, "), "{printed}");
    }
}

#[test]
fn an_impossible_starting_position() {
    let games = "[Event \"a\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n";
    let output = fed(&["pgn", "check", "-"], games.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(
        printed.starts_with("standard input:2:1: game 1 (? – ?): invalid FEN tag: "),
        "{printed}"
    );
}

#[test]
fn as_json() {
    let folder = Folder::new("check-json");
    let file = folder.write("games.pgn", GAMES);
    let output = output(&["pgn", "check", "--json", "--threads", "2", &file]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["games"], 3);
    assert_eq!(report["moves"], 26);
    assert_eq!(report["broken"], 1);
    assert_eq!(report["threads"], 2);
    let error = &report["errors"][0];
    assert_eq!(error["file"], file);
    assert_eq!(error["line"], 17);
    assert_eq!(error["column"], 17);
    assert_eq!(error["game"], 2);
    assert_eq!(error["white"], "Morphy");
    assert!(error["reason"].as_str().unwrap().starts_with("5. Qxf4: "));
    let none = crate::json(&["pgn", "check", "--json", &folder.write("empty.pgn", "")]);
    assert_eq!(none["games"], 0);
    assert_eq!(none["errors"].as_array().unwrap().len(), 0);
}

#[test]
fn the_letters_of_a_language() {
    let games = b"1. e4 e5 2. Sf3 Sc6 3. Lb5 *";
    assert!(
        fed(&["pgn", "check", "--letters", "de", "-"], games)
            .status
            .success()
    );
    let english = fed(&["pgn", "check", "-"], games);
    assert_eq!(english.status.code(), Some(1));
    let said = text(&english.stdout);
    assert!(
        said.starts_with(
            "standard input:1:13: game 1 (? – ?): 2. Sf3: 'S' is not a piece letter; the letters are P N B R Q K. \
             For a game in cs, da, de, no, pl or sv, use --letters\n"
        ),
        "{said}"
    );
    // No language has a piece with this letter.
    let unknown = fed(&["pgn", "check", "-"], b"1. e4 e5 2. Xf3 *");
    assert!(!text(&unknown.stdout).contains("--letters"));
    let said = error_message(&["pgn", "check", "--letters", "xx", "-"]);
    assert!(said.contains("use one of en, "), "{said}");
}

/// Many batches for several threads: errors still come in the order of the games.
#[test]
fn errors_come_in_the_order_of_the_games() {
    let games: Vec<String> = (0..60_000)
        .map(|number| {
            let mv = if number % 1000 == 500 { "e5" } else { "e4" };
            format!("[Event \"{number}\"]\n[White \"w{number}\"]\n\n1. {mv} *\n\n")
        })
        .collect();
    let games = games.concat();
    let folder = Folder::new("check-order");
    let first = folder.write("first.pgn", &games);
    let second = folder.write("second.pgn", &games);
    let run = |threads: &str| {
        let output = output(&[
            "pgn",
            "check",
            "--quiet",
            "--threads",
            threads,
            &first,
            &second,
        ]);
        assert_eq!(output.status.code(), Some(1));
        text(&output.stdout)
    };
    let one = run("1");
    let lines: Vec<&str> = one.lines().collect();
    assert_eq!(lines.len(), 120);
    assert!(lines[0].starts_with(&format!("{first}:2504:4: game 501 (w500 – ?): 1. e5: ")));
    assert!(lines[119].starts_with(&format!("{second}:297504:4: game 59501 (w59500 – ?): ")));
    for threads in ["2", "7"] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

type Pack = fn(&[u8]) -> Vec<u8>;
const PACKINGS: [(&str, Pack); 3] = [("gz", gzip), ("bz2", bzip2), ("zst", zstd)];

#[test]
fn compressed_files() {
    let folder = Folder::new("check-compressed");
    let games = GAMES.replace("Qxf4", "Qxf3");
    for (end, pack) in PACKINGS {
        // Concatenated compressed files are one file.
        let packed = [pack(games.as_bytes()), pack(games.as_bytes())].concat();
        let file = folder.write(&format!("games.pgn.{end}"), &packed);
        let said = printed(&["pgn", "check", &file]);
        assert!(
            said.starts_with("6 games, 54 half-moves, none"),
            "{end}: {said}"
        );
        let output = fed(&["pgn", "check", "-"], &packed);
        let said = text(&output.stdout);
        assert!(
            said.starts_with("6 games, 54 half-moves, none"),
            "{end}: {said}"
        );
    }
}

#[test]
fn truncated_compressed_files() {
    let folder = Folder::new("check-truncated");
    // Random numbers compress badly, so that there is more than one block.
    let games: Vec<String> = (0..60_000_u64)
        .map(|i| {
            let noise = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 7;
            format!("[Event \"{noise:016x}\"]\n\n1. e4 *\n\n")
        })
        .collect();
    let games = games.concat();
    for (end, pack) in PACKINGS {
        let packed = pack(games.as_bytes());
        let cut = &packed[..packed.len() * 3 / 4];
        let file = folder.write(&format!("games.pgn.{end}"), cut);
        let output = output(&["pgn", "check", &file]);
        assert_eq!(output.status.code(), Some(2), "{end}");
        let said = text(&output.stderr);
        assert!(
            said.starts_with(&format!(
                "error: cannot read {file}: the compressed data is incomplete"
            )),
            "{said}"
        );
        let printed = text(&output.stdout);
        let last = printed.lines().last().unwrap();
        let games: u64 = last.split(' ').next().unwrap().parse().unwrap();
        assert!((1000..60_000).contains(&games), "{end}: {printed}");
    }
    let file = folder.write("text.pgn.gz", "1. e4 *");
    let said = text(&output(&["pgn", "check", &file]).stderr);
    assert!(
        said.starts_with(&format!("error: cannot read {file}: ")),
        "{said}"
    );
}

#[test]
fn missing_files_do_not_hide_the_others() {
    let folder = Folder::new("check-missing");
    let file = folder.write("games.pgn", "1. e4 *");
    let missing = folder.path("missing.pgn");
    let output = output(&["pgn", "check", &missing, &file, &folder.path("")]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.starts_with(&format!("error: cannot read {missing}: no such file\n")),
        "{said}"
    );
    assert!(said.ends_with("it is a directory\n"), "{said}");
    assert!(text(&output.stdout).starts_with("1 game, 1 half-move, none broken"));
    error_message(&["pgn", "check"]);
    error_message(&["pgn", "check", &file, "--threads", "0"]);
}

/// A path with seven slashes is not a FEN.
#[test]
fn deep_paths_are_not_fens() {
    let said = text(&output(&["pgn", "check", "a/b/c/d/e/f/g/h"]).stderr);
    assert!(said.contains("cannot read a/b/c/d/e/f/g/h: "), "{said}");
}
