//! Files that have changed since they were written.

use std::fmt::Write;
use std::path::Path;

use tabiya_archive::{Archive, Filter, Table};
use tabiya_board::Board;

use crate::common::{Folder, Random, build_archive, random_games, run, stderr, stdout};

fn archive(folder: &Folder) -> std::path::PathBuf {
    let file = folder.file("games.pgn", random_games(300, 7));
    let path = folder.path("archive");
    build_archive(&path, &[file]);
    path
}

/// Everything that reads an archive, as text, or the error.
fn read_all(path: &Path) -> Result<String, String> {
    let read = || -> Result<String, tabiya_archive::ArchiveError> {
        let archive = Archive::open(path)?;
        let mut text = String::new();
        for board in boards() {
            let explored = archive.explore(&board, &Filter::default())?;
            let _ = write!(text, "{explored:?}");
            let drawn = Filter {
                player: Some("player 1".to_owned()),
                ..Filter::default()
            };
            let _ = write!(text, "{:?}", archive.explore(&board, &drawn)?);
        }
        let found = archive.find(&Filter::default(), None, 10)?;
        for game in archive.games(&found)? {
            text += &game.to_pgn();
        }
        Ok(text)
    };
    read().map_err(|error| error.to_string())
}

fn boards() -> Vec<Board> {
    let mut board = Board::start();
    let mut boards = vec![board];
    for _ in 0..10 {
        let moves = board.legal_moves();
        board.play(moves[0]);
        boards.push(board);
    }
    boards
}

#[test]
fn every_flipped_bit_is_named_and_never_gives_a_wrong_answer() {
    let folder = Folder::new();
    let path = archive(&folder);
    let good = read_all(&path).unwrap();
    let mut random = Random(5);
    let (mut named, mut silent) = (0, 0);
    for table in Table::ALL {
        let name = format!("{}/0000-00000.parquet", table.name());
        let file = path.join(&name);
        let bytes = std::fs::read(&file).unwrap();
        for _ in 0..12 {
            let mut bad = bytes.clone();
            let at = random.below(bad.len());
            bad[at] ^= 1 << random.below(8);
            std::fs::write(&file, &bad).unwrap();
            let check = run(&["check", path.to_str().unwrap()]);
            assert_eq!(check.status.code(), Some(1), "{name} at {at}");
            assert!(
                stdout(&check).contains(&format!("{name} is damaged")),
                "{}",
                stdout(&check)
            );
            match read_all(&path) {
                Ok(answer) => {
                    // What was asked for lies elsewhere.
                    assert!(answer == good, "{name} at {at}");
                    silent += 1;
                }
                Err(error) => {
                    assert!(error.contains(&format!("{name} is damaged")), "{error}");
                    named += 1;
                }
            }
        }
        std::fs::write(&file, &bytes).unwrap();
    }
    assert!(named > 10, "{named} named, {silent} not read");
    assert_eq!(read_all(&path).unwrap(), good);
}

#[test]
fn files_that_are_cut_off_or_missing_are_named() {
    let folder = Folder::new();
    let path = archive(&folder);
    for table in Table::ALL {
        let name = format!("{}/0000-00000.parquet", table.name());
        let file = path.join(&name);
        let bytes = std::fs::read(&file).unwrap();
        for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&file, &bytes[..length]).unwrap();
            let check = run(&["check", path.to_str().unwrap()]);
            assert_eq!(check.status.code(), Some(1));
            assert!(
                stdout(&check).contains("it is cut off"),
                "{}",
                stdout(&check)
            );
            assert!(stdout(&check).contains(&name), "{}", stdout(&check));
        }
        std::fs::remove_file(&file).unwrap();
        let check = run(&["check", path.to_str().unwrap()]);
        assert_eq!(check.status.code(), Some(1));
        assert!(stdout(&check).contains("cannot read"), "{}", stdout(&check));
        std::fs::write(&file, [&bytes[..], b"x"].concat()).unwrap();
        let check = run(&["check", path.to_str().unwrap()]);
        assert!(
            stdout(&check).contains("it is too long"),
            "{}",
            stdout(&check)
        );
        std::fs::write(&file, &bytes).unwrap();
    }
    assert!(run(&["check", path.to_str().unwrap()]).status.success());
}

#[test]
fn damage_to_the_manifest_and_the_checksums_is_found() {
    let folder = Folder::new();
    let path = archive(&folder);
    let mut random = Random(6);
    let manifest = path.join("archive.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    for _ in 0..200 {
        let mut bad = text.clone().into_bytes();
        let at = random.below(bad.len());
        bad[at] ^= 1 << random.below(7);
        std::fs::write(&manifest, &bad).unwrap();
        match Archive::open(&path) {
            // A space in the layout of the text may be another one.
            Ok(archive) => assert_eq!(archive.check(|_| {}).len(), 0, "at {at}"),
            Err(error) => assert!(error.to_string().contains("archive.json"), "{error}"),
        }
    }
    std::fs::write(&manifest, text.replace("\"format\": 1", "\"format\": 2")).unwrap();
    assert!(Archive::open(&path).is_err());
    std::fs::write(&manifest, &text).unwrap();
    for entry in std::fs::read_dir(path.join("checksums")).unwrap() {
        let sums = entry.unwrap().path();
        let bytes = std::fs::read(&sums).unwrap();
        let mut bad = bytes.clone();
        bad[0] ^= 1;
        std::fs::write(&sums, &bad).unwrap();
        let check = run(&["check", path.to_str().unwrap()]);
        assert_eq!(check.status.code(), Some(1));
        assert!(stdout(&check).contains(sums.file_name().unwrap().to_str().unwrap()));
        std::fs::write(&sums, &bytes).unwrap();
    }
}

#[test]
fn folders_without_an_archive_are_explained() {
    let folder = Folder::new();
    let path = folder.path("nothing");
    let output = run(&["info", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("is not an archive: build one with"),
        "{}",
        stderr(&output)
    );
    let file = folder.file("games.pgn", "1. e4 *\n");
    let output = run(&[
        "build",
        file.to_str().unwrap(),
        "-o",
        folder.0.to_str().unwrap(),
    ]);
    assert!(
        stderr(&output).contains("is not empty"),
        "{}",
        stderr(&output)
    );
    let output = run(&["build", "no.pgn", "-o", path.to_str().unwrap()]);
    assert!(
        stderr(&output).contains("cannot read no.pgn: no such file"),
        "{}",
        stderr(&output)
    );
    assert!(!path.exists());
    let output = run(&[
        "build",
        file.to_str().unwrap(),
        "-o",
        path.to_str().unwrap(),
        "--memory",
        "1MB",
    ]);
    assert!(
        stderr(&output).contains("--memory must be at least 128 MB"),
        "{}",
        stderr(&output)
    );
}
