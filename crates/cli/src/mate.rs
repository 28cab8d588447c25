//! `tabiya mate`: proves mates.

mod epd;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tabiya_engine::prove::{MAX_MOVES, MateVerdict, ProofLimits, Prover};
use tabiya_review::MateJson;

use crate::examples;
use crate::position::FenOption;
use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;

/// Exit codes. 0 means mate, 2 an error.
const NO_MATE: u8 = 1;
const UNDECIDED: u8 = 3;

/// The size of the prover's table in megabytes. A short proof uses little of it.
const TABLE: usize = 256;

/// Prove a mate, or that there is none
///
/// Searches every move and every reply, so the answer is a proof: the shortest mate with a line in which the defender
/// holds out as long as possible, or that there is no mate. If a limit ends the search, the position is undecided.
/// Repetitions and the fifty-move rule are ignored.
///
/// The exit code is 0 for a mate, 1 for no mate and 3 for undecided. For a file it is 0 if every position has a mate,
/// of the length that its operation dm gives if it has one. Otherwise it is 2 if a line cannot be read, 1 if a position
/// has no such mate, and 3 if one is undecided.
#[derive(Args)]
#[command(override_usage = "tabiya mate [OPTIONS] [FEN] <MOVES>", after_help = examples!(
    "tabiya mate 2 --fen \"7k/8/8/8/8/8/R7/1R5K w - - 0 1\""
    "tabiya mate 4 --fen \"r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1\" --time 10"
    "tabiya mate 3 --epd positions.epd --time 1"
))]
pub(crate) struct Arguments {
    /// Longest mate to look for, in moves
    #[arg(value_parser = parse_moves)]
    moves: u32,

    #[command(flatten)]
    fen: FenOption,

    /// Prove the positions of an EPD file, one per line; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    epd: Option<PathBuf>,

    /// Time limit per position, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,

    /// Node limit per position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Print the result as JSON; for a file, one object per position
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn limits(&self) -> ProofLimits<'static> {
        ProofLimits {
            nodes: self.nodes,
            time: self.time,
            stop: None,
        }
    }
}

fn parse_moves(text: &str) -> Result<u32, String> {
    let moves = text.parse().ok();
    let possible = moves.filter(|moves| (1..=MAX_MOVES).contains(moves));
    possible.ok_or_else(|| format!("use a whole number from 1 to {MAX_MOVES}"))
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "use a number of seconds, such as 10 or 0.5".to_owned())
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let mut prover = Prover::new(TABLE);
    if let Some(path) = &arguments.epd {
        return epd::run(arguments, path, &mut prover, screen);
    }
    let board = arguments.fen.board()?;
    let mut status = StatusLine::new();
    let proof = prover.prove(
        &board,
        arguments.moves,
        &arguments.limits(),
        &mut |no_mate_in, elapsed| {
            status.show(&format!("no mate in {no_mate_in}, {} s", elapsed.as_secs()));
        },
    );
    status.clear();
    let report = MateJson::new(&board, &proof);
    let text = if arguments.json {
        screen.json(&report)?
    } else {
        screen.wrap(&report.sentence(&arguments.limits()), 2)
    };
    let code = match proof.verdict {
        MateVerdict::Mate { .. } => 0,
        MateVerdict::NoMate => NO_MATE,
        MateVerdict::Undecided { .. } => UNDECIDED,
    };
    Ok(CommandOutput { text, code })
}
