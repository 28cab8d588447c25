//! Races readers and writers of moves and positions: see the README of this crate.

use std::error::Error;
use std::process::ExitCode;

use tabiya_benches::arguments::{self, Arguments, Files};
use tabiya_benches::games::{self, Games};
use tabiya_benches::race;
use tabiya_benches::text::{self, Sample, Task};

const USAGE: &str = "\
Races readers and writers of SAN and FEN against each other.

Usage: text [--rounds N] [--quick]

  --rounds N  run N rounds and keep the fastest of each library (5; 1 with --quick)
  --quick     go through the games once, as a smoke test: the speeds mean little
  --help      print this";

/// About how many moves or positions a round has.
const MOVES: usize = 4_000_000;

fn main() -> ExitCode {
    arguments::main(USAGE, Files::None, race_all)
}

/// Runs all tasks and prints their tables.
fn race_all(Arguments { length, .. }: Arguments) -> Result<(), Box<dyn Error>> {
    println!("{}", race::conditions(length, ", of one pass"));
    let samples = games::samples()?;
    let Games { title, text } = samples.first().ok_or("there are no games")?;
    let sample = Sample::new(text, if length.quick { 1 } else { MOVES });
    println!(
        "{} games ({title}) of {} moves, gone through {} times a round.",
        sample.games(),
        sample.moves(),
        sample.passes()
    );
    for (task, heading) in [
        (
            Task::ReadSan,
            "Reading SAN: the moves of games are read and played",
        ),
        (
            Task::WriteSan,
            "Writing SAN: the same moves are written, with + and #",
        ),
        (
            Task::ReadFen,
            "Reading FEN: the positions of the games are read",
        ),
        (Task::WriteFen, "Writing FEN: they are written"),
    ] {
        let progress = |round| eprintln!("{task:?}: round {round} of {}", length.rounds);
        let table = text::run(task, &sample, length.rounds, progress)?;
        print!("\n{heading}\n\n{table}");
    }
    Ok(())
}
