//! Races readers and writers of SAN and FEN. See the README of this crate.

use std::error::Error;
use std::process::ExitCode;

use tabiya_benches::arguments::{self, Arguments, FileOption};
use tabiya_benches::games::{self, Games};
use tabiya_benches::race;
use tabiya_benches::text::{self, Sample, TextTask};

const USAGE: &str = "\
Races readers and writers of SAN and FEN against each other.

Usage: text [--rounds N] [--quick]

  --rounds N  run N rounds and keep the fastest of each library (5; 1 with --quick)
  --quick     go through the games once; a smoke test, so the speeds mean little
  --help      print this";

/// The approximate number of moves or positions per round.
const MOVES: usize = 4_000_000;

fn main() -> ExitCode {
    arguments::main(USAGE, FileOption::None, race_all)
}

/// Runs all tasks and prints their tables.
fn race_all(Arguments { length, .. }: Arguments) -> Result<(), Box<dyn Error>> {
    println!("{}", race::conditions(length, ", one pass"));
    let samples = games::samples()?;
    let Games { title, text } = samples.first().ok_or("no games to read")?;
    let sample = Sample::new(text, if length.quick { 1 } else { MOVES });
    println!(
        "{} games ({title}) of {} moves, repeated {} times per round.",
        sample.games(),
        sample.moves(),
        sample.passes()
    );
    for (task, heading) in [
        (
            TextTask::ReadSan,
            "Reading SAN: parses and plays the moves of games",
        ),
        (
            TextTask::WriteSan,
            "Writing SAN: writes the same moves, with + and #",
        ),
        (
            TextTask::ReadFen,
            "Reading FEN: parses the positions of the games",
        ),
        (TextTask::WriteFen, "Writing FEN: writes these positions"),
    ] {
        let progress = |round| eprintln!("{task:?}: round {round} of {}", length.rounds);
        let table = text::run(task, &sample, length.rounds, progress)?;
        print!("\n{heading}\n\n{table}");
    }
    Ok(())
}
