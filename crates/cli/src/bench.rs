//! `tabiya bench`: measures the engine.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use tabiya_board::{Board, Line};
use tabiya_engine::{Engine, Limits, Signal, bench};
use tabiya_notation::{Epd, write_move};

use crate::examples;
use crate::expected::Expected;
use crate::input::{name, read_whole};
use crate::screen::{Answer, Screen};

/// Measure the engine
///
/// Searches forty positions and prints how many it looked at: the number is the same on every machine and changes only
/// when the search does. With --epd, counts in how many positions of a file the engine finds the best move (bm) or
/// avoids the bad one (am).
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya bench"
    "tabiya bench --depth 10"
    "tabiya bench --epd positions.epd --time 1"
))]
pub(crate) struct Arguments {
    /// How many plies to look ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=99))]
    depth: Option<u32>,

    /// A file of positions with their best moves, one EPD a line
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,

    /// Seconds for each position of the file
    #[arg(long, value_name = "SECONDS", requires = "epd", value_parser = crate::arguments::parse_seconds)]
    time: Option<Duration>,

    /// Megabytes of the table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// How many threads think
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::arguments::parse_threads)]
    threads: usize,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let mut engine = Engine::default();
    engine.set_hash(arguments.hash as usize)?;
    engine.set_threads(arguments.threads);
    if let Some(path) = &arguments.epd {
        return suite(&mut engine, path, arguments);
    }
    let depth = arguments.depth.unwrap_or(bench::DEPTH);
    let work = bench::bench(&mut engine, depth, &Signal::default())
        .context("a position of the bench has no move")?;
    let per_second = (work.nodes as f64 / work.time.as_secs_f64().max(1e-9)) as u64;
    let mut text = String::new();
    writeln!(text, "nodes: {}", screen.number(work.nodes))?;
    writeln!(text, "time:  {:.3} s", work.time.as_secs_f64())?;
    writeln!(
        text,
        "speed: {} nodes per second",
        screen.number(per_second)
    )?;
    Ok(text.into())
}

/// A position and the moves that solve it, or that do not.
struct Problem {
    name: String,
    board: Board,
    expected: Expected,
}

impl Problem {
    fn read(line: &str, number: usize) -> anyhow::Result<Self> {
        let epd: Epd = line.parse()?;
        let Some(expected) = Expected::of(&epd)? else {
            bail!("there is neither a best move (bm) nor one to avoid (am)");
        };
        let name = epd
            .operand("id")
            .map_or_else(|| format!("line {number}"), str::to_owned);
        Ok(Self {
            name,
            board: epd.board,
            expected,
        })
    }
}

/// Lets the engine solve the problems of a file.
fn suite(engine: &mut Engine, path: &Path, arguments: &Arguments) -> anyhow::Result<Answer> {
    let shown = name(path);
    let file = read_whole(path)?;
    let limits = Limits {
        depth: arguments.depth,
        time: match (arguments.time, arguments.depth) {
            (None, None) => Some(Duration::from_secs(1)),
            (time, _) => time,
        },
        ..Limits::default()
    };
    let mut text = String::new();
    let (mut solved, mut all) = (0, 0);
    for (index, line) in file.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let problem =
            Problem::read(line, index + 1).with_context(|| format!("{shown}:{}", index + 1))?;
        engine.forget();
        let Some(thought) = engine.think(&Line::new(problem.board), &limits, &mut |_| {}) else {
            bail!("{shown}:{}: there is no legal move", index + 1);
        };
        all += 1;
        if problem.expected.is_met_by(thought.best) {
            solved += 1;
        } else {
            let found = write_move(&problem.board, thought.best);
            writeln!(text, "{}: {}", problem.name, found.as_str())?;
        }
    }
    if all == 0 {
        bail!("there is no position in {shown}: write one in each line, as EPD");
    }
    writeln!(text, "solved: {solved} of {all}")?;
    Ok(text.into())
}
