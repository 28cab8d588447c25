//! `tabiya classic checker`.

use std::io::{self, BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use tabiya_classics::checker::{self, Failure, Summary};

use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::input::{Input, Unreadable, is_standard_input, name};
use crate::pgn::progress::Progress;
use crate::remark;
use crate::screen::{Answer, Screen};
use crate::target::Target;

/// The exit code where a line is not in the format.
const ERRORS: u8 = 1;

/// Check boards and move sequences: are these moves legal?
///
/// Each line of INPUT is a board, a colon and moves, as in "k 4 4 r 8 2 B 1 1 K 4 7: 8 2 2 2 1 1 3 3". The board is a
/// list of piece, column and row: k q r b n p are White's, K Q R B N P Black's, and row 1 is White's. A move is four
/// numbers: from column, from row, to column, to row. White moves first. There is no castling, no en passant and no
/// promotion. Of two pieces on one square the later one stands there; of several kings of a side none may be left
/// attacked; a king can be captured; a line without moves is legal.
///
/// Each line of OUTPUT answers the same line of INPUT: "Legal", or the first illegal move as "1 1 3 3 illegal", or, if
/// something in the line is not in the format, "error:" and the reason. Words are separated by spaces or tabs, numbers are
/// single digits, line breaks may be those of Windows.
///
/// The exit code is 0, or 1 if some line is not in the format, or 2 if a file cannot be read or written. OUTPUT is
/// written over only when all is done.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya classic checker boards.txt answers.txt"
    "tabiya classic checker boards.txt answers.txt --explain"
    "zcat boards.gz | tabiya classic checker - answers.txt"
))]
pub(crate) struct Arguments {
    /// The lines to check, compressed or not; - is standard input
    input: PathBuf,

    /// The file for the answers; - is standard output
    output: PathBuf,

    /// Also print each board after every move, and why a move is illegal
    #[arg(long)]
    explain: bool,

    /// How many threads work; without it, one for each core
    #[arg(long, value_name = "N", value_parser = parse_threads, conflicts_with = "explain")]
    threads: Option<usize>,
}

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    if arguments.explain && is_standard_input(&arguments.output) {
        bail!(
            "with --explain, standard output has the explanation: name a file for the answers instead of -"
        );
    }
    let mut target = Target::open(Some(&arguments.output))?;
    let summary = match check(arguments, &mut target) {
        Ok(summary) => summary,
        Err(error) if matches!(target, Target::File { .. }) => {
            return Err(error.context(format!("{} is left as it was", name(&arguments.output))));
        }
        Err(error) => return Err(error),
    };
    target.keep()?;
    if summary.errors > 0 {
        remark(format_args!(
            "{}: {} of {} lines are not in the format; {} says what is wrong with each",
            name(&arguments.input),
            summary.errors,
            summary.lines,
            if is_standard_input(&arguments.output) {
                "standard output".to_owned()
            } else {
                name(&arguments.output)
            }
        ));
    }
    Ok(Answer {
        text: String::new(),
        code: if summary.errors > 0 { ERRORS } else { 0 },
    })
}

fn check(arguments: &Arguments, target: &mut Target) -> anyhow::Result<Summary> {
    let path = &arguments.input;
    let mut progress = Progress::new(std::slice::from_ref(path), !arguments.explain);
    let input = Input::open_counted(path, &progress.counter())?;
    let failure = input.failure();
    let checked = if arguments.explain {
        let mut explanation = BufWriter::new(UntilClosed(Some(io::stdout().lock())));
        let checked = checker::explain(BufReader::new(input), target, &mut explanation);
        checked.and_then(|summary| {
            explanation.flush().map_err(Failure::Explain)?;
            Ok(summary)
        })
    } else {
        let threads = arguments.threads.unwrap_or_else(cores);
        checker::check(input, target, threads, || progress.show())
    };
    progress.clear();
    if let Some(error) = failure.take() {
        return Err(Unreadable::new(path, error).into());
    }
    match checked {
        Ok(summary) => Ok(summary),
        Err(Failure::Write(error)) => Err(target.failed(error)),
        Err(Failure::Explain(error)) => Err(error).context("cannot write the explanation"),
        Err(failure) => Err(failure.into()),
    }
}

/// Lets a reader who has seen enough of the explanation go: the answers are still written.
struct UntilClosed<W>(Option<W>);

impl<W: Write> UntilClosed<W> {
    fn attempt<T>(
        &mut self,
        all: T,
        attempt: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        match self.0.as_mut().map(attempt) {
            None => Ok(all),
            Some(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.0 = None;
                Ok(all)
            }
            Some(done) => done,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt((), W::flush)
    }
}
