//! The messages. `web/src/engine.ts` has the same as types.

use serde::{Deserialize, Serialize};
use tabiya_board::{Board, Color, Move};
use tabiya_display::variation::{format_variation, san_moves, uci_moves};
use tabiya_engine::prove::MateVerdict;
use tabiya_notation::uci::{self, Bound, SearchInfo};
use tabiya_notation::{Score, write_san};

use crate::line::Line;
use crate::problem::sentence;

/// A request to the engine.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EngineRequest {
    /// Search a position.
    Think(ThinkRequest),
    /// Find a good move and say why it is good.
    Hint(HintRequest),
    /// Prove or refute a mate.
    Mate(MateRequest),
    /// End a request.
    Stop {
        /// The number of the request.
        id: u32,
    },
    /// Forget what earlier searches learnt.
    NewGame {
        /// The number of this request.
        id: u32,
    },
}

/// Asks for a search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ThinkRequest {
    /// The number of the request. Numbers rise.
    pub id: u32,
    /// The position.
    #[serde(flatten)]
    pub line: Line,
    /// Without limits the search runs until it is stopped.
    pub limits: LimitsMessage,
    /// How many best lines to find.
    pub multipv: Option<usize>,
    /// A playing level.
    pub level: Option<u8>,
    /// Decides what a level leaves to chance.
    pub seed: u64,
}

/// Asks for a hint.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct HintRequest {
    /// The number of the request.
    pub id: u32,
    /// The position.
    #[serde(flatten)]
    pub line: Line,
}

/// Asks for a proof.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct MateRequest {
    /// The number of the request.
    pub id: u32,
    /// The position.
    #[serde(flatten)]
    pub line: Line,
    /// In how many moves.
    pub mate: u32,
    /// Most nodes to search.
    pub nodes: Option<u64>,
}

/// The limits of a search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct LimitsMessage {
    /// Greatest depth.
    pub depth: Option<u32>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Milliseconds for the move.
    pub movetime: Option<u64>,
    /// The clock of the side to move.
    pub clock: Option<ClockMessage>,
    /// Search only these moves, in UCI notation.
    pub search_moves: Vec<String>,
}

/// A game clock, in milliseconds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ClockMessage {
    /// Time left.
    pub remaining: u64,
    /// Time added after each move.
    pub increment: u64,
}

impl EngineRequest {
    /// The number of the request.
    pub const fn id(&self) -> u32 {
        match self {
            Self::Think(request) => request.id,
            Self::Hint(request) => request.id,
            Self::Mate(request) => request.id,
            Self::Stop { id } | Self::NewGame { id } => *id,
        }
    }
}

/// An answer of the engine.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EngineResponse {
    /// The engine is there.
    Ready {
        /// What it is.
        engine: EngineDescription,
    },
    /// A search has made progress.
    Info {
        /// The request.
        id: u32,
        /// A line.
        info: SearchInfoMessage,
    },
    /// A search has ended.
    Best {
        /// The request.
        id: u32,
        /// The move.
        #[serde(flatten)]
        answer: BestMove,
    },
    /// A hint.
    Hint {
        /// The request.
        id: u32,
        /// The move and its reason.
        #[serde(flatten)]
        answer: HintAnswer,
    },
    /// A proof.
    Mate {
        /// The request.
        id: u32,
        /// The verdict.
        #[serde(flatten)]
        answer: MateAnswer,
    },
    /// A request cannot be answered.
    Error {
        /// The request; `None` if the engine itself has failed.
        id: Option<u32>,
        /// Why.
        message: String,
    },
}

/// What an engine is.
#[derive(Clone, Debug, Serialize)]
pub struct EngineDescription {
    /// `native` or `browser`.
    pub kind: &'static str,
    /// Name and version.
    pub name: &'static str,
    /// The number of threads.
    pub threads: usize,
    /// The megabytes of its hash table.
    pub hash: usize,
}

/// The evaluation of a line, for White.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EvalMessage {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate.
    Mate(i32),
}

/// Expected shares of results.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct WdlMessage {
    white: f64,
    draw: f64,
    black: f64,
}

