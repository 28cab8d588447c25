//! Builds that are killed and go on.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{Folder, Random, command, files, random_games, run, stderr, stdout};

/// Few games for many files: each file of games is a chunk, runs are merged early, and keys are split.
fn small_pieces(arguments: &[&str]) -> Command {
    let mut command = command();
    command
        .args(arguments)
        .args(["--memory", "128MB", "--threads", "2"])
        .env("TABIYA_ARCHIVE_CHUNK", "1")
        .env("TABIYA_ARCHIVE_RUNS", "3")
        .env("TABIYA_ARCHIVE_FILE_ROWS", "700");
    command
}

fn inputs(folder: &Folder) -> Vec<PathBuf> {
    (0..6)
        .map(|number| {
            let mut text = random_games(25, 100 + number);
            text += "[Event \"Broken\"]\n\n1. e4 e5 2. Ke3 *\n\n";
            if number == 3 {
                // Games that are there already; the broken one is the same in all files.
                text += &random_games(10, 100);
            }
            if number % 2 == 0 {
                return folder.file(&format!("{number}.pgn"), text);
            }
            let compressed = zstd::encode_all(text.as_bytes(), 1).unwrap();
            folder.file(&format!("{number}.pgn.zst"), compressed)
        })
        .collect()
}

/// Runs a command until it succeeds; it is killed at points that the seed chooses. Returns the number of times that it
/// was killed.
fn kill_and_go_on(arguments: &[&str], seed: u64) -> u32 {
    let mut random = Random(seed);
    let mut kills = 0;
    loop {
        let point = 1 + random.below(120);
        let mut command = small_pieces(arguments);
        let output = command
            .env("TABIYA_ARCHIVE_KILL_AT", point.to_string())
            .output();
        let output = output.unwrap();
        if output.status.success() {
            return kills;
        }
        assert_eq!(output.status.code(), None, "{}", stderr(&output));
        kills += 1;
        assert!(kills < 1000, "the build does not get on");
    }
}

