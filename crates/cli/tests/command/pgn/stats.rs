//! `tabiya pgn stats`.

use super::GAMES;
use crate::folder::Folder;
use crate::{error_message, fed, json, output, printed, text};

#[test]
fn numbers_and_charts() {
    let folder = Folder::new("stats");
    let file = folder.write("games.pgn", GAMES);
    let printed = printed(&["pgn", "stats", &file]);
    assert!(
        printed.starts_with("3 games, 24 half-moves: 4.0 moves per game\n1 broken: "),
        "{printed}"
    );
    let longest = format!("\nLongest: 5 moves, Anderssen – Kieseritzky, game 1 of {file}\n");
    assert!(printed.contains(&longest), "{printed}");
    let (_, results) = printed.split_once("\nResults\n").unwrap();
    let lines: Vec<&str> = results.lines().collect();
    assert!(lines[0].starts_with("  White wins ####"), "{printed}");
    assert!(lines[0].ends_with("#  66.7 % 2"), "{printed}");
    assert!(lines[1].starts_with("  Black wins     "), "{printed}");
    assert!(lines[2].starts_with("  Draw       ####"), "{printed}");
    assert!(printed.contains("\n  C41 Philidor Defense"), "{printed}");
    assert!(printed.contains("\nYears\n  1851 #"), "{printed}");
    assert!(
        printed
            .lines()
            .all(|line| line.chars().count() <= 80 || line.contains("Longest"))
    );
    assert!(printed.replace('–', "-").is_ascii(), "{printed}");
}

#[test]
fn colour_makes_finer_bars() {
    let folder = Folder::new("stats-colour");
    let file = folder.write("games.pgn", GAMES);
    let printed = printed(&["pgn", "stats", &file, "--color", "always"]);
    assert!(printed.contains('█'), "{printed}");
}

#[test]
fn as_json() {
    let folder = Folder::new("stats-json");
    let file = folder.write("games.pgn", GAMES);
    for threads in ["1", "2"] {
        let stats = json(&["pgn", "stats", "--json", "--threads", threads, &file, &file]);
        assert_eq!(stats["games"], 6);
        assert_eq!(stats["plies"], 48);
        assert_eq!(stats["broken"], 2);
        assert_eq!(stats["results"]["white_wins"], 4);
        assert_eq!(stats["results"]["black_wins"], 0);
        assert_eq!(stats["results"]["draws"], 2);
        assert_eq!(stats["years"]["1858"], 2);
        assert_eq!(stats["longest"]["plies"], 10);
        assert_eq!(stats["longest"]["game"], 1);
        let openings = stats["openings"].as_array().unwrap();
        assert_eq!(openings.len(), 3);
        assert_eq!(openings[0]["games"], 2);
        assert!(openings[0]["eco"].as_str().unwrap().starts_with('C'));
    }
}

#[test]
fn transpositions_are_recognised() {
    let games = b"1. c4 e6 2. Nc3 Nf6 3. d4 Bb4 *\n\n1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *\n";
    let output = fed(&["pgn", "stats", "--json", "-"], games);
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let opening = &stats["openings"][0];
    assert_eq!(opening["name"], "Nimzo-Indian Defense");
    assert_eq!(opening["games"], 2);
    assert_eq!(stats["results"]["unknown"], 2);
}

#[test]
fn the_letters_of_a_language() {
    let games = b"1. e4 e5 2. Sf3 Sc6 3. Lb5 *";
    for (letters, plies) in [("de", 5), ("en", 2)] {
        let output = fed(
            &["pgn", "stats", "--json", "--letters", letters, "-"],
            games,
        );
        let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(stats["plies"], plies, "{letters}");
    }
}

#[test]
fn nothing_to_count() {
    let output = fed(&["pgn", "stats", "-"], b"");
    assert_eq!(
        text(&output.stdout),
        "0 games, 0 half-moves: 0.0 moves per game\n"
    );
    assert!(output.status.success());
}

#[test]
fn incomplete_input_is_counted() {
    let folder = Folder::new("stats-missing");
    let file = folder.write("games.pgn", GAMES);
    let output = output(&["pgn", "stats", &folder.path("missing.pgn"), &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no such file"));
    assert!(text(&output.stdout).starts_with("3 games"));
    error_message(&["pgn", "stats"]);
}
