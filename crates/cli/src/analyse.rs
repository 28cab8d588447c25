//! `tabiya analyse`: what positions are worth, and what the moves of games were.

mod games;
mod output;
mod position;
mod positions;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use tabiya_games::convert::Format;
use tabiya_games::{Input, InputError, display_name};
use tabiya_board::GameHistory;
use tabiya_engine::{Engine, Limits, StopSignal};

use crate::arguments::{cores, parse_seconds, parse_threads};
use crate::examples;
use crate::pgn::letters;
use crate::pgn::show::parse_number;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};

/// The exit code of what was interrupted, as shells know it.
const INTERRUPTED: u8 = 130;

/// Analyse a position, the moves of games, or a file of positions
///
/// All scores are White's, in pawns: +0.50 is half a pawn for White, and #-3 a mate in three moves by Black.
///
/// A FEN, and with --ply a place in a game: a table of the best lines that is drawn anew while the engine thinks, until a
/// limit or Ctrl+C. Elsewhere than on a terminal the table is printed once, after five seconds if there is no limit.
///
/// Games (PGN): every position of the main line is evaluated, 0.4 seconds each if there is no limit. The games are
/// written with [%eval] for each move, and for inaccuracies, mistakes and blunders the glyph ?!, ? or ??, a comment and
/// the best line as a variation; all else in them stays, but what an earlier analysis said is replaced. Judgements,
/// accuracy and average loss are counted as Lichess does. A game that cannot be read is told on standard error and left
/// as it is; the exit code is then 1.
///
/// Positions (EPD or FEN, one a line): they are written with the operations acd, acn, ce and pv, one second each if there
/// is no limit. Where there are best moves (bm) or moves to avoid (am), it is told whether the engine finds them. A line
/// that cannot be read is told on standard error and left as it is; the exit code is then 2.
///
/// What is written goes to standard output, and the report (the graph, the summary, what is said about bad moves) to
/// standard error if that is a terminal. With -o, the file gets what is written and standard output the report. Each game
/// is written as soon as it is done. After Ctrl+C, the file has the games that were not reached as they were; the exit
/// code is 130.
#[derive(Args)]
#[command(override_usage = "tabiya analyse [OPTIONS] [FEN|FILE]", after_help = examples!(
    "tabiya analyse \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\" --lines 3 --depth 10"
    "tabiya analyse games.pgn -o analysed.pgn --svg graph.svg"
    "tabiya analyse games.pgn --game 1 --time 1 | less"
    "tabiya analyse games.pgn --ply 1 --depth 10"
    "tabiya analyse games.pgn --depth 10 --json | jq .white.accuracy"
    "tabiya analyse positions.epd --time 1"
))]
pub(crate) struct Arguments {
    /// A file of games (PGN) or positions (EPD, FEN), compressed or not; - for standard input
    #[arg(value_name = "FILE", conflicts_with = "fen")]
    file: Option<PathBuf>,

    #[command(flatten)]
    fen: FenOption,

    /// Analyse this game only, counted from 1
    #[arg(long, value_name = "N", requires = "file", value_parser = parse_number)]
    game: Option<usize>,

    /// Analyse the position after so many moves of both sides, 0 for the start
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["output", "svg"])]
    ply: Option<usize>,

    /// How many best lines to find in a position
    #[arg(long, alias = "multipv", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    lines: u16,

    /// Look ahead so many plies in each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=99))]
    depth: Option<u32>,

    /// Look at so many nodes in each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Think so many seconds about each position
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,

    /// How many threads think; without it one for each core, but only one with --depth or --nodes, so that the result is
    /// always the same
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// Megabytes of the table
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Write the games or positions to this file, and the report to standard output
    #[arg(long, short, value_name = "FILE", requires = "file")]
    output: Option<PathBuf>,

    /// Draw White's chances over the moves of a game to this file; of several games, each to one with its number
    #[arg(long, value_name = "FILE", requires = "file")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    read: letters::Language,

    /// Print all that was found as JSON, one object for each game or position
    #[arg(long)]
    json: bool,

    /// With --json and one position: print an object whenever a depth is done, and one at the end
    #[arg(long, requires = "json")]
    live: bool,
}

impl Arguments {
    /// The limits for each position, with a time where there is none.
    fn limits(&self, usual: Option<Duration>) -> Limits {
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.time.is_some();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: if is_limited { self.time } else { usual },
            ..Limits::default()
        }
    }

    fn engine(&self) -> anyhow::Result<Engine> {
        let mut engine = Engine::default();
        engine.set_hash(self.hash as usize)?;
        let is_exact = self.depth.is_some() || self.nodes.is_some();
        let usual = if is_exact { 1 } else { cores() };
        engine.set_threads(self.threads.unwrap_or(usual));
        engine.set_multipv(self.lines.into());
        Ok(engine)
    }
}

/// A signal that the first Ctrl+C gives.
fn interruptible() -> StopSignal {
    let signal = StopSignal::default();
    #[cfg(unix)]
    crate::interrupt::stop_first(&signal);
    signal
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    if arguments.live && arguments.file.is_some() && arguments.ply.is_none() {
        bail!("--live is for one position: name a place in a game with --ply");
    }
    let Some(path) = &arguments.file else {
        let board = arguments.fen.board()?;
        return position::run(arguments, &GameHistory::new(board), screen);
    };
    let (kind, input) = open(path)?;
    match kind {
        Kind::Games => games::run(arguments, path, input, screen),
        Kind::Positions => {
            for (is_given, option) in [
                (arguments.game.is_some(), "--game"),
                (arguments.ply.is_some(), "--ply"),
                (arguments.svg.is_some(), "--svg"),
            ] {
                if is_given {
                    bail!("{option} is for games, and {} has positions", display_name(path));
                }
            }
            positions::run(arguments, path, input, screen)
        }
    }
}

/// What is in a file.
enum Kind {
    Games,
    Positions,
}

/// Opens a file and tells by its name, or else by its first line, what is in it.
fn open(path: &Path) -> anyhow::Result<(Kind, Input)> {
    let unreadable = |error| InputError::new(path, error);
    let mut input = Input::open(path)?;
    let format = match Format::of_name(path) {
        Some(format) => format,
        None => Format::of_line(&input.peek_line().map_err(unreadable)?),
    };
    let kind = match format {
        Format::Fen | Format::Epd => Kind::Positions,
        Format::Pgn | Format::San => Kind::Games,
        Format::Uci => bail!(
            "{} has the moves of engines: make games of them with tabiya convert --to pgn",
            display_name(path)
        ),
    };
    Ok((kind, input))
}