fn arguments<'a>(first: &[&'a str], inputs: &'a [PathBuf]) -> Vec<&'a str> {
    let names = inputs.iter().map(|path| path.to_str().unwrap());
    first.iter().copied().chain(names).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn killed_builds_and_additions_go_on_and_give_the_same_files() {
    let folder = Folder::new();
    let inputs = inputs(&folder);
    let (first, second) = inputs.split_at(4);
    let whole = folder.path("whole");
    let built = small_pieces(&arguments(&["build", "-o", text(&whole)], first))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", stderr(&built));
    assert!(
        stdout(&built).contains("13 duplicates; 4 with an error"),
        "{}",
        stdout(&built)
    );
    let after_build = files(&whole);
    let added = small_pieces(&arguments(&["add", text(&whole)], second))
        .output()
        .unwrap();
    assert!(added.status.success(), "{}", stderr(&added));
    let after_addition = files(&whole);
    // Several files of each sorted table, so that being killed between two of them matters.
    let positions = after_build
        .iter()
        .filter(|file| file.0.starts_with("positions"));
    assert!(positions.count() >= 4);

    let mut kills = 0;
    for seed in 0..20 {
        let path = folder.path(&format!("killed-{seed}"));
        kills += kill_and_go_on(&arguments(&["build", "-o", text(&path)], first), seed);
        assert!(files(&path) == after_build, "build, seed {seed}");
        kills += kill_and_go_on(&arguments(&["add", text(&path)], second), 1000 + seed);
        assert!(files(&path) == after_addition, "addition, seed {seed}");
        std::fs::remove_dir_all(&path).unwrap();
    }
    assert!(kills >= 20, "only {kills} builds were killed");
}

#[test]
fn an_unfinished_archive_is_not_taken_for_a_whole_one() {
    let folder = Folder::new();
    let inputs = inputs(&folder);
    let reference = folder.path("whole");
    let built = small_pieces(&arguments(&["build", "-o", text(&reference)], &inputs))
        .output()
        .unwrap();
    assert!(built.status.success());
    let old = run(&["info", text(&reference)]);
    let mut point = 1;
    loop {
        let path = folder.path("killed");
        let mut command = small_pieces(&arguments(&["build", "-o", text(&path)], &inputs));
        let output = command
            .env("TABIYA_ARCHIVE_KILL_AT", point.to_string())
            .output()
            .unwrap();
        if output.status.success() {
            assert!(point > 20, "only {point} points");
            break;
        }
        for command in [&["info"][..], &["check"], &["explore"], &["find"]] {
            let read = run(&[command, &[text(&path)]].concat());
            if read.status.success() {
                // Killed when everything was in its place.
                assert_eq!(stdout(&run(&["info", text(&path)])), stdout(&old));
                assert!(run(&["check", text(&path)]).status.success());
            } else {
                let error = stderr(&read);
                let expected = [
                    "is not finished: its build was interrupted",
                    "is not an archive",
                ];
                assert!(expected.iter().any(|part| error.contains(part)), "{error}");
            }
        }
        std::fs::remove_dir_all(&path).unwrap();
        // All of them would take long.
        point += if point < 10 { 1 } else { 7 };
    }
}

#[test]
fn an_archive_can_be_read_while_games_are_added() {
    let folder = Folder::new();
    let inputs = inputs(&folder);
    let (first, second) = inputs.split_at(4);
    let path = folder.path("archive");
    assert!(
        small_pieces(&arguments(&["build", "-o", text(&path)], first))
            .status()
            .unwrap()
            .success()
    );
    let before = run(&["explore", text(&path), "--json"]);
    let mut command = small_pieces(&arguments(&["add", text(&path)], second));
    assert!(
        !command
            .env("TABIYA_ARCHIVE_KILL_AT", "12")
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(
        stdout(&run(&["explore", text(&path), "--json"])),
        stdout(&before)
    );
    assert!(run(&["check", text(&path)]).status.success());
}

fn refused(output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(output).contains(message), "{}", stderr(output));
}

#[test]
fn an_interrupted_build_goes_on_with_the_same_files_only() {
    let folder = Folder::new();
    let inputs = inputs(&folder);
    let path = folder.path("archive");
    let build = arguments(&["build", "-o", text(&path)], &inputs);
    let mut command = small_pieces(&build);
    assert!(
        !command
            .env("TABIYA_ARCHIVE_KILL_AT", "40")
            .output()
            .unwrap()
            .status
            .success()
    );
    let other = small_pieces(&arguments(&["build", "-o", text(&path)], &inputs[..2]))
        .output()
        .unwrap();
    refused(&other, "is being built from other files");
    refused(
        &small_pieces(&arguments(&["add", text(&path)], &inputs))
            .output()
            .unwrap(),
        "is not finished",
    );

    // The same size, but another content where it was read already.
    let original = std::fs::read(&inputs[0]).unwrap();
    let mut changed = original.clone();
    let at = changed
        .windows(6)
        .position(|window| window == b"Player")
        .unwrap();
    changed[at] = b'p';
    std::fs::write(&inputs[0], &changed).unwrap();
    let output = small_pieces(&build).output().unwrap();
    // The first file may have been finished before; then nothing of it is read again.
    if !output.status.success() {
        refused(&output, "has changed since the build was interrupted");
        std::fs::write(&inputs[0], &original).unwrap();
        assert!(small_pieces(&build).output().unwrap().status.success());
    }
    refused(
        &small_pieces(&build).output().unwrap(),
        "already holds an archive",
    );
}

#[test]
fn what_was_read_already_is_compared_when_a_build_goes_on() {
    let folder = Folder::new();
    // One file of several batches, each a chunk.
    let text_of_games = random_games(5000, 9);
    assert!(text_of_games.len() > 2_500_000, "{}", text_of_games.len());
    let file = folder.file("games.pgn", &text_of_games);
    let path = folder.path("archive");
    let build = ["build", "-o", text(&path), text(&file)];
    let mut command = small_pieces(&build);
    // After the first chunk, before the last.
    assert!(
        !command
            .env("TABIYA_ARCHIVE_KILL_AT", "14")
            .output()
            .unwrap()
            .status
            .success()
    );
    let mut changed = text_of_games.clone().into_bytes();
    let at = changed
        .windows(6)
        .position(|window| window == b"Player")
        .unwrap();
    changed[at] = b'p';
    std::fs::write(&file, &changed).unwrap();
    refused(
        &small_pieces(&build).output().unwrap(),
        "has changed since the build was interrupted",
    );
    std::fs::write(&file, &text_of_games).unwrap();
    let output = small_pieces(&build).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("resumed after"),
        "{}",
        stdout(&output)
    );
    assert!(
        stdout(&output).contains("5,000 games"),
        "{}",
        stdout(&output)
    );
    assert!(run(&["check", text(&path)]).status.success());
}
