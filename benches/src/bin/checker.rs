//! Races checkers of boards and move sequences: see the README of this crate.

use std::env;
use std::error::Error;
use std::fs;
use std::io;
use std::num::NonZero;
use std::process::{self, ExitCode};
use std::thread::available_parallelism;

use tabiya_benches::arguments::{self, Arguments};
use tabiya_benches::checker::{self, Files, Mode, Python};
use tabiya_benches::{programs, race};

const USAGE: &str = "\
Races the checker of boards and move sequences against the same program in Python.

Usage: checker [--rounds N] [--quick]

  --rounds N  run N rounds and keep the fastest of each (5; 1 with --quick)
  --quick     check 20,000 lines instead of a million, as a smoke test: the speeds mean little
  --help      print this";

fn main() -> ExitCode {
    arguments::main(USAGE, arguments::Files::None, race_all)
}

/// Makes the lines, races, and prints the table.
fn race_all(Arguments { length, .. }: Arguments) -> Result<(), Box<dyn Error>> {
    let python = programs::find("python3").map(Python::new).transpose()?;
    if python.is_none() {
        println!("python3 is not installed: it is left out.");
    }
    let lines = if length.quick { 20_000 } else { 1_000_000 };
    let text = checker::generate(lines);
    println!("{}", race::conditions(length, ", of few lines"));
    println!(
        "{lines} lines, {:.1} MB, from file to file.",
        text.len() as f64 / 1e6
    );
    let files = Temporary::new(&text)?;
    let threads = available_parallelism().map_or(1, NonZero::get);
    for (mode, heading) in [
        (Mode::OneCore, "One core, CPU time"),
        (Mode::Threads(threads), "All cores, wall time"),
    ] {
        let progress = |round| eprintln!("{heading}: round {round} of {}", length.rounds);
        let table = checker::run(&files.0, mode, python.as_ref(), length.rounds, progress)?;
        print!("\n{heading}\n\n{table}");
    }
    Ok(())
}

/// Files that are gone after use.
struct Temporary(Files);

impl Temporary {
    fn new(lines: &[u8]) -> io::Result<Self> {
        let path =
            |end| env::temp_dir().join(format!("tabiya-benches-checker-{}.{end}", process::id()));
        let files = Self(Files {
            lines: path("lines"),
            answers: path("answers"),
        });
        fs::write(&files.0.lines, lines)?;
        Ok(files)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Where they cannot be removed, they were not there either, or someone else cares for them.
        let _ = fs::remove_file(&self.0.lines);
        let _ = fs::remove_file(&self.0.answers);
    }
}
