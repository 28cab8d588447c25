//! `tabiya match`.

#[cfg(unix)]
mod games;
#[cfg(unix)]
mod interrupted;

use crate::error_message;
use crate::folder::Folder;

#[test]
fn a_match_needs_engines() {
    let error = error_message(&["match", "no-such-engine", "no-such-engine", "--games", "2"]);
    assert!(
        error.contains("the engine no-such-engine cannot be started"),
        "{error}"
    );
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_tabiya"));
    let error = error_message(&["match", &engine, &engine, "--clock", "quickly"]);
    assert!(error.contains("10s+0.1"), "{error}");
    let error = error_message(&["match", &engine, &format!("{engine} Hush=1")]);
    assert!(
        error.contains("the engine has no option \"Hush\""),
        "{error}"
    );
    let error = error_message(&["match", &engine, &engine, "--sprt", "5,0"]);
    assert!(error.contains("the smaller one first"), "{error}");
    let error = error_message(&["match", &engine, &engine, "--draw", "score"]);
    assert!(error.contains("score=8,moves=8,from=40"), "{error}");
    let error = error_message(&["match", &engine, &engine, "--pgn", "games.pgn.zst"]);
    assert!(error.contains("games.pgn.zst"), "{error}");
}

#[test]
fn bad_openings_are_errors() {
    let folder = Folder::new("match-openings");
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_tabiya"));
    let with = |openings: &str| error_message(&["match", &engine, &engine, "--openings", openings]);
    assert!(with("nowhere.epd").contains("cannot read nowhere.epd"));
    let broken = folder.write("broken.epd", "\n8/8 w - -\n");
    let error = with(&broken);
    assert!(error.contains("broken.epd: line 2: "), "{error}");
    let over = folder.write("over.pgn", "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    assert!(with(&over).contains("over.pgn: line 3: the game is already over"));
    let one = folder.write("one.pgn", "1. e4 *\n");
    let error = error_message(&[
        "match",
        &engine,
        &engine,
        "--openings",
        &one,
        "--first-opening",
        "2",
    ]);
    assert!(
        error.contains("one.pgn has 1 openings: --first-opening 2 is too large"),
        "{error}"
    );
}
