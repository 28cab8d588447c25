//! Measures the classic checker. See the README of this crate.

use std::env;
use std::error::Error;
use std::fs;
use std::io;
use std::num::NonZero;
use std::process::{self, ExitCode};
use std::thread::available_parallelism;

use tabiya_benches::arguments::{self, Arguments};
use tabiya_benches::checker::{self, CheckerFiles};
use tabiya_benches::race;

const USAGE: &str = "\
Measures the checker of boards and move sequences, with one thread and with one per core.

Usage: checker [--rounds N] [--quick]

  --rounds N  Run N rounds and keep the fastest (default 5; 1 with --quick)
  --quick     Check 20,000 lines instead of a million: a smoke test, not a measurement
  --help      Print this help";

fn main() -> ExitCode {
    arguments::main(USAGE, arguments::FileOption::None, measure)
}

/// Generates the lines, measures, and prints the table.
fn measure(Arguments { length, .. }: Arguments) -> Result<(), Box<dyn Error>> {
    let lines = if length.quick { 20_000 } else { 1_000_000 };
    let text = checker::generate(lines);
    println!("{}", race::conditions(length, ", few lines"));
    println!(
        "{lines} lines, {:.1} MB, from file to file, wall time.",
        text.len() as f64 / 1e6
    );
    let files = Temporary::new(&text)?;
    let threads = available_parallelism().map_or(1, NonZero::get);
    let progress = |round| eprintln!("round {round} of {}", length.rounds);
    let table = checker::run(&files.0, threads, length.rounds, progress)?;
    print!("\n{table}");
    Ok(())
}

/// Files that are removed after use.
struct Temporary(CheckerFiles);

impl Temporary {
    fn new(lines: &[u8]) -> io::Result<Self> {
        let path =
            |end| env::temp_dir().join(format!("tabiya-benches-checker-{}.{end}", process::id()));
        let files = Self(CheckerFiles {
            lines: path("lines"),
            answers: path("answers"),
        });
        fs::write(&files.0.lines, lines)?;
        Ok(files)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing useful can be done if this fails.
        let _ = fs::remove_file(&self.0.lines);
        let _ = fs::remove_file(&self.0.answers);
    }
}
