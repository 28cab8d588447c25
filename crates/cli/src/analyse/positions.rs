//! The positions of a file, one after the other.

use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Serialize;
use tabiya_board::{Board, GameHistory};
use tabiya_notation::Score;
use tabiya_notation::uci::SearchInfo;
use tabiya_notation::{Epd, EpdError, Operand, Operation, write_san};
use tabiya_review::Eval;

use super::facts::LineFacts;
use super::output::Output;
use super::position::{lines, think};
use super::table::State;
use super::{Arguments, INTERRUPTED, interruptible};
use crate::expected::ExpectedMoves;
use crate::input::{Input, Unreadable, name};
use crate::pgn::printable;
use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;
use crate::{FAILURE, print_error, remark};

/// The time for each position if nothing else is said.
const USUAL: Duration = Duration::from_secs(1);
/// The operations that say what was found: how deep it was looked (in plies), at how many nodes, what the position is
/// worth to the side to move (in centipawns), and the best line.
const FOUND: [&str; 4] = ["acd", "acn", "ce", "pv"];

pub(super) fn run(
    arguments: &Arguments,
    path: &Path,
    input: Input,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    let file = name(path);
    let failure = input.failure();
    let mut reader = BufReader::new(input);
    let mut engine = arguments.engine()?;
    let limits = arguments.limits(Some(USUAL));
    let signal = interruptible();
    let mut output = Output::open(arguments)?;
    let mut status = StatusLine::new();
    let mut sum = Sum::default();
    let start = Instant::now();
    let mut bytes = Vec::new();
    let mut code = 0;
    for number in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        // What is no position stays, and in a file what was not reached.
        let as_it_is = format!("{text}\n");
        if signal.is_stopped() && !output.is_file() {
            break;
        }
        if signal.is_stopped() || text.is_empty() || text.starts_with(['#', '%']) {
            output.write(as_it_is.as_bytes())?;
            continue;
        }
        status.show(&format!("{} positions, now line {number}", sum.positions));
        let (mut epd, expected) = match read(text) {
            Ok(read) => read,
            Err(reason) => {
                status.clear();
                print_error(format_args!("{file}:{number}: {reason}"));
                sum.unreadable += 1;
                output.write(as_it_is.as_bytes())?;
                continue;
            }
        };
        let line = GameHistory::new(epd.board);
        // What was found in another position shall make no difference.
        engine.new_game();
        let state = think(&mut engine, &line, &limits, &signal, &mut |_| Ok(()))?;
        status.clear();
        if signal.is_stopped() {
            code = INTERRUPTED;
            remark(format_args!("interrupted in line {number}"));
            if output.is_file() {
                output.write(as_it_is.as_bytes())?;
            }
            continue;
        }
        let found = expected
            .zip(state.lines.first())
            .and_then(|(expected, info)| {
                let best = *info.pv.first()?;
                Some(expected.is_met_by(best))
            });
        sum.add(found);
        let entry = Entry {
            line_number: number,
            epd: &epd,
            state: &state,
            found,
        };
        if arguments.json {
            output.print(&screen.json(&entry.facts())?)?;
        }
        if let Some(reader) = output.reader() {
            output.say(&entry.row(&file, reader))?;
        }
        if let Some(info) = state.lines.first() {
            tell(&mut epd, info);
        }
        output.write(format!("{epd}\n").as_bytes())?;
    }
    status.clear();
    if let Some(error) = failure.take() {
        output.finish_early(path)?;
        return Err(Unreadable::new(path, error).into());
    }
    if sum.positions + sum.unreadable == 0 && code == 0 {
        bail!("there is no position in {file}: write one in each line, as EPD or FEN");
    }
    if let Some(reader) = output.reader() {
        output.say(&reader.wrap(&sum.sentence(start.elapsed()), 2))?;
    }
    output.finish()?;
    if sum.unreadable > 0 {
        code = FAILURE;
    }
    Ok(CommandOutput {
        text: String::new(),
        code,
    })
}

/// Reads a position and the moves that it asks for, or says what is wrong.
fn read(text: &str) -> Result<(Epd, Option<ExpectedMoves>), String> {
    let epd: Epd = text.parse().map_err(|error: EpdError| error.to_string())?;
    match ExpectedMoves::of(&epd) {
        Ok(expected) => Ok((epd, expected)),
        Err(error) => Err(format!("{error:#}")),
    }
}

