//! How answers are printed.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Folder, answer, ask, failure, league, sql, text};

#[test]
fn tables_have_columns_below_each_other() {
    let query = "select * from (values (1, 'one', null), (200, 'a\u{1b}[31m', 2.5)) as t (number, word, maybe)";
    assert_eq!(
        ask(query, &[]),
        "number  word    maybe\n\
         ──────  ──────  ─────\n     \
              1  one\n   \
            200  a [31m    2.5\n"
    );
}

#[test]
fn csv_quotes_what_needs_it() {
    let query =
        "select * from (values ('a,b', 'say \"x\"'), (null, 'é')) as t (\"first, second\", b)";
    assert_eq!(
        ask(query, &["--csv"]),
        "\"first, second\",b\n\"a,b\",\"say \"\"x\"\"\"\n,é\n"
    );
}

#[test]
fn json_is_an_object_a_line() {
    let query = "select 1 as a, null as b, [1, 2] as c, date '2025-05-01' as d union all select 2, 'x', [], null order by a";
    assert_eq!(
        ask(query, &["--json"]),
        "{\"a\":1,\"b\":null,\"c\":[1,2],\"d\":\"2025-05-01\"}\n{\"a\":2,\"b\":\"x\",\"c\":[],\"d\":null}\n"
    );
}

#[test]
fn empty_answers_have_columns_and_no_rows() {
    let query = "select White, ply_count from games where false";
    assert_eq!(ask(query, &[]), "White  ply_count\n─────  ─────────\n");
    assert_eq!(ask(query, &["--csv"]), "White,ply_count\n");
    assert_eq!(ask(query, &["--json"]), "");
    // What is no query has no columns, either.
    assert_eq!(
        ask(
            "create view v as select 1; select count(*) as n from v",
            &["--csv"]
        ),
        "n\n1\n"
    );
}

#[test]
fn every_column_of_every_table_can_be_printed() {
    for table in ["games", "positions", "explorer", "duplicates"] {
        let query = format!("select * from {table} limit 3");
        for option in ["--csv", "--json"] {
            assert!(ask(&query, &[option]).is_ascii() || table == "games");
        }
        ask(&query, &[]);
    }
    assert!(ask("show tables", &[]).contains("positions"));
    assert!(ask("describe games", &[]).contains("WhiteElo"));
}

#[test]
fn parquet_is_written_whole_or_not_at_all() {
    let folder = Folder::new();
    let file = folder.path("answer.parquet");
    let name = file.to_str().unwrap();
    let query = "select game_id, White, moves from games order by game_id";
    assert_eq!(ask(query, &["--parquet", name]), "");
    let table = format!(
        "create external table t stored as parquet location '{name}'; select * from t order by game_id"
    );
    assert_eq!(ask(&table, &["--csv"]), ask(query, &["--csv"]));

    // A query that fails half-way leaves the file as it was, and nothing beside it.
    let before = std::fs::read(&file).unwrap();
    let bad =
        "select key(case when game_id < 200 then fen_after(moves, 0, FEN) else 'x' end) from games";
    let output = sql(&[league(), bad, "--parquet", name]).output().unwrap();
    assert!(failure(&output).contains("'x' is not a position"));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1);

    let nowhere = folder.path("no/such/folder.parquet");
    let output = sql(&[league(), query, "--parquet", nowhere.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(failure(&output).starts_with("cannot write "));
    let output = sql(&[league(), "select 1; select 2", "--parquet", name])
        .output()
        .unwrap();
    assert_eq!(failure(&output), "--parquet works with one query only");
}

#[test]
fn queries_come_from_standard_input_too() {
    let mut child = sql(&[league(), "--csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"select 1 as a;\n\nselect ';' as b;\n-- done\n")
        .unwrap();
    assert_eq!(answer(&child.wait_with_output().unwrap()), "a\n1\nb\n;\n");
    let output = sql(&[league()]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(answer(&output), "");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = sql(&[league(), "select * from positions", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn an_archive_is_only_read() {
    for query in [
        "insert into games select * from games",
        "delete from games",
        "copy (select 1) to 'x.csv'",
        "update games set White = 'x'",
    ] {
        let error = failure(&sql(&[league(), query]).output().unwrap());
        assert!(
            error.starts_with("an archive is only read"),
            "{query}: {error}"
        );
    }
}

#[test]
fn what_is_no_archive_is_named() {
    let folder = Folder::new();
    let name = folder.path("nothing");
    let output = sql(&[name.to_str().unwrap(), "select 1"]).output().unwrap();
    assert!(failure(&output).contains("nothing is not an archive: build one"));
    let output = sql(&["http://example.org/games", "select 1"])
        .output()
        .unwrap();
    assert!(
        failure(&output).contains("is not an archive"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn help_has_examples() {
    let help = answer(&sql(&["--help"]).output().unwrap());
    assert!(help.contains("Usage: tabiya archive sql"), "{help}");
    assert!(help.contains("Examples:"), "{help}");
}

#[test]
fn too_little_memory_is_an_error_that_says_so() {
    let query =
        "select a.key, b.game_id from positions a join positions b on a.ply = b.ply order by 1, 2";
    let output = sql(&[league(), query, "--memory", "1MB", "--csv"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "error: the query needs more memory: allow more with --memory\n"
    );
}
