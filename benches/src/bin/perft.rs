//! Races move generators. See the README of this crate.

use std::error::Error;
use std::process::ExitCode;

use tabiya_benches::arguments::{self, Arguments, FileOption};
use tabiya_benches::perft::cases::Mode;
use tabiya_benches::perft::rivals::{
    CozyChess, Eschac, EschacList, Shakmaty, TabiyaAvx2, TabiyaBoard, TabiyaChecked,
    TabiyaChildren, TabiyaList, TabiyaPortable, TabiyaPosition,
};
use tabiya_benches::perft::stockfish::Stockfish;
use tabiya_benches::perft::{self, Linked, Rival};
use tabiya_benches::{programs, race};

const USAGE: &str = "\
Races the move generators of chess libraries against each other.

Usage: perft [--rounds N] [--quick]

  --rounds N  run N rounds and keep the fastest of each library (5; 1 with --quick)
  --quick     search less deeply; a smoke test, so the speeds mean little
  --help      print this";

fn main() -> ExitCode {
    arguments::main(USAGE, FileOption::None, race_all)
}

/// Runs both modes and prints their tables.
fn race_all(Arguments { length, .. }: Arguments) -> Result<(), Box<dyn Error>> {
    let mut rivals = vec![
        Linked::<TabiyaPosition>::boxed(),
        Linked::<TabiyaAvx2>::boxed(),
        Linked::<TabiyaPortable>::boxed(),
        Linked::<TabiyaBoard>::boxed(),
        Linked::<TabiyaChildren>::boxed(),
        Linked::<TabiyaList>::boxed(),
        Linked::<TabiyaChecked>::boxed(),
        Linked::<Eschac>::boxed(),
        Linked::<EschacList>::boxed(),
        Linked::<CozyChess>::boxed(),
        Linked::<Shakmaty>::boxed(),
    ];
    match programs::find("stockfish") {
        Some(program) => {
            let stockfish: Box<dyn Rival> = Box::new(Stockfish::start(&program)?);
            rivals.push(stockfish);
        }
        None => println!("Stockfish is not installed, so it does not take part."),
    }

    println!("{}", race::conditions(length, ", at low depths"));
    for (mode, title) in [
        (Mode::Bulk, "Bulk: counts the moves of the last ply"),
        (Mode::Make, "Make: plays every move"),
    ] {
        let progress = |round| eprintln!("{mode:?}: round {round} of {}", length.rounds);
        let table = perft::run(mode, &mut rivals, length, progress)?;
        print!("\n{title}\n\n{table}");
    }
    Ok(())
}
