//! Labels the quiet positions of games with the scores of long searches. See the README of this crate.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

use tabiya_benches::arguments::{self, positive};
use tabiya_board::Board;
use tabiya_engine::{Engine, Limits, suite};
use tabiya_notation::pgn::{self, Game};
use tabiya_notation::{GameResult, Score};
use tabiya_selfplay::{TrainingRecord, Wdl};

const USAGE: &str = "\
Labels the quiet positions of games with the scores of long searches, to compare networks by (training/errors.py).

Usage: label --out FILE [OPTIONS] PGN...

  --out FILE        the file of records to write
  --nodes N         nodes for a position (50000)
  --concurrency N   games to label at the same time (1)
  --help            print this

Interrupted, it leaves the records of the games that are done.";

/// Positions before this ply are openings; training leaves them out too.
const FIRST_PLY: usize = 12;
/// Bare records count in units of the network, half centipawns.
const UNITS_PER_CENTIPAWN: i32 = 2;
/// Training leaves out positions with higher scores.
const MAX_SCORE: i32 = 2_000;

#[derive(Debug)]
struct Settings {
    files: Vec<PathBuf>,
    out: PathBuf,
    nodes: u64,
    concurrency: usize,
}

fn main() -> ExitCode {
    arguments::run(USAGE, parse(std::env::args().skip(1)), |settings| {
        label(&settings)
    })
}

/// Parses the command line. `None` is a request for help.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Settings>, String> {
    let mut settings = Settings {
        files: Vec::new(),
        out: PathBuf::new(),
        nodes: 50_000,
        concurrency: 1,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--out" => settings.out = value()?.into(),
            "--nodes" => settings.nodes = positive(&argument, &value()?)?,
            "--concurrency" => settings.concurrency = positive(&argument, &value()?)?,
            option if option.starts_with('-') => {
                return Err(format!("unknown argument: {option}"));
            }
            file => settings.files.push(file.into()),
        }
    }
    if settings.files.is_empty() {
        return Err("name a PGN file".to_owned());
    }
    if settings.out == Path::new("") {
        return Err("--out is missing".to_owned());
    }
    Ok(Some(settings))
}

/// Labels all games, and appends the records of each game to the file when it is done.
fn label(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let games = read_games(&settings.files)?;
    let failed = |error| format!("cannot write {}: {error}", settings.out.display());
    let out = File::create(&settings.out).map_err(failed)?;
    let state = Mutex::new((games.iter().enumerate(), out, 0));
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        let label_games = || -> Result<(), std::io::Error> {
            let mut engine = Engine::default();
            loop {
                let Some((index, game)) = lock().0.next() else {
                    return Ok(());
                };
                let records = label_game(&mut engine, game, settings.nodes);
                let mut state = lock();
                for record in &records {
                    state.1.write_all(&record.to_bytes())?;
                }
                state.2 += records.len();
                eprint!(
                    "\rgame {} of {}, {} positions",
                    index + 1,
                    games.len(),
                    state.2
                );
            }
        };
        let threads: Vec<_> = (0..settings.concurrency)
            .map(|_| scope.spawn(label_games))
            .collect();
        for thread in threads {
            thread.join().expect("no thread panics").map_err(failed)?;
        }
        Ok::<_, String>(())
    })?;
    eprintln!();
    println!("{} positions of {} games", lock().2, games.len());
    Ok(())
}

/// Reads the games that have a result. Those that cannot be read are left out.
fn read_games(files: &[PathBuf]) -> Result<Vec<Game>, Box<dyn Error>> {
    let mut games = Vec::new();
    for path in files {
        let file =
            File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        for game in pgn::games(BufReader::new(file)) {
            match game {
                Ok(game) if game.result.is_some_and(|result| wdl(result).is_some()) => {
                    games.push(game);
                }
                Ok(_) => {}
                Err(error) => eprintln!("{}: {error}", path.display()),
            }
        }
    }
    Ok(games)
}

/// Returns White's result; `None` if the game is not over.
fn wdl(result: GameResult) -> Option<Wdl> {
    match result {
        GameResult::WhiteWins => Some(Wdl::Win),
        GameResult::BlackWins => Some(Wdl::Loss),
        GameResult::Draw => Some(Wdl::Draw),
        GameResult::Unknown => None,
    }
}

/// Returns the records of a game's quiet positions.
fn label_game(engine: &mut Engine, game: &Game, nodes: u64) -> Vec<TrainingRecord> {
    let Some(result) = game.result.and_then(wdl) else {
        return Vec::new();
    };
    let positions = game.main_plies().zip(1..).skip(FIRST_PLY - 1);
    positions
        .filter_map(|(position, ply)| label_position(engine, &position.board, ply, result, nodes))
        .collect()
}

/// Returns the record of a position that is quiet: not in check, and its best move neither captures nor promotes.
fn label_position(
    engine: &mut Engine,
    board: &Board,
    ply: u16,
    result: Wdl,
    nodes: u64,
) -> Option<TrainingRecord> {
    if board.is_check() {
        return None;
    }
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let found = suite::solve(engine, *board, &limits)?;
    let Score::Cp(score) = found.info.score else {
        return None;
    };
    let quiet = board.captured(found.best).is_none() && found.best.promotion().is_none();
    (quiet && score.abs() < MAX_SCORE).then(|| {
        let score = (score * UNITS_PER_CENTIPAWN) as i16;
        TrainingRecord::new(board, found.best, score, ply, result)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str) -> Result<Option<Settings>, String> {
        super::parse(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments_are_parsed() {
        let settings = parse("--out a.records --nodes 100 b.pgn c.pgn").unwrap();
        let settings = settings.unwrap();
        assert_eq!(settings.files, [Path::new("b.pgn"), Path::new("c.pgn")]);
        assert_eq!((settings.nodes, settings.concurrency), (100, 1));
        assert!(parse("--help").unwrap().is_none());
        for wrong in [
            "",
            "b.pgn",
            "--out a",
            "--out a --nodes 0 b.pgn",
            "--x 1 b.pgn",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_quiet_positions_are_labelled() {
        let pgn = b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 \
            7. e4 e5 8. Nf3 Qg5 9. Nxg5 d6 1-0";
        let game = Game::read(&mut pgn::Reader::new(pgn)).unwrap().unwrap();
        let records = label_game(&mut Engine::default(), &game, 2_000);
        let plies: Vec<u16> = records.iter().map(|record| record.ply).collect();
        // After 8... Qg5 White takes the queen.
        assert!(plies.contains(&14) && plies.contains(&17), "{plies:?}");
        assert!(!plies.contains(&16), "{plies:?}");
        assert!(plies.iter().all(|ply| *ply >= 12), "{plies:?}");
        for record in &records {
            assert_eq!(record.result(), Ok(Wdl::Win));
            assert!(record.board().is_ok());
        }
    }
}
