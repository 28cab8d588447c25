//! The examples of `docs/sql.md`.

use std::fmt::Write;
use std::path::Path;

use crate::common::ask;

const PROMPT: &str = "    sql> ";

/// Runs every example and writes its answer below it.
fn with_answers(text: &str) -> String {
    let mut new = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let _ = writeln!(new, "{line}");
        let Some(start) = line.strip_prefix(PROMPT) else {
            continue;
        };
        let mut query = start.to_owned();
        while !query.ends_with(';') {
            let line = lines.next().expect("a query ends with ;");
            let _ = writeln!(new, "{line}");
            query.push('\n');
            query.push_str(line.trim_start());
        }
        // The old answer.
        while lines
            .next_if(|line| line.starts_with("    ") && !line.starts_with(PROMPT))
            .is_some()
        {}
        for line in ask(&query, &[]).lines() {
            let _ = writeln!(new, "{}", format!("    {line}").trim_end());
        }
    }
    new
}

/// `TABIYA_UPDATE_DOCS=1` writes the answers into the page.
#[test]
fn examples_have_the_answers_that_stand_below_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql.md");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.matches(PROMPT).count() >= 20);
    let expected = with_answers(&text);
    if std::env::var_os("TABIYA_UPDATE_DOCS").is_some() {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    for (number, (found, expected)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", number + 1);
    }
    assert_eq!(text.lines().count(), expected.lines().count());
}
