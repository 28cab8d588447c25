//! What is said about a proof.

use std::time::Duration;

use serde::Serialize;
use tabiya_board::Board;
use tabiya_engine::prove::Verdict;
use tabiya_play::variation_text;

use super::{Arguments, NO_MATE, NOT_DECIDED};
use crate::spelling::{list, spelled};

/// The result for one position, for programs as it stands.
#[derive(Serialize)]
pub(super) struct Report {
    fen: String,
    /// The most moves asked for.
    moves: u32,
    pub(super) verdict: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mate_in: Option<u32>,
    /// It is proved that there is no mate in so many moves.
    pub(super) no_mate_in: u32,
    /// The line with numbers, as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<Vec<String>>,
    nodes: u64,
    seconds: f64,
}

/// The verdict in a word.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Word {
    Mate,
    NoMate,
    NotDecided,
}

impl Report {
    pub(super) fn of(
        board: &Board,
        moves: u32,
        verdict: &Verdict,
        nodes: u64,
        elapsed: Duration,
    ) -> Self {
        let (word, mate_in, no_mate_in, line) = match verdict {
            Verdict::Mate { moves, line } => (Word::Mate, Some(*moves), moves - 1, Some(line)),
            Verdict::NoMate => (Word::NoMate, None, moves, None),
            Verdict::Undecided { no_mate_in } => (Word::NotDecided, None, *no_mate_in, None),
        };
        Self {
            fen: board.to_string(),
            moves,
            verdict: word,
            mate_in,
            no_mate_in,
            line: line.map(|line| variation_text(board, line)),
            uci: line.map(|line| spelled(board, line)),
            nodes,
            seconds: elapsed.as_secs_f64(),
        }
    }

    pub(super) fn code(&self) -> u8 {
        match self.verdict {
            Word::Mate => 0,
            Word::NoMate => NO_MATE,
            Word::NotDecided => NOT_DECIDED,
        }
    }

    /// For people.
    pub(super) fn sentence(&self, arguments: &Arguments) -> String {
        match (&self.line, self.mate_in) {
            (Some(line), Some(moves)) => format!("mate in {moves}: {line}"),
            _ if self.verdict == Word::NoMate => format!("no mate in {}", self.moves),
            _ => {
                let time = arguments
                    .time
                    .map(|time| format!("{} s", time.as_secs_f64()));
                let nodes = arguments.nodes.map(|nodes| format!("{nodes} positions"));
                let limits = list(time.into_iter().chain(nodes));
                match self.no_mate_in {
                    0 => format!("not decided within {limits}"),
                    moves => format!("not decided within {limits}, but no mate in {moves}"),
                }
            }
        }
    }
}
