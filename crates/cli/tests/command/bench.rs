//! `tabiya bench` and `tabiya match`.

use crate::folder::Folder;
use crate::{complaint, printed};

#[test]
fn bench_counts_the_same_each_time() {
    let nodes = || {
        let printed = printed(&["bench", "--depth", "4"]);
        printed.lines().next().unwrap().to_owned()
    };
    let first = nodes();
    assert!(first.starts_with("nodes: "), "{first}");
    assert_eq!(first, nodes());
}

#[test]
fn bench_solves_problems() {
    let folder = Folder::new("bench");
    let path = folder.write(
        "problems.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";\n\n6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8#;\n",
    );
    let printed = printed(&["bench", "--depth", "3", "--epd", &path]);
    assert_eq!(printed, "line 3: Rd8#\nsolved: 1 of 2\n");
    let path = folder.write("wrong.epd", "6k1/5ppp/8/8/8/8/8/K2R4 w - - id \"x\";\n");
    assert!(complaint(&["bench", "--epd", &path]).contains("wrong.epd:1: there is neither"));
    assert!(complaint(&["bench", "--epd", "nowhere.epd"]).contains("cannot read nowhere.epd"));
}

#[test]
fn two_engines_play_a_match() {
    let folder = Folder::new("match");
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_tabiya"));
    let games = folder.path("games.pgn");
    let openings = folder.write(
        "openings.epd",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - id \"mate in one\";\n",
    );
    let printed = printed(&[
        "match",
        &engine,
        &engine,
        "--games",
        "2",
        "--pace",
        "depth=2",
        "--openings",
        &openings,
        "--pgn",
        &games,
    ]);
    assert!(
        printed.starts_with("2 games: 1 won, 0 drawn, 1 lost; Elo "),
        "{printed}"
    );
    let record = folder.read("games.pgn");
    assert_eq!(record.matches("1. Rd8#").count(), 2, "{record}");
    assert_eq!(record.matches("[Result \"1-0\"]").count(), 2, "{record}");
}

#[test]
fn a_match_needs_engines() {
    let error = complaint(&["match", "no-such-engine", "no-such-engine", "--games", "2"]);
    assert!(
        error.contains("the engine no-such-engine cannot be started"),
        "{error}"
    );
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_tabiya"));
    let error = complaint(&["match", &engine, &engine, "--pace", "quickly"]);
    assert!(error.contains("60+0.6"), "{error}");
    let silent = complaint(&["match", "true", "true"]);
    assert!(silent.contains("the engine has ended"), "{silent}");
}
