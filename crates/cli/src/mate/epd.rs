//! Proves the positions of an EPD file.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use serde::Serialize;
use tabiya_engine::prove::{MateProblem, Prover, SuiteSummary};
use tabiya_games::{EpdLines, Input, InputError, MAX_LINE, display_name};
use tabiya_review::MateJson;

use super::{Arguments, NO_MATE, UNDECIDED};
use crate::pgn::note_encoding;
use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;
use crate::{FAILURE, print_error};

/// Proves every position and prints each result at once, so that an interruption loses nothing.
pub(super) fn run(
    arguments: &Arguments,
    path: &Path,
    prover: &mut Prover,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    let file = display_name(path);
    let mut input = Input::open(path)?;
    let failure = input.error();
    note_encoding(path, input.known_encoding()?);
    let mut lines = EpdLines::new(input, MAX_LINE);
    let start = Instant::now();
    let mut summary = SuiteSummary::default();
    let mut unreadable = 0;
    let mut status = StatusLine::new();
    while lines.read()? {
        let number = lines.number();
        status.show(&format!(
            "{} positions, now line {number}",
            summary.positions()
        ));
        let problem = match lines.position() {
            None => continue,
            Some(Ok(epd)) => MateProblem::from(&epd),
            Some(Err(error)) => {
                status.clear();
                print_error(format_args!("{file}:{number}: {error}"));
                unreadable += 1;
                continue;
            }
        };
        let limits = arguments.limits();
        let proof = prover.prove(&problem.board, arguments.moves, &limits, &mut |_, _| {});
        summary.add(&problem, &proof);
        status.clear();
        let entry = Entry {
            line_number: number,
            report: MateJson::new(&problem.board, &proof),
            dm: problem.distance,
            agrees: problem
                .distance
                .and_then(|distance| proof.agrees_with(distance)),
        };
        crate::print(&entry.print(arguments, &file, screen)?)?;
    }
    status.clear();
    if let Some(error) = failure.take() {
        return Err(InputError::new(path, error).into());
    }
    if summary.positions() + unreadable == 0 {
        bail!("no position in {file}; write one EPD or FEN per line");
    }
    let text = if arguments.json {
        String::new()
    } else {
        let positions = summary.positions();
        let seconds = start.elapsed().as_secs_f64();
        let mut line = format!("{positions} positions in {seconds:.1} s: {summary}");
        if unreadable > 0 {
            write!(line, "; {unreadable} unreadable lines")?;
        }
        screen.wrap(&line, 2)
    };
    let code = code(&summary, unreadable);
    Ok(CommandOutput { text, code })
}

/// The result for one position of a file, as it is written as JSON.
#[derive(Serialize)]
struct Entry {
    line_number: usize,
    #[serde(flatten)]
    report: MateJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    dm: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
}

impl Entry {
    fn print(&self, arguments: &Arguments, file: &str, screen: Screen) -> anyhow::Result<String> {
        if arguments.json {
            return screen.json(self);
        }
        let sentence = self.report.sentence(&arguments.limits());
        let mut line = format!("{file}:{}: {sentence}", self.line_number);
        if let (Some(distance), Some(false)) = (self.dm, self.agrees) {
            write!(line, ", but the file says mate in {distance}")?;
        }
        Ok(screen.wrap(&line, 2))
    }
}

fn code(summary: &SuiteSummary, unreadable: usize) -> u8 {
    if unreadable > 0 {
        FAILURE
    } else if summary.no_mates + summary.disagreed > 0 {
        NO_MATE
    } else if summary.undecided > 0 {
        UNDECIDED
    } else {
        0
    }
}
