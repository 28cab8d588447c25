//! `tabiya classic checker`.

use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use tabiya_classics::checker::{self, CheckSummary, CheckerError};
use tabiya_games::{Input, InputError, display_name, is_standard_input};

use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::pgn::progress::ProgressBar;
use crate::remark;
use crate::screen::{CommandOutput, Screen};
use crate::target::Target;

/// The exit code if a line has a wrong format.
const BAD_LINES: u8 = 1;

/// Check whether moves on given boards are legal
///
/// Each line of INPUT is a board, a colon and moves, as in "k 4 4 r 8 2 B 1 1 K 4 7: 8 2 2 2 1 1 3 3". The board is a
/// list of piece, column and row: k q r b n p are White's, K Q R B N P Black's, and row 1 is White's. A move is four
/// numbers: from column, from row, to column, to row. White moves first. There is no castling, en passant or promotion.
/// If two pieces are on one square, the later one counts. If a side has several kings, none of them may be left in
/// check. A king can be captured. A line without moves is legal.
///
/// Each line of OUTPUT answers the same line of INPUT: "Legal", or the first illegal move as "1 1 3 3 illegal", or
/// "error:" and a reason if the line has a wrong format. Words are separated by spaces or tabs, numbers are single
/// digits, and line breaks may be those of Windows.
///
/// The exit code is 0, or 1 if a line has a wrong format, or 2 if a file cannot be read or written. OUTPUT is replaced
/// only after all lines have been checked.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya classic checker boards.txt answers.txt"
    "tabiya classic checker boards.txt answers.txt --explain"
    "zcat boards.gz | tabiya classic checker - answers.txt"
))]
pub(crate) struct Arguments {
    /// File of lines to check, compressed or not; - for standard input
    input: PathBuf,

    /// File for the answers; - for standard output
    output: PathBuf,

    /// Also print the board after each move, and why a move is illegal
    #[arg(long)]
    explain: bool,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads, conflicts_with = "explain")]
    threads: Option<usize>,
}

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<CommandOutput> {
    if arguments.explain && is_standard_input(&arguments.output) {
        bail!(
            "with --explain, standard output shows the explanation; name a file for the answers instead of -"
        );
    }
    let mut target = Target::open(Some(&arguments.output))?;
    let summary = match check(arguments, &mut target) {
        Ok(summary) => summary,
        Err(error) if target.replaced_file().is_some() => {
            return Err(error.context(format!("{} is unchanged", display_name(&arguments.output))));
        }
        Err(error) => return Err(error),
    };
    target.commit()?;
    if summary.errors > 0 {
        remark(format_args!(
            "{}: {} of {} lines have a wrong format; see the errors in {}",
            display_name(&arguments.input),
            summary.errors,
            summary.lines,
            if is_standard_input(&arguments.output) {
                "standard output".to_owned()
            } else {
                display_name(&arguments.output)
            }
        ));
    }
    Ok(CommandOutput::code(if summary.errors > 0 {
        BAD_LINES
    } else {
        0
    }))
}

fn check(arguments: &Arguments, target: &mut Target) -> anyhow::Result<CheckSummary> {
    let path = &arguments.input;
    let mut progress = ProgressBar::new(std::slice::from_ref(path), !arguments.explain);
    let bytes_read = Arc::new(AtomicU64::new(0));
    let input = Input::open_counted(path, &bytes_read)?;
    let failure = input.error();
    let checked = if arguments.explain {
        let mut explanation = BufWriter::new(io::stdout().lock());
        checker::explain(BufReader::new(input), target, &mut explanation)
    } else {
        let threads = arguments.threads.unwrap_or_else(cores);
        checker::check(input, target, threads, || {
            progress.show(bytes_read.load(Ordering::Relaxed));
        })
    };
    progress.clear();
    if let Some(error) = failure.take() {
        return Err(InputError::new(path, error).into());
    }
    match checked {
        Ok(summary) => Ok(summary),
        Err(CheckerError::Write(error)) => Err(target.error(error)),
        Err(CheckerError::Explain(error)) => Err(error).context("cannot write the explanation"),
        Err(failure) => Err(failure.into()),
    }
}
