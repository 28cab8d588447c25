//! Arguments before clap sees them.
//!
//! A shell splits a FEN at its spaces unless it is quoted. Nothing else looks like a FEN, so its words are joined
//! again, and `--fen` is put before it if it is missing.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, ValueEnum};

use crate::position::is_startpos;

const FEN_OPTION: &str = "--fen";
/// Options whose value is a path.
const FILE_OPTIONS: [&str; 7] = [
    "--epd",
    "--output",
    "-o",
    "--svg",
    "--pgn",
    "--opponent",
    "--archive",
];
const MAX_THREADS: usize = 1024;

/// Parses a number of threads.
pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok();
    let possible = threads.filter(|threads| (1..=MAX_THREADS).contains(threads));
    possible.ok_or_else(|| format!("use a whole number from 1 to {MAX_THREADS}"))
}

/// Parses a number of seconds.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .filter(|seconds| (0.001..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "use a number of seconds from 0.001 to 86400".to_owned())
}

/// The default number of threads: one per core.
pub(crate) fn cores() -> usize {
    let cores = available_parallelism().map_or(1, NonZero::get);
    cores.min(MAX_THREADS)
}

/// The value of `--color`. Clap prints help and errors before it has parsed all arguments, so it needs this early.
pub(crate) fn color(given: &[OsString]) -> ColorChoice {
    let mut words = given.iter().filter_map(|word| word.to_str());
    let mut choice = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let when = match word {
            "--color" => words.next(),
            _ => word.strip_prefix("--color="),
        };
        if let Some(asked) = when.and_then(|when| ColorChoice::from_str(when, false).ok()) {
            choice = asked;
        }
    }
    choice
}

/// Joins the words of an unquoted FEN, and puts `--fen` before it.
pub(crate) fn join_fens(given: &[OsString]) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::with_capacity(given.len() + 1);
    let command = command(given);
    let takes_file = matches!(command, "analyse" | "analyze");
    let takes_fen = takes_file
        || matches!(
            command,
            "board" | "moves" | "why" | "mate" | "perft" | "play"
        );
    // The first word is the path of this program, which may have seven slashes too.
    words.extend(given.first().cloned());
    let mut at = words.len();
    while let Some(word) = given.get(at) {
        at += 1;
        let text = word.to_str().unwrap_or_default();
        let joined = text.strip_prefix("--fen=");
        let value = joined.unwrap_or(text);
        let asked = joined.is_some() || words.last().is_some_and(|last| last == FEN_OPTION);
        let is_fen = is_startpos(value) || starts_like_fen(value);
        let behind_option = FILE_OPTIONS.iter().any(|option| {
            let joined = text.strip_prefix(option);
            joined.is_some_and(|rest| rest.starts_with('='))
                || words.last().is_some_and(|last| last == option)
        });
        let is_path =
            takes_file && (text.starts_with('/') || text.contains('.') || Path::new(text).exists());
        let names_file = !takes_fen || behind_option || is_path;
        if !is_fen || (names_file && !asked) {
            words.push(word.clone());
            continue;
        }
        if joined.is_some() || words.last().is_none_or(|last| last != FEN_OPTION) {
            words.push(FEN_OPTION.into());
        }
        let mut fen = OsString::from(value);
        let more = fields_after(value, &given[at..]);
        for field in &given[at..at + more] {
            fen.push(" ");
            fen.push(field);
        }
        at += more;
        words.push(fen);
    }
    words
}

/// The name of the command. Some take no FEN: a path with seven slashes is a path there.
fn command(given: &[OsString]) -> &str {
    let mut words = given.iter().skip(1).filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        if word == "--color" {
            words.next();
        } else if !word.starts_with('-') {
            return word;
        }
    }
    ""
}

/// The number of words after the first field of a FEN that belong to it.
fn fields_after(pieces: &str, words: &[OsString]) -> usize {
    // With spaces in it, it was quoted and is complete.
    if pieces.contains(char::is_whitespace) || is_startpos(pieces) {
        return 0;
    }
    let texts = words.iter().map(|word| word.to_str().unwrap_or_default());
    let fits = FIELDS.iter().zip(texts);
    let fields = fits.take_while(|(is_field, text)| is_field(text)).count();
    // A single number after a FEN without clocks is another argument, such as the depth of perft.
    if fields == 4 { 3 } else { fields }
}

/// Tests for the fields of a FEN after the first.
const FIELDS: [fn(&str) -> bool; 5] = [
    |turn| matches!(turn, "w" | "b"),
    |castling| {
        let letters = b"KQkqABCDEFGHabcdefgh";
        let is_right = |letter| letters.contains(&letter);
        castling == "-" || castling.len() <= 4 && castling.bytes().all(is_right)
    },
    |square| square == "-" || matches!(square.as_bytes(), [b'a'..=b'h', b'3' | b'6']),
    is_number,
    is_number,
];

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether text starts like a FEN, perhaps one with mistakes.
fn starts_like_fen(text: &str) -> bool {
    let pieces = text.split_whitespace().next().unwrap_or("");
    let slashes = pieces.matches('/').count();
    let looks_right = pieces
        .bytes()
        .all(|byte| b"/pnbrqkPNBRQK0123456789".contains(&byte));
    slashes == 7 || slashes >= 3 && looks_right
}

/// Suggests quotes around the FEN if unexpected words follow it.
pub(crate) fn suggest_quotes(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let has_fen = arguments.iter().any(|word| word == FEN_OPTION);
    if has_fen && error.kind() == ErrorKind::UnknownArgument {
        let advice = "if this is part of the FEN, put quotes around the whole FEN";
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![advice.into()]),
        );
    }
    error
}
