//! `tabiya perft`: counts the sequences of legal moves.

mod count;
mod progress;
mod table;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use tabiya_board::Board;
use tabiya_notation::uci;

use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::position::FenOption;
use crate::screen::{Answer, Screen};
use count::{Counted, OVERFLOW};
use progress::Progress;
use table::Table;

/// The greatest depth: more than anybody can count to, and little enough for the stack of a thread.
const DEEPEST: u32 = 100;
/// A thousand gigabytes.
const LARGEST_HASH: usize = 1 << 20;

/// Count the sequences of legal moves
///
/// Known counts show whether a move generator is right, and the time how fast it is. The count is the same whatever the
/// options. With --hash, positions that come about in several ways are counted once. They are told apart by keys of 64
/// bits: a wrong count is possible in principle, with vanishing probability.
#[derive(Args)]
#[command(override_usage = "tabiya perft [OPTIONS] [FEN] <DEPTH>", after_help = examples!(
    "tabiya perft 6"
    "tabiya perft 4 --divide"
    "tabiya perft 7 --threads 8 --hash 1024"
    "tabiya perft 6 --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\""
))]
pub(crate) struct Arguments {
    /// How many moves long the sequences are, those of both sides counted
    #[arg(value_parser = parse_depth)]
    depth: u32,

    #[command(flatten)]
    fen: FenOption,

    /// Also print the count after each first move
    #[arg(long)]
    divide: bool,

    /// How many threads count; without it, one for each core
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// Remember counts in a table of so many megabytes; 0 for none
    #[arg(long, value_name = "MB", default_value = "0", hide_default_value = true, value_parser = parse_hash)]
    hash: usize,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn parse_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|&depth| depth <= DEEPEST);
    depth.ok_or_else(|| format!("give a whole number from 0 to {DEEPEST}"))
}

fn parse_hash(text: &str) -> Result<usize, String> {
    let megabytes = text.parse().ok().filter(|&size| size <= LARGEST_HASH);
    megabytes.ok_or_else(|| format!("give a number of megabytes from 0 to {LARGEST_HASH}"))
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let board = arguments.fen.board()?;
    let threads = arguments.threads.unwrap_or_else(cores);
    let table = match arguments.hash {
        0 => None,
        megabytes => match Table::new(megabytes) {
            Ok(table) => Some(table),
            Err(_) => bail!(
                "there is no memory for a table of {megabytes} MB: give --hash a smaller number"
            ),
        },
    };

    let start = Instant::now();
    let mut progress = Progress::new(start);
    let counted = count::count(
        &board,
        arguments.depth,
        threads,
        table.as_ref(),
        |done, all, nodes| progress.show(done, all, nodes),
    );
    progress.clear();
    if counted.total == OVERFLOW {
        bail!("there are more than 2^64 sequences: give a smaller depth");
    }

    let report = Report::of(&board, arguments, threads, &counted, start.elapsed());
    if arguments.json {
        return Ok(screen.json(&report)?.into());
    }
    Ok(report.text(screen)?.into())
}

/// The result, for programs as it stands.
#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    threads: usize,
    hash_mb: usize,
    /// The counts by first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
}

impl Report {
    fn of(
        board: &Board,
        arguments: &Arguments,
        threads: usize,
        counted: &Counted,
        elapsed: Duration,
    ) -> Self {
        let by_move = counted.by_move.iter();
        Self {
            fen: board.to_string(),
            depth: arguments.depth,
            nodes: counted.total,
            seconds: elapsed.as_secs_f64(),
            nodes_per_second: per_second(counted.total, elapsed),
            threads,
            hash_mb: arguments.hash,
            divide: arguments.divide.then(|| {
                by_move
                    .map(|&(mv, nodes)| (uci::write(board, mv).to_string(), nodes))
                    .collect()
            }),
        }
    }

    fn text(&self, screen: Screen) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        if let Some(divide) = &self.divide {
            let width = divide
                .values()
                .map(|&nodes| screen.number(nodes).len())
                .max()
                .filter(|_| screen.terminal)
                .unwrap_or(0);
            for (mv, &nodes) in divide {
                // Room for the letter of a promotion, so that numbers stand below each other.
                let name = format!("{mv}:");
                let name_width = if screen.terminal { 6 } else { 0 };
                writeln!(text, "{name:name_width$} {:>width$}", screen.number(nodes))?;
            }
            text.push('\n');
        }
        writeln!(text, "nodes: {}", screen.number(self.nodes))?;
        writeln!(text, "time:  {:.3} s", self.seconds)?;
        writeln!(
            text,
            "speed: {} nodes per second",
            screen.number(self.nodes_per_second)
        )?;
        Ok(text)
    }
}

fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as f64 / elapsed.as_secs_f64().max(1e-9)) as u64
}