/// One of the best lines.
#[derive(Clone, Debug, Serialize)]
pub struct SearchInfoMessage {
    /// Its rank, from 1.
    pub multipv: usize,
    depth: u32,
    seldepth: u32,
    eval: EvalMessage,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    wdl: WdlMessage,
    nodes: u64,
    nps: u64,
    /// Milliseconds.
    pub time: u64,
    hashfull: u32,
    uci: Vec<String>,
    san: Vec<String>,
}

impl SearchInfoMessage {
    /// Translates the engine's report, which is from the side to move's point of view.
    pub fn of(board: &Board, info: &SearchInfo) -> Self {
        let is_white = board.turn().is_white();
        let score = info.score.for_white(board.turn());
        let [win, draw, loss] = info
            .wdl
            .unwrap_or_default()
            .map(|share| f64::from(share) / 1000.0);
        let (white, black) = if is_white { (win, loss) } else { (loss, win) };
        Self {
            multipv: info.multipv,
            depth: info.depth,
            seldepth: info.seldepth,
            eval: match score {
                Score::Cp(points) => EvalMessage::Cp(points),
                Score::Mate(moves) => EvalMessage::Mate(moves),
            },
            bound: match (info.bound, is_white) {
                (Bound::Exact, _) => None,
                (Bound::Lower, true) | (Bound::Upper, false) => Some("at_least"),
                (Bound::Upper, true) | (Bound::Lower, false) => Some("at_most"),
            },
            wdl: WdlMessage { white, draw, black },
            nodes: info.nodes,
            nps: info.nps(),
            time: info.time.as_millis() as u64,
            hashfull: info.hashfull,
            uci: uci_moves(board, &info.pv),
            san: san_moves(board, &info.pv),
        }
    }
}

/// The best move.
#[derive(Clone, Debug, Serialize)]
pub struct BestMove {
    uci: Option<String>,
    san: Option<String>,
    info: Option<SearchInfoMessage>,
}

impl BestMove {
    pub(super) fn new(board: &Board, mv: Option<Move>, info: Option<SearchInfoMessage>) -> Self {
        Self {
            uci: mv.map(|mv| uci::write(board, mv).to_string()),
            san: mv.map(|mv| write_san(board, mv).to_string()),
            info,
        }
    }
}

/// A good move and why it is good.
#[derive(Clone, Debug, Serialize)]
pub struct HintAnswer {
    pub(super) uci: Option<String>,
    pub(super) san: Option<String>,
    pub(super) message: String,
}

/// What the prover says about a mate.
#[derive(Clone, Debug, Serialize)]
pub struct MateAnswer {
    verdict: &'static str,
    moves: Option<u32>,
    uci: Vec<String>,
    san: Vec<String>,
    message: String,
}

impl MateAnswer {
    pub(super) fn new(board: &Board, within: u32, verdict: MateVerdict) -> Self {
        let side = match board.turn() {
            Color::White => "White",
            Color::Black => "Black",
        };
        let plural = |moves: u32| if moves == 1 { "move" } else { "moves" };
        let (verdict, moves, line, message) = match verdict {
            MateVerdict::Mate { moves, line } => {
                let written = format_variation(board, &line);
                let message = format!("{side} mates in {moves}: {written}");
                ("mate", Some(moves), line, message)
            }
            MateVerdict::NoMate => {
                let message = format!("{side} has no mate within {within} {}", plural(within));
                ("no mate", None, Vec::new(), message)
            }
            MateVerdict::Undecided { no_mate_in: 0 } => {
                let message = "the proof was stopped before it found anything".to_owned();
                ("unknown", None, Vec::new(), message)
            }
            MateVerdict::Undecided { no_mate_in } => {
                let message = format!(
                    "the proof was stopped; {side} has no mate within {no_mate_in} {}",
                    plural(no_mate_in)
                );
                ("unknown", None, Vec::new(), message)
            }
        };
        Self {
            verdict,
            moves,
            uci: uci_moves(board, &line),
            san: san_moves(board, &line),
            message: sentence(&message),
        }
    }
}
