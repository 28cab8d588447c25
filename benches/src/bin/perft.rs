//! Races move generators: see the README of this crate.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use tabiya_benches::cases::Mode;
use tabiya_benches::clock::Clock;
use tabiya_benches::race::{self, Length, Linked, Rival};
use tabiya_benches::rivals::{
    Chess, CozyChess, Eschac, Shakmaty, TabiyaAvx2, TabiyaBoard, TabiyaList, TabiyaPortable,
    TabiyaPosition,
};
use tabiya_benches::stockfish::Stockfish;
use tabiya_benches::table;

const USAGE: &str = "\
Races the move generators of chess libraries against each other.

Usage: perft [--rounds N] [--quick]

  --rounds N  run N rounds and keep the fastest of each library (5; 1 with --quick)
  --quick     search less deep, as a smoke test: the speeds mean little
  --help      print this";

fn main() -> ExitCode {
    let length = match parse_arguments(env::args().skip(1)) {
        Ok(Some(length)) => length,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match race_all(length) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the command line; nothing means that help is asked for.
fn parse_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Option<Length>, String> {
    let mut rounds = None;
    let mut quick = false;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--rounds" => {
                let number = arguments.next().ok_or("--rounds is followed by a number")?;
                let number = number.parse().ok().filter(|number| *number > 0);
                rounds = Some(number.ok_or("--rounds is followed by a number, 1 or more")?);
            }
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("unknown argument: {argument}")),
        }
    }
    let rounds = rounds.unwrap_or(if quick { 1 } else { 5 });
    Ok(Some(Length { rounds, quick }))
}

/// Runs both modes and prints their tables.
fn race_all(length: Length) -> Result<(), Box<dyn Error>> {
    let mut rivals = vec![
        Linked::<TabiyaPosition>::boxed(),
        Linked::<TabiyaAvx2>::boxed(),
        Linked::<TabiyaPortable>::boxed(),
        Linked::<TabiyaBoard>::boxed(),
        Linked::<TabiyaList>::boxed(),
        Linked::<Eschac>::boxed(),
        Linked::<CozyChess>::boxed(),
        Linked::<Chess>::boxed(),
        Linked::<Shakmaty>::boxed(),
    ];
    match Stockfish::find() {
        Some(program) => {
            let stockfish: Box<dyn Rival> = Box::new(Stockfish::start(&program)?);
            rivals.push(stockfish);
        }
        None => println!("Stockfish is not installed: it is left out."),
    }

    println!(
        "Built for {} {}; {} of the thread; rounds: {}{}.",
        env::consts::ARCH,
        instructions(),
        Clock::of_this_thread().kind(),
        length.rounds,
        if length.quick { ", to low depths" } else { "" },
    );
    for (mode, title) in [
        (Mode::Bulk, "Bulk: the moves of the last ply are counted"),
        (Mode::Make, "Make: every move is played"),
    ] {
        let progress = |round| eprintln!("{mode:?}: round {round} of {}", length.rounds);
        let standings = race::run(mode, &mut rivals, length, progress)?;
        print!("\n{title}\n\n{}", table::render(&standings));
    }
    Ok(())
}

/// Those instructions beyond the oldest processors that matter to move generators and that this
/// build may use.
fn instructions() -> String {
    let features = [
        ("POPCNT", cfg!(target_feature = "popcnt")),
        ("BMI1", cfg!(target_feature = "bmi1")),
        ("BMI2", cfg!(target_feature = "bmi2")),
        ("AVX2", cfg!(target_feature = "avx2")),
        ("AVX-512", cfg!(target_feature = "avx512f")),
    ];
    let names: Vec<_> = features
        .iter()
        .filter(|(_, used)| *used)
        .map(|(name, _)| *name)
        .collect();
    if names.is_empty() {
        "without further instructions".to_owned()
    } else {
        format!("with {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Option<Length>, String> {
        parse_arguments(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments() {
        assert_eq!(
            parse(""),
            Ok(Some(Length {
                rounds: 5,
                quick: false
            }))
        );
        assert_eq!(
            parse("--quick"),
            Ok(Some(Length {
                rounds: 1,
                quick: true
            }))
        );
        assert_eq!(
            parse("--rounds 3 --quick"),
            Ok(Some(Length {
                rounds: 3,
                quick: true
            }))
        );
        assert_eq!(parse("--quick --help"), Ok(None));
        for wrong in ["--rounds", "--rounds 0", "--rounds x", "--quik", "5"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
