//! Reports on mate proofs, as JSON and as a sentence.

use serde::Serialize;
use tabiya_board::Board;
use tabiya_display::text::list;
use tabiya_display::variation::{format_variation, uci_moves};
use tabiya_engine::prove::{MateVerdict, Proof, ProofLimits};

/// The result of a mate proof for one position, as other programs read it.
#[derive(Serialize, Clone, Debug)]
pub struct MateJson {
    fen: String,
    /// The longest mate looked for.
    moves: u32,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate_in: Option<u32>,
    /// There is proved to be no mate within this many moves.
    no_mate_in: u32,
    /// The line in SAN with move numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<Vec<String>>,
    nodes: u64,
    seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Mate,
    NoMate,
    Undecided,
}

impl MateJson {
    /// Reports a proof about a position.
    pub fn new(board: &Board, proof: &Proof) -> Self {
        let (verdict, line) = match &proof.verdict {
            MateVerdict::Mate { line, .. } => (Verdict::Mate, Some(line)),
            MateVerdict::NoMate => (Verdict::NoMate, None),
            MateVerdict::Undecided { .. } => (Verdict::Undecided, None),
        };
        Self {
            fen: board.to_string(),
            moves: proof.max_moves,
            verdict,
            mate_in: proof.mate_in(),
            no_mate_in: proof.no_mate_in(),
            line: line.map(|line| format_variation(board, line)),
            uci: line.map(|line| uci_moves(board, line)),
            nodes: proof.nodes,
            seconds: proof.time.as_secs_f64(),
        }
    }

    /// Says the result in words. An undecided result names the limits.
    pub fn sentence(&self, limits: &ProofLimits<'_>) -> String {
        match (&self.line, self.mate_in) {
            (Some(line), Some(moves)) => format!("mate in {moves}: {line}"),
            _ if self.verdict == Verdict::NoMate => format!("no mate in {}", self.moves),
            _ => {
                let time = limits.time.map(|time| format!("{} s", time.as_secs_f64()));
                let nodes = limits.nodes.map(|nodes| format!("{nodes} nodes"));
                let limits = list(time.into_iter().chain(nodes));
                match self.no_mate_in {
                    0 => format!("undecided within {limits}"),
                    moves => format!("undecided within {limits}, but no mate in {moves}"),
                }
            }
        }
    }
}
