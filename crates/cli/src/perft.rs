//! `tabiya perft`: counts sequences of legal moves.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use tabiya_notation::uci;
use tabiya_perft::{CountTable, MAX_DEPTH};

use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;

/// A terabyte.
const MAX_HASH_MB: usize = 1 << 20;

/// Count sequences of legal moves
///
/// Perft tests a move generator: its counts are known for many positions. With --hash, positions reached in several
/// ways are counted only once. The table identifies positions by 64-bit keys, so a wrong count is possible, but
/// extremely unlikely.
#[derive(Args)]
#[command(override_usage = "tabiya perft [OPTIONS] [FEN] <DEPTH>", after_help = examples!(
    "tabiya perft 6"
    "tabiya perft 4 --divide"
    "tabiya perft 7 --threads 8 --hash 1024"
    "tabiya perft 6 --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\""
))]
pub(crate) struct Arguments {
    /// Length of the sequences, in plies
    #[arg(value_parser = parse_depth)]
    depth: u32,

    #[command(flatten)]
    fen: FenOption,

    /// Also print the count for each first move
    #[arg(long)]
    divide: bool,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// Size of the table of counts in megabytes; 0 for none
    #[arg(long, value_name = "MB", default_value = "0", hide_default_value = true, value_parser = parse_hash)]
    hash: usize,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn parse_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|&depth| depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("use a whole number from 0 to {MAX_DEPTH}"))
}

fn parse_hash(text: &str) -> Result<usize, String> {
    let megabytes = text.parse().ok().filter(|&size| size <= MAX_HASH_MB);
    megabytes.ok_or_else(|| format!("use a number of megabytes from 0 to {MAX_HASH_MB}"))
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let board = arguments.fen.board()?;
    let threads = arguments.threads.unwrap_or_else(cores);
    let table = match arguments.hash {
        0 => None,
        megabytes => match CountTable::new(megabytes) {
            Ok(table) => Some(table),
            Err(_) => {
                bail!("not enough memory for a table of {megabytes} MB; try a smaller --hash")
            }
        },
    };

    let start = Instant::now();
    let mut status = StatusLine::new();
    let counts = tabiya_perft::perft(
        &board,
        arguments.depth,
        threads,
        table.as_ref(),
        |progress| {
            status.show_now_and_then(|| {
                let percent = progress.done * 100 / progress.tasks.max(1);
                let seconds = start.elapsed().as_secs();
                let millions = progress.nodes / 1_000_000;
                format!("{percent} %, {seconds} s, {millions} million nodes")
            });
        },
    );
    status.clear();
    let Some(counts) = counts else {
        bail!("there are more than 2^64 sequences of moves; try a smaller depth");
    };

    let seconds = start.elapsed().as_secs_f64();
    let by_move = counts.by_move.iter();
    let report = PerftReport {
        fen: board.to_string(),
        depth: arguments.depth,
        nodes: counts.total,
        seconds,
        nodes_per_second: (counts.total as f64 / seconds.max(1e-9)) as u64,
        threads,
        hash_mb: arguments.hash,
        divide: arguments.divide.then(|| {
            by_move
                .map(|&(mv, nodes)| (uci::write(&board, mv).to_string(), nodes))
                .collect()
        }),
    };
    if arguments.json {
        return Ok(screen.json(&report)?.into());
    }
    Ok(report.text(screen)?.into())
}

/// The result, also as JSON.
#[derive(Serialize)]
struct PerftReport {
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    threads: usize,
    hash_mb: usize,
    /// Counts by first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
}

impl PerftReport {
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
                // Room for the letter of a promotion, so that the numbers line up.
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
