//! The positions of an EPD file, one after the other.

use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Serialize;
use tabiya_engine::prove::Prover;
use tabiya_notation::Epd;

use super::report::{Report, Word};
use super::{Arguments, NO_MATE, NOT_DECIDED, prove};
use crate::input::{Input, Unreadable, name};
use crate::screen::{Answer, Screen};
use crate::status_line::StatusLine;
use crate::{FAILURE, complain};

/// Proves every position, and prints each result at once: whoever interrupts it keeps what there is.
pub(super) fn run(
    arguments: &Arguments,
    path: &Path,
    prover: &mut Prover,
    screen: Screen,
) -> anyhow::Result<Answer> {
    let file = name(path);
    let input = Input::open(path)?;
    let failure = input.failure();
    let mut lines = BufReader::new(input);
    let start = Instant::now();
    let mut sum = Sum::default();
    let mut progress = StatusLine::new();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if lines.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if text.is_empty() || text.starts_with(['#', '%']) {
            continue;
        }
        progress.show(&format!("{} positions, now line {number}", sum.positions));
        let epd: Epd = match text.parse() {
            Ok(epd) => epd,
            Err(error) => {
                progress.clear();
                complain(format_args!("{file}:{number}: {error}"));
                sum.unreadable += 1;
                continue;
            }
        };
        let report = prove(arguments, &epd.board, prover, &mut |_, _| {});
        let told = told(&epd);
        let agrees = told.and_then(|told| agrees(&report, told));
        sum.add(&report, agrees);
        progress.clear();
        let entry = Entry {
            line_number: number,
            report: &report,
            told,
            agrees,
        };
        crate::print(&entry.print(arguments, &file, screen)?)?;
    }
    progress.clear();
    if let Some(error) = failure.take() {
        return Err(Unreadable::new(path, error).into());
    }
    if sum.positions + sum.unreadable == 0 {
        bail!("there is no position in {file}: write one in each line, as EPD or FEN");
    }
    let text = if arguments.json {
        String::new()
    } else {
        sum.print(start.elapsed(), screen)?
    };
    let code = sum.code();
    Ok(Answer { text, code })
}

/// The distance that the operation `dm` tells.
fn told(epd: &Epd) -> Option<u32> {
    let moves = epd.operand("dm")?.parse().ok();
    moves.filter(|&moves| moves > 0)
}

/// Whether what was proved is what the file tells; nothing if that is still open.
fn agrees(report: &Report, told: u32) -> Option<bool> {
    match report.mate_in {
        Some(moves) => Some(moves == told),
        None if told <= report.no_mate_in => Some(false),
        None if report.verdict == Word::NoMate => Some(true),
        None => None,
    }
}

/// One position of a file, for programs as it stands.
#[derive(Serialize)]
struct Entry<'a> {
    line_number: usize,
    #[serde(flatten)]
    report: &'a Report,
    #[serde(rename = "dm", skip_serializing_if = "Option::is_none")]
    told: Option<u32>,
    #[serde(rename = "as_told", skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
}

impl Entry<'_> {
    fn print(&self, arguments: &Arguments, file: &str, screen: Screen) -> anyhow::Result<String> {
        if arguments.json {
            return screen.json(self);
        }
        let mut line = format!(
            "{file}:{}: {}",
            self.line_number,
            self.report.sentence(arguments)
        );
        if let (Some(told), Some(false)) = (self.told, self.agrees) {
            write!(line, ", but the file tells of a mate in {told}")?;
        }
        Ok(screen.wrap(&line, 2))
    }
}

/// All positions of a file together.
#[derive(Default)]
struct Sum {
    positions: usize,
    mates: usize,
    without: usize,
    not_decided: usize,
    told: usize,
    not_as_told: usize,
    unreadable: usize,
}

impl Sum {
    fn add(&mut self, report: &Report, agrees: Option<bool>) {
        self.positions += 1;
        match report.verdict {
            Word::Mate => self.mates += 1,
            Word::NoMate => self.without += 1,
            Word::NotDecided => self.not_decided += 1,
        }
        match agrees {
            Some(true) => self.told += 1,
            Some(false) => self.not_as_told += 1,
            None => {}
        }
    }

    fn code(&self) -> u8 {
        if self.unreadable > 0 {
            FAILURE
        } else if self.without + self.not_as_told > 0 {
            NO_MATE
        } else if self.not_decided > 0 {
            NOT_DECIDED
        } else {
            0
        }
    }

    fn print(&self, elapsed: Duration, screen: Screen) -> anyhow::Result<String> {
        let mut line = format!(
            "{} positions in {:.1} s: {} with a mate, {} without, {} not decided",
            self.positions,
            elapsed.as_secs_f64(),
            self.mates,
            self.without,
            self.not_decided
        );
        if self.told + self.not_as_told > 0 {
            let (told, not) = (self.told, self.not_as_told);
            write!(line, "; {told} as the file tells, {not} not")?;
        }
        if self.unreadable > 0 {
            write!(line, "; {} lines cannot be read", self.unreadable)?;
        }
        Ok(screen.wrap(&line, 2))
    }
}
