//! Tests of the classic analysis: its specification, random games compared with shakmaty, and the promises of the
//! suggestion.

mod games;
mod oracle;
mod page;
mod promises;
mod random;

use std::io::BufRead;

use tabiya_classics::analysis::{GameStatus, read_game};

/// Returns the output for an input, without the suggestion.
fn answer(mut input: impl BufRead) -> Vec<u8> {
    match read_game(&mut input).expect("memory can be read") {
        Ok(line) => GameStatus::of(line.board()).to_string().into_bytes(),
        Err(error) => error.to_bytes(),
    }
}

/// Returns the same as text.
#[track_caller]
fn text(input: &str) -> String {
    String::from_utf8(answer(input.as_bytes())).expect("what is text stays text")
}
