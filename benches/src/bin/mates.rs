//! Counts the mates that the playing search finds, beside Stockfish. See the README of this crate.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use tabiya_benches::programs;
use tabiya_board::{Board, GameHistory};
use tabiya_engine::prove::MateProblem;
use tabiya_engine::{Engine, Limits, suite};
use tabiya_notation::{Epd, Score};
use tabiya_uci::{Client, GoLimits};

const USAGE: &str = "\
Counts the mates that the playing search finds at a number of nodes, beside Stockfish if it is installed.

Usage: mates [OPTIONS] [FILE...]

  FILE        EPD files whose positions state their mates with the operation dm
              (crates/engine/tests/data/mates.epd)
  --nodes N   nodes for a position (1000000)
  --every N   takes only every Nth position of a file, as a sample (1)
  --missed    prints the positions whose mate only Stockfish found
  --help      print this";

/// Both programs search with tables of this many megabytes.
const HASH: usize = 16;
/// Longer than a search takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

struct Settings {
    files: Vec<PathBuf>,
    nodes: u64,
    every: usize,
    prints_missed: bool,
}

fn main() -> ExitCode {
    let settings = match parse(std::env::args().skip(1)) {
        Ok(Some(settings)) => settings,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match count(&settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Parses the command line. `None` is a request for help.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Settings>, String> {
    let mut settings = Settings {
        files: Vec::new(),
        nodes: 1_000_000,
        every: 1,
        prints_missed: false,
    };
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments.next();
            let number: Option<u64> = value.and_then(|value| value.parse().ok());
            let number = number.filter(|number| *number > 0);
            number.ok_or_else(|| format!("{argument} needs a number, 1 or more"))
        };
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--missed" => settings.prints_missed = true,
            "--nodes" => settings.nodes = number()?,
            "--every" => settings.every = number()? as usize,
            option if option.starts_with('-') => {
                return Err(format!("unknown argument: {option}"));
            }
            file => settings.files.push(file.into()),
        }
    }
    if settings.files.is_empty() {
        settings
            .files
            .push("crates/engine/tests/data/mates.epd".into());
    }
    Ok(Some(settings))
}

/// The mates that a program found in a file.
#[derive(Clone, Copy, Default)]
struct FoundMates {
    mates: usize,
    /// Those in the stated number of moves.
    shortest: usize,
}

impl FoundMates {
    /// Counts a score. Returns whether it is a mate.
    fn add(&mut self, score: Option<Score>, distance: u32) -> bool {
        let Some(Score::Mate(moves @ 1..)) = score else {
            return false;
        };
        self.mates += 1;
        self.shortest += usize::from(moves as u32 <= distance);
        true
    }
}

fn count(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::default();
    engine.set_hash(HASH)?;
    let mut stockfish = match programs::find("stockfish") {
        Some(program) => Some(start(&program)?),
        None => None,
    };
    let rival = stockfish
        .as_ref()
        .map_or("–", |client| client.name())
        .to_owned();
    println!(
        "{} nodes for a position; mates (in the shortest way)",
        settings.nodes
    );
    println!("| file | positions | Tabiya | {rival} |");
    println!("| ---- | --------: | -----: | -----: |");
    for file in &settings.files {
        let problems = read(file, settings.every)?;
        let [mut ours, mut theirs] = [FoundMates::default(); 2];
        for (number, (board, distance)) in problems.iter().enumerate() {
            eprint!("\r{} of {}", number + 1, problems.len());
            let is_ours = ours.add(search(&mut engine, board, settings.nodes), *distance);
            if let Some(stockfish) = &mut stockfish {
                let score = ask(stockfish, board, settings.nodes)?;
                let is_theirs = theirs.add(score, *distance);
                if settings.prints_missed && is_theirs && !is_ours {
                    println!("missed: {board} dm {distance};");
                }
            }
        }
        eprint!("\r");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let cell = |found: FoundMates| format!("{} ({})", found.mates, found.shortest);
        let theirs = stockfish.as_ref().map_or("–".to_owned(), |_| cell(theirs));
        println!(
            "| {name} | {} | {} | {theirs} |",
            problems.len(),
            cell(ours)
        );
    }
    Ok(())
}

/// Reads every Nth position that states a mate, with its distance in moves.
fn read(file: &Path, every: usize) -> Result<Vec<(Board, u32)>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let mut problems = Vec::new();
    let lines = text.lines().enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let epd: Epd = line
            .parse()
            .map_err(|error| format!("{}, line {}: {error}", file.display(), index + 1))?;
        let problem = MateProblem::from(&epd);
        problems.extend(problem.distance.map(|distance| (problem.board, distance)));
    }
    Ok(problems.into_iter().step_by(every).collect())
}

fn search(engine: &mut Engine, board: &Board, nodes: u64) -> Option<Score> {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    suite::solve(engine, *board, &limits).map(|result| result.info.score)
}

fn start(program: &Path) -> Result<Client, Box<dyn Error>> {
    let mut client = Client::start(&program.to_string_lossy(), &[], PATIENCE)?;
    client.set_option("Hash", &HASH.to_string())?;
    client.set_option("Threads", "1")?;
    Ok(client)
}

fn ask(client: &mut Client, board: &Board, nodes: u64) -> Result<Option<Score>, Box<dyn Error>> {
    client.new_game(PATIENCE)?;
    let limits = GoLimits {
        nodes: Some(nodes),
        ..GoLimits::default()
    };
    let found = client.go(&GameHistory::new(*board), &limits, PATIENCE)?;
    Ok(found.info.map(|info| info.score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parsed() {
        let parse = |text: &str| super::parse(text.split_whitespace().map(str::to_owned));
        let settings = parse("--nodes 500 --every 10 a.epd b.epd")
            .unwrap()
            .unwrap();
        assert_eq!((settings.nodes, settings.every), (500, 10));
        assert_eq!(settings.files.len(), 2);
        assert_eq!(parse("").unwrap().unwrap().files.len(), 1);
        assert!(parse("a.epd --help").unwrap().is_none());
        for wrong in ["--nodes", "--nodes 0", "--every x", "--some"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_mates_for_the_side_to_move_count() {
        let mut found = FoundMates::default();
        for score in [None, Some(Score::Cp(900)), Some(Score::Mate(-2))] {
            assert!(!found.add(score, 3));
        }
        for moves in [3, 5] {
            assert!(found.add(Some(Score::Mate(moves)), 3));
        }
        assert_eq!((found.mates, found.shortest), (2, 1));
    }
}
