//! Damaged archives: never a wrong answer.

use std::fs;

use crate::common::{Folder, ask, build_archive, failure, files, league_pgn, sql, text};

const QUERIES: [&str; 4] = [
    "select * from games order by game_id",
    "select * from positions order by key, game_id, ply",
    "select * from explorer order by key, move",
    "select * from duplicates",
];

/// Every file is changed in several places. Each query has the right answer or names the file.
#[test]
fn damaged_files_are_named() {
    let folder = Folder::new();
    let archive = folder.path("archive");
    build_archive(&archive, &[league_pgn()]);
    let name = archive.to_str().unwrap();
    let expected = QUERIES.map(|query| ask(query, &["--csv"]));
    for (short, whole) in files(&archive) {
        let file = archive.join(&short);
        let short = short.to_str().unwrap();
        let mut damages = vec![
            whole[..whole.len() / 2].to_vec(),
            [&whole[..], b"x"].concat(),
        ];
        for at in [0, whole.len() / 3, whole.len() - 1] {
            let mut damage = whole.clone();
            damage[at] ^= 0x10;
            damages.push(damage);
        }
        let mut named = 0;
        for damage in damages {
            fs::write(&file, damage).unwrap();
            for (query, expected) in QUERIES.iter().zip(&expected) {
                let output = sql(&[name, query, "--csv"]).output().unwrap();
                if output.status.success() {
                    assert_eq!(&text(&output.stdout), expected, "{short}: {query}");
                } else {
                    // Rows that were printed before the damage was met are right.
                    assert!(
                        expected.starts_with(&text(&output.stdout)),
                        "{short}: {query}"
                    );
                    let error = text(&output.stderr);
                    assert!(
                        error.contains(short) && error.contains(" is damaged: "),
                        "{short}: {query}: {error}"
                    );
                    assert_eq!(error.lines().count(), 1, "{error}");
                    named += 1;
                }
            }
        }
        assert!(named >= 5, "{short}: {named}");
        fs::remove_file(&file).unwrap();
        let output = sql(&[name, QUERIES[0]]).output().unwrap();
        if !output.status.success() {
            let error = failure(&output);
            assert!(
                error.contains(short) || error.contains("is not an archive"),
                "{error}"
            );
        }
        fs::write(&file, &whole).unwrap();
    }
}

/// A change of a few bytes that is a valid file of another content.
#[test]
fn a_file_of_another_archive_is_not_taken_for_ours() {
    let folder = Folder::new();
    let (archive, other) = (folder.path("archive"), folder.path("other"));
    build_archive(&archive, &[league_pgn()]);
    let text = fs::read_to_string(league_pgn()).unwrap();
    let changed = folder.file("games.pgn", text.replace("Ada", "Eve"));
    build_archive(&other, &[changed]);
    let games = "games/0000-00000.parquet";
    fs::copy(other.join(games), archive.join(games)).unwrap();
    let query = "select count(*) from games where White = 'Eve'";
    let output = sql(&[archive.to_str().unwrap(), query]).output().unwrap();
    assert!(failure(&output).contains(" is damaged: "));
}
