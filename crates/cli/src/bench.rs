//! `tabiya bench`: measures the engine.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use tabiya_engine::suite::{ExpectedMoves, solve};
use tabiya_engine::{Engine, Limits, StopSignal, bench};
use tabiya_games::{EpdLines, Input, InputError, MAX_LINE, display_name};
use tabiya_notation::write_san;

use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// The default time for each position of a file.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Measure the engine
///
/// Searches forty positions and prints the number of nodes. It is the same on every machine, and changes only when the
/// search or the evaluation does. With --epd, solves the positions of a file: finds the best move (bm), or avoids the
/// bad one (am).
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya bench"
    "tabiya bench --depth 10"
    "tabiya bench --epd positions.epd --time 1"
))]
pub(crate) struct Arguments {
    /// Search depth, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=99))]
    depth: Option<u32>,

    /// Solve the positions of an EPD file, one per line
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,

    /// Seconds for each position of the file
    #[arg(long, value_name = "SECONDS", requires = "epd", value_parser = crate::arguments::parse_seconds)]
    time: Option<Duration>,

    /// Size of the hash table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Number of threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::arguments::parse_threads)]
    threads: usize,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let mut engine = Engine::default();
    engine.set_hash(arguments.hash as usize)?;
    engine.set_threads(arguments.threads)?;
    if let Some(path) = &arguments.epd {
        return run_suite(&mut engine, path, arguments);
    }
    let depth = arguments.depth.unwrap_or(bench::DEPTH);
    let result = bench::bench(&mut engine, depth, &StopSignal::default())
        .context("the benchmark was stopped")?;
    let per_second = (result.nodes as f64 / result.time.as_secs_f64().max(1e-9)) as u64;
    let mut text = String::new();
    writeln!(text, "nodes: {}", screen.number(result.nodes))?;
    writeln!(text, "time:  {:.3} s", result.time.as_secs_f64())?;
    writeln!(
        text,
        "speed: {} nodes per second",
        screen.number(per_second)
    )?;
    Ok(text.into())
}

/// Solves the positions of a file, and prints those that the engine gets wrong.
fn run_suite(
    engine: &mut Engine,
    path: &Path,
    arguments: &Arguments,
) -> anyhow::Result<CommandOutput> {
    let file = display_name(path);
    let limits = Limits {
        depth: arguments.depth,
        time: match (arguments.time, arguments.depth) {
            (None, None) => Some(DEFAULT_TIME),
            (time, _) => time,
        },
        ..Limits::default()
    };
    let mut text = String::new();
    let (mut solved, mut all) = (0, 0);
    let input = Input::open(path)?;
    let failure = input.error();
    let mut lines = EpdLines::new(input, MAX_LINE);
    while lines.read()? {
        let Some(position) = lines.position() else {
            continue;
        };
        let number = lines.number();
        let place = || format!("{file}:{number}");
        let epd = position.with_context(place)?;
        let expected = ExpectedMoves::read(&epd).with_context(place)?;
        let Some(expected) = expected else {
            bail!("{file}:{number}: no best move (bm) and no move to avoid (am)");
        };
        let Some(result) = solve(engine, epd.board, &limits) else {
            bail!("{file}:{number}: no legal move");
        };
        all += 1;
        if expected.is_met_by(result.best) {
            solved += 1;
        } else {
            let name = epd
                .operand("id")
                .map_or_else(|| format!("line {number}"), str::to_owned);
            writeln!(text, "{name}: {}", write_san(&epd.board, result.best))?;
        }
    }
    if let Some(error) = failure.take() {
        return Err(InputError::new(path, error).into());
    }
    if all == 0 {
        bail!("no position in {file}; write one EPD per line");
    }
    writeln!(text, "solved: {solved} of {all}")?;
    Ok(text.into())
}
