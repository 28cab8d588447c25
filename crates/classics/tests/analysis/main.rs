//! The classic analysis: its page, random games judged by somebody else, and the promises of the suggestion.

mod games;
mod oracle;
mod page;
mod promises;
mod random;

use std::io::BufRead;

use tabiya_classics::analysis::{Verdict, read};

/// What the program answers to an input, without the suggestion.
fn answer(mut input: impl BufRead) -> Vec<u8> {
    match read(&mut input).expect("memory can be read") {
        Ok(line) => Verdict::of(line.board()).to_string().into_bytes(),
        Err(fault) => fault.to_bytes(),
    }
}

/// The same as text.
#[track_caller]
fn text(input: &str) -> String {
    String::from_utf8(answer(input.as_bytes())).expect("what is text stays text")
}