/// Writes what was found into the operations, in the place of what an earlier analysis found.
fn tell(epd: &mut Epd, info: &SearchInfo) {
    epd.operations
        .retain(|operation| !FOUND.contains(&operation.opcode.as_str()));
    let mut now = epd.board;
    let moves = info.pv.iter().map(|&mv| {
        let san = write_san(&now, mv).to_string();
        now.play(mv);
        san
    });
    let values = [
        vec![info.depth.to_string()],
        vec![info.nodes.to_string()],
        vec![centipawns(info.score).to_string()],
        moves.collect(),
    ];
    for (opcode, operands) in FOUND.into_iter().zip(values) {
        epd.operations.push(Operation {
            opcode: opcode.to_owned(),
            operands: operands.into_iter().map(Operand::Symbol).collect(),
        });
    }
}

/// A score as EPD writes it, in which a mate is 32767 less the plies to it.
const fn centipawns(score: Score) -> i32 {
    const MATE: i32 = 32_767;
    match score {
        Score::Cp(points) => points,
        Score::Mate(moves) if moves > 0 => MATE - (2 * moves - 1),
        Score::Mate(moves) => -MATE - 2 * moves,
    }
}

/// One position of a file.
struct Entry<'a> {
    line_number: usize,
    epd: &'a Epd,
    state: &'a State<'a>,
    found: Option<bool>,
}

/// The same for programs.
#[derive(Serialize)]
struct Facts {
    line_number: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    /// Whether the best move is the one that the file tells, if it tells one.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<bool>,
    nodes: u64,
    seconds: f64,
    lines: Vec<LineFacts>,
}

impl Entry<'_> {
    fn facts(&self) -> Facts {
        let board: &Board = self.state.board;
        Facts {
            line_number: self.line_number,
            id: self.epd.operand("id").map(str::to_owned),
            fen: board.to_string(),
            outcome: board.outcome().map(|outcome| outcome.to_string()),
            found: self.found,
            nodes: self.state.nodes,
            seconds: self.state.time.as_secs_f64(),
            lines: lines(self.state),
        }
    }

    /// For people.
    fn row(&self, file: &str, screen: Screen) -> String {
        let board = self.state.board;
        let mut row = match self.epd.operand("id") {
            Some(id) => format!("{}: ", printable(id)),
            None => format!("{file}:{}: ", self.line_number),
        };
        // Writing to a string does not fail.
        let _ = match self.state.lines.first() {
            Some(info) => {
                let best = info.pv.first().map(|&mv| write_san(board, mv));
                write!(
                    row,
                    "{} {:+}",
                    best.as_deref().unwrap_or("-"),
                    Eval::new(info.score, board.turn())
                )
            }
            None => match board.outcome() {
                Some(outcome) => write!(row, "{outcome}"),
                None => write!(row, "nothing"),
            },
        };
        match self.found {
            Some(true) => row.push_str(", found"),
            Some(false) => {
                let told = ["bm", "am"].into_iter().filter_map(|opcode| {
                    let operation = self.epd.operation(opcode)?;
                    Some(operation.to_string().trim_end_matches(';').to_owned())
                });
                let told: Vec<String> = told.collect();
                let _ = write!(row, ", not found: {}", printable(&told.join(", ")));
            }
            None => {}
        }
        screen.wrap(&row, 2)
    }
}

/// All positions of a file together.
#[derive(Default)]
struct Sum {
    positions: usize,
    told: usize,
    found: usize,
    unreadable: usize,
}

impl Sum {
    fn add(&mut self, found: Option<bool>) {
        self.positions += 1;
        self.told += usize::from(found.is_some());
        self.found += usize::from(found == Some(true));
    }

    fn sentence(&self, elapsed: Duration) -> String {
        let mut sentence = format!(
            "{} positions in {:.1} s",
            self.positions,
            elapsed.as_secs_f64()
        );
        if self.told > 0 {
            let _ = write!(
                sentence,
                ": the best move found in {} of {}",
                self.found, self.told
            );
        }
        if self.unreadable > 0 {
            let lines = if self.unreadable == 1 {
                "line"
            } else {
                "lines"
            };
            let _ = write!(sentence, "; {} {lines} cannot be read", self.unreadable);
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard's own examples: a mate on the move is 32766 and one in five 32758; who is mated in five, -32757.
    #[test]
    fn mates_as_centipawns() {
        for (score, written) in [
            (Score::Cp(-35), -35),
            (Score::Mate(1), 32766),
            (Score::Mate(5), 32758),
            (Score::Mate(-1), -32765),
            (Score::Mate(-5), -32757),
        ] {
            assert_eq!(centipawns(score), written);
        }
    }
}
