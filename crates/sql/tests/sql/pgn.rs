//! Files of games, without an archive.

use std::fs;
use std::process::Stdio;

use crate::common::{Folder, answer, ask, league_pgn, sql, text};

const QUERIES: [&str; 4] = [
    "select * from games order by game_id",
    "select * from positions order by key, game_id, ply",
    "select * from explorer order by key, move",
    "select opening(moves, FEN), count(*), avg(ply_count) from games group by 1 order by 2, 1",
];

#[test]
fn a_file_of_games_gives_the_rows_of_an_archive() {
    let folder = Folder::new();
    let plain = fs::read(league_pgn()).unwrap();
    let compressed = folder.path("league.pgn.zst");
    fs::write(&compressed, zstd::encode_all(&plain[..], 3).unwrap()).unwrap();
    let temporary = folder.path("temporary");
    fs::create_dir(&temporary).unwrap();
    for file in [&league_pgn(), &compressed] {
        for query in QUERIES {
            let output = sql(&[file.to_str().unwrap(), query, "--csv"])
                .env("TMPDIR", &temporary)
                .output()
                .unwrap();
            assert_eq!(answer(&output), ask(query, &["--csv"]), "{query}");
        }
    }
    assert_eq!(
        fs::read_dir(&temporary).unwrap().count(),
        0,
        "a temporary archive is left"
    );
}

#[test]
fn broken_games_are_counted_and_kept() {
    let folder = Folder::new();
    let games = "1. e4 e5 1-0\n\n1. e4 e6 2. Ke3 0-1\n\n1. d4 *\n";
    let file = folder.file("games.pgn", games);
    let query = "select game_id, ply_count, error is not null as broken from games order by 1";
    let output = sql(&[file.to_str().unwrap(), query, "--csv"])
        .output()
        .unwrap();
    assert_eq!(
        answer(&output),
        "game_id,ply_count,broken\n0,2,false\n1,2,true\n2,1,false\n"
    );
    assert!(
        text(&output.stderr).contains("1 game could not be read to its end"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_file_without_games_has_no_rows() {
    let folder = Folder::new();
    let file = folder.file("games.pgn", "");
    for table in [
        "games",
        "positions",
        "explorer",
        "duplicates",
        "player_games('x')",
    ] {
        let query = format!("select count(*) as n from {table}");
        let output = sql(&[file.to_str().unwrap(), &query, "--csv"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(answer(&output), "n\n0\n", "{table}");
    }
}
