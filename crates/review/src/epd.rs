//! Positions of an EPD file with their analyses.

use std::fmt::Write;
use std::time::Duration;

use tabiya_display::style::ReportStyle;
use tabiya_display::text::printable;
use tabiya_display::variation::san_moves;
use tabiya_notation::uci::SearchInfo;
use tabiya_notation::{Epd, Operand, Operation, Score, write_san};

use crate::eval::Eval;
use crate::json::EpdJson;
use crate::position::PositionAnalysis;

/// The opcodes for an analysis: depth in plies, nodes, centipawns for the side to move, and the principal variation.
const OPCODES: [&str; 4] = ["acd", "acn", "ce", "pv"];

/// Writes a search result into the operations of an EPD, replacing an earlier one.
pub fn annotate_epd(epd: &mut Epd, info: &SearchInfo) {
    epd.operations
        .retain(|operation| !OPCODES.contains(&operation.opcode.as_str()));
    let values = [
        vec![info.depth.to_string()],
        vec![info.nodes.to_string()],
        vec![centipawns(info.score).to_string()],
        san_moves(&epd.board, &info.pv),
    ];
    for (opcode, operands) in OPCODES.into_iter().zip(values) {
        epd.operations.push(Operation {
            opcode: opcode.to_owned(),
            operands: operands.into_iter().map(Operand::Symbol).collect(),
        });
    }
}

/// A score as EPD writes it: a mate is 32767 minus the plies to it.
const fn centipawns(score: Score) -> i32 {
    const MATE: i32 = 32_767;
    match score {
        Score::Cp(centipawns) => centipawns,
        Score::Mate(moves) if moves > 0 => MATE - (2 * moves - 1),
        Score::Mate(moves) => -MATE - 2 * moves,
    }
}

/// A position of an EPD file and its analysis.
#[derive(Clone, Copy, Debug)]
pub struct AnalysedEpd<'a> {
    /// The line in the file.
    pub line_number: usize,
    /// The position.
    pub epd: &'a Epd,
    /// Its analysis.
    pub analysis: &'a PositionAnalysis<'a>,
    /// Whether the best move is one that the EPD expects; `None` if it expects none.
    pub found: Option<bool>,
}

impl AnalysedEpd<'_> {
    /// Collects the analysis for JSON.
    pub fn json(&self) -> EpdJson {
        EpdJson::of(self.line_number, self.epd, self.analysis, self.found)
    }

    /// Formats the analysis as one line of a report.
    pub fn row(&self, file: &str, style: ReportStyle) -> String {
        let board = self.analysis.board;
        let mut row = match self.epd.operand("id") {
            Some(id) => format!("{}: ", printable(id)),
            None => format!("{file}:{}: ", self.line_number),
        };
        // Writing to a string cannot fail.
        let _ = match self.analysis.lines.first() {
            Some(info) => {
                let best = info.pv.first().map(|&mv| write_san(board, mv));
                let eval = Eval::new(info.score, board.turn());
                write!(row, "{} {eval:+}", best.as_deref().unwrap_or("-"))
            }
            None => match board.outcome() {
                Some(outcome) => write!(row, "{outcome}"),
                None => write!(row, "no result"),
            },
        };
        match self.found {
            Some(true) => row.push_str(", found"),
            Some(false) => {
                let expected = ["bm", "am"].into_iter().filter_map(|opcode| {
                    let operation = self.epd.operation(opcode)?;
                    Some(operation.to_string().trim_end_matches(';').to_owned())
                });
                let expected: Vec<String> = expected.collect();
                let _ = write!(row, ", not found: {}", printable(&expected.join(", ")));
            }
            None => {}
        }
        style.wrap(&row, 2)
    }
}

/// The totals of an EPD file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EpdSummary {
    /// Positions analysed.
    pub positions: usize,
    /// Positions with expected moves.
    pub expected: usize,
    /// Positions in which an expected move was found.
    pub found: usize,
    /// Lines that are not positions.
    pub unreadable: usize,
}

impl EpdSummary {
    /// Counts a position.
    pub fn add(&mut self, found: Option<bool>) {
        self.positions += 1;
        self.expected += usize::from(found.is_some());
        self.found += usize::from(found == Some(true));
    }

    /// Formats the totals as a sentence.
    pub fn sentence(&self, elapsed: Duration) -> String {
        let positions = if self.positions == 1 {
            "position"
        } else {
            "positions"
        };
        let seconds = elapsed.as_secs_f64();
        let mut sentence = format!("{} {positions} in {seconds:.1} s", self.positions);
        if self.expected > 0 {
            let (found, expected) = (self.found, self.expected);
            let _ = write!(sentence, ": best move found in {found} of {expected}");
        }
        if self.unreadable > 0 {
            let lines = if self.unreadable == 1 {
                "line"
            } else {
                "lines"
            };
            let _ = write!(sentence, "; {} unreadable {lines}", self.unreadable);
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the EPD standard: mate in one is 32766, mate in five 32758, being mated in five -32757.
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
