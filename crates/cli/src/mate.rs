//! `tabiya mate`: proves mates.

mod epd;
mod report;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use tabiya_board::Board;
use tabiya_engine::prove::{Limit, MOST_MOVES, Prover};

use crate::examples;
use crate::position::FenOption;
use crate::screen::{Answer, Screen};
use crate::status_line::StatusLine;
use report::Report;

/// The exit codes: 0 is left to a mate, and 2 to what goes wrong.
const NO_MATE: u8 = 1;
const NOT_DECIDED: u8 = 3;

/// Megabytes for what has been proved. A short proof uses little of it.
const TABLE: usize = 256;

/// Prove that there is a mate, or that there is none
///
/// Looks at every move and every reply, so that the answer is a proof: the shortest mate with its line, in which the
/// defender holds out as long as can be, or that there is none. With a limit there is a third answer, that it is not
/// decided, but never a guess. Repetitions and the fifty-move rule are not looked at.
///
/// The exit code is 0 for a mate, 1 for none and 3 where it is not decided. For a file it is 0 if every position has a
/// mate, and the one that its operation dm tells, if there is one; otherwise 1 or 3, whichever comes first in this list.
#[derive(Args)]
#[command(override_usage = "tabiya mate [OPTIONS] [FEN] <MOVES>", after_help = examples!(
    "tabiya mate 2 --fen \"7k/8/8/8/8/8/R7/1R5K w - - 0 1\""
    "tabiya mate 4 --fen \"r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1\" --time 10"
    "tabiya mate 3 --epd positions.epd --time 1"
))]
pub(crate) struct Arguments {
    /// In how many moves of the side to move the mate has to come at the latest
    #[arg(value_parser = parse_moves)]
    moves: u32,

    #[command(flatten)]
    fen: FenOption,

    /// Prove the positions of an EPD file, one in each line; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    epd: Option<PathBuf>,

    /// Give up after so many seconds, for each position
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,

    /// Give up after so many positions looked at, for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Print the result as JSON, of a file one object for each position
    #[arg(long)]
    json: bool,
}

fn parse_moves(text: &str) -> Result<u32, String> {
    let moves = text.parse().ok();
    let possible = moves.filter(|moves| (1..=MOST_MOVES).contains(moves));
    possible.ok_or_else(|| format!("give a whole number from 1 to {MOST_MOVES}"))
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "give a number of seconds, such as 10 or 0.5".to_owned())
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let mut prover = Prover::new(TABLE);
    if let Some(path) = &arguments.epd {
        return epd::run(arguments, path, &mut prover, screen);
    }
    let board = arguments.fen.board()?;
    let mut progress = StatusLine::new();
    let report = prove(
        arguments,
        &board,
        &mut prover,
        &mut |no_mate_in, elapsed| {
            progress.show(&format!("no mate in {no_mate_in}, {} s", elapsed.as_secs()));
        },
    );
    progress.clear();
    let text = if arguments.json {
        screen.json(&report)?
    } else {
        screen.wrap(&report.sentence(arguments), 2)
    };
    Ok(Answer {
        text,
        code: report.code(),
    })
}

/// Proves one position. How far the proof is, is told now and then.
fn prove(
    arguments: &Arguments,
    board: &Board,
    prover: &mut Prover,
    progress: &mut dyn FnMut(u32, Duration),
) -> Report {
    let limit = Limit {
        nodes: arguments.nodes,
        time: arguments.time,
        stop: None,
    };
    let start = Instant::now();
    let before = prover.nodes();
    let verdict = prover.mate_reporting(board, arguments.moves, &limit, &mut |no_mate_in| {
        progress(no_mate_in, start.elapsed());
    });
    let nodes = prover.nodes() - before;
    Report::of(board, arguments.moves, &verdict, nodes, start.elapsed())
}
