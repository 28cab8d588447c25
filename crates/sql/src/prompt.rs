//! The prompt: queries one after another, with completion and history.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use etcetera::{BaseStrategy, choose_base_strategy};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper};

use crate::query::{End, Engine};
use crate::report;

const PROMPT: &str = "sql> ";
/// The queries that are kept for the next time.
const HISTORY: usize = 1000;
const WELCOME: &str = "End a query with ; and leave with Ctrl-D. For help, type: help";
const HELP: &str = "\
select White, Black from games limit 5;   a query; it may have several lines, and ends with ;
show tables;                              the tables
describe games;                           the columns of a table
help                                      this text
quit                                      leave, as Ctrl-D does

Tab completes names. Ctrl-C ends a query. docs/sql.md describes the chess functions.";
/// The words of SQL that are completed.
const WORDS: &[&str] = &[
    "and",
    "as",
    "asc",
    "between",
    "by",
    "case",
    "count",
    "create view",
    "cross join",
    "desc",
    "describe",
    "distinct",
    "else",
    "end",
    "except",
    "exists",
    "explain",
    "from",
    "full join",
    "group by",
    "having",
    "in",
    "inner join",
    "intersect",
    "is not null",
    "is null",
    "join",
    "left join",
    "like",
    "limit",
    "not",
    "offset",
    "on",
    "or",
    "order by",
    "over",
    "partition by",
    "select",
    "show tables",
    "sum",
    "then",
    "union",
    "union all",
    "using",
    "when",
    "where",
    "with",
];

/// Asks for queries until the input ends.
pub(crate) fn run(engine: &Engine) -> anyhow::Result<u8> {
    let config = Config::builder()
        .max_history_size(HISTORY)
        .context("cannot start the prompt")?
        .history_ignore_space(true)
        .build();
    let mut editor: Editor<Words, DefaultHistory> =
        Editor::with_config(config).context("cannot start the prompt")?;
    editor.set_helper(Some(Words::of(engine)));
    let history = history_file();
    if let Some(history) = &history {
        // The first time, there is none.
        let _ = editor.load_history(history);
    }
    println!("{WELCOME}");
    loop {
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error).context("cannot read the terminal"),
        };
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let _ = editor.add_history_entry(text);
        if let Some(history) = &history {
            // Without a history, everything else works.
            let _ = editor.append_history(history);
        }
        match command(text) {
            Some(Command::Help) => println!("{HELP}"),
            Some(Command::Quit) => break,
            None => match engine.print(text) {
                Ok(End::Finished) => {}
                Ok(End::Stopped) => {
                    let _ = writeln!(std::io::stderr(), "The query was stopped.");
                }
                Err(error) => report(&error),
            },
        }
    }
    Ok(0)
}

enum Command {
    Help,
    Quit,
}

/// A line that is not SQL.
fn command(text: &str) -> Option<Command> {
    match text.trim_end_matches(';').trim() {
        "help" | "\\h" | "\\?" => Some(Command::Help),
        "quit" | "exit" | "\\q" => Some(Command::Quit),
        _ => None,
    }
}

/// The file with earlier queries, in the folder of the settings.
fn history_file() -> Option<PathBuf> {
    let folder = choose_base_strategy().ok()?.config_dir().join("tabiya");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("sql-history"))
}

/// The words that are completed.
struct Words(Vec<String>);

impl Words {
    fn of(engine: &Engine) -> Self {
        let state = engine.context().state();
        let mut words: Vec<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
        words.extend(
            state
                .scalar_functions()
                .keys()
                .map(|name| format!("{name}(")),
        );
        words.extend(
            state
                .aggregate_functions()
                .keys()
                .map(|name| format!("{name}(")),
        );
        words.extend(
            state
                .table_functions()
                .keys()
                .map(|name| format!("{name}(")),
        );
        words.extend(engine.columns());
        words.sort_unstable();
        words.dedup();
        Self(words)
    }
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..end];
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let start = before.rfind(|letter| !is_part(letter)).map_or(0, |at| {
            at + before[at..].chars().next().map_or(0, char::len_utf8)
        });
        let typed = before[start..].to_lowercase();
        if typed.is_empty() {
            return Ok((start, Vec::new()));
        }
        let fitting = self
            .0
            .iter()
            .filter(|word| word.to_lowercase().starts_with(&typed));
        let pairs = fitting.map(|word| Pair {
            display: word.clone(),
            replacement: word.clone(),
        });
        Ok((start, pairs.collect()))
    }
}

impl Validator for Words {
    fn validate(&self, input: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = input.input().trim();
        let is_complete = text.is_empty() || text.ends_with(';') || command(text).is_some();
        Ok(if is_complete {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

impl Highlighter for Words {}
impl Hinter for Words {
    type Hint = String;
}
impl Helper for Words {}
