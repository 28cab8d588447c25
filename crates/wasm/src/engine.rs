//! The engine by messages: the same for a page's worker and for a server's socket.
//!
//! [`EngineHost`] runs one request after another. How requests arrive, how a search is stopped while it runs, and how
//! often its reports are passed on is the business of its two ends.

mod message;
mod updates;

use std::time::Duration;

use tabiya_board::{Board, GameHistory};
use tabiya_engine::prove::{MAX_MOVES, MateVerdict, ProofLimits, Prover};
use tabiya_engine::{
    Engine, GameClock, HashSizeError, Level, Limits, SearchEvent, StopSignal, Strength, book,
};
use tabiya_notation::{uci, write_san};
use tabiya_play::Hint;

pub use message::{
    BestMove, ClockMessage, EngineDescription, EngineRequest, EngineResponse, HintAnswer,
    HintRequest, LimitsMessage, MateAnswer, MateRequest, SearchInfoMessage, ThinkRequest,
};

pub use updates::{INTERVAL, Updates};

use crate::problem::{Problem, sentence};

/// The most lines that a request may ask for.
pub const MAX_MULTIPV: usize = 5;
/// The time of a level's move without limits.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(3);
/// Time lost between the search and the clock.
const OVERHEAD: Duration = Duration::from_millis(50);
/// The longest time limit of a request: a day.
const MAX_TIME: u64 = 86_400_000;
/// The size of the prover's table in megabytes.
const PROOF_MEMORY: usize = 32;
/// The nodes that a proof searches before it checks whether to stop. Each step is longer, because it starts again with
/// the results in the table.
const PROOF_STEP: u64 = 1 << 18;

/// An engine that answers messages.
pub struct EngineHost {
    engine: Engine,
    /// The level and its seed.
    level: Option<(Level, u64)>,
    description: EngineDescription,
}

impl EngineHost {
    /// Creates an engine with a number of threads and a hash table of this many megabytes.
    pub fn new(kind: &'static str, threads: usize, hash: usize) -> Result<Self, HashSizeError> {
        let mut engine = Engine::default();
        engine.set_hash(hash)?;
        // With less memory it searches with fewer threads.
        let _ = engine.set_threads(threads);
        Ok(Self {
            engine,
            level: None,
            description: EngineDescription {
                kind,
                name: concat!("Tabiya ", env!("CARGO_PKG_VERSION")),
                threads: threads.max(1),
                hash: hash.max(1),
            },
        })
    }

    /// What it is.
    pub const fn description(&self) -> &EngineDescription {
        &self.description
    }

    /// Forgets what earlier searches learnt.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Runs a request to its end. `emit` gets every answer: any number of reports, and the last one.
    pub fn run(
        &mut self,
        request: &EngineRequest,
        signal: &StopSignal,
        emit: &mut dyn FnMut(EngineResponse),
    ) {
        let id = request.id();
        let done = match request {
            EngineRequest::Think(think) => self.think(think, signal, emit),
            EngineRequest::Hint(hint) => hint.line.history().map(|history| {
                let answer = find_hint(&history, signal);
                Some(EngineResponse::Hint { id, answer })
            }),
            EngineRequest::Mate(mate) => mate.line.history().map(|history| {
                let most = mate.nodes.unwrap_or(u64::MAX);
                let answer = prove(history.board(), mate.mate, most, signal);
                Some(EngineResponse::Mate { id, answer })
            }),
            EngineRequest::NewGame { .. } => {
                self.engine.new_game();
                Ok(None)
            }
            EngineRequest::Stop { .. } => Ok(None),
        };
        match done {
            Ok(Some(answer)) => emit(answer),
            Ok(None) => {}
            Err(problem) => emit(EngineResponse::Error {
                id: Some(id),
                message: problem.message,
            }),
        }
    }

    fn think(
        &mut self,
        request: &ThinkRequest,
        signal: &StopSignal,
        emit: &mut dyn FnMut(EngineResponse),
    ) -> Result<Option<EngineResponse>, Problem> {
        let id = request.id;
        let history = request.line.history()?;
        let board = *history.board();
        let best = |mv, info| {
            Some(EngineResponse::Best {
                id,
                answer: BestMove::new(&board, mv, info),
            })
        };
        let level = match request.level {
            None => None,
            Some(number) => Some(
                Level::new(number)
                    .ok_or_else(|| Problem::new("levels are numbers from 1 to 10"))?,
            ),
        };
        self.set_level(level.map(|level| (level, request.seed)));
        if level.is_some_and(|level| history.moves().len() < level.book_plies())
            && let Some(mv) = book::choose(&board, request.seed)
        {
            return Ok(best(Some(mv), None));
        }
        let mut limits = request.limits.to_limits(&board);
        if level.is_some() && limits == Limits::default() {
            limits.time = Some(DEFAULT_MOVE_TIME);
        }
        self.engine
            .set_multipv(request.multipv.unwrap_or(1).clamp(1, MAX_MULTIPV));
        let found = self
            .engine
            .think_until(&history, &limits, signal, &mut |event| {
                if let SearchEvent::Info(info) = event {
                    let info = SearchInfoMessage::of(&board, info);
                    emit(EngineResponse::Info { id, info });
                }
            });
        let Some(found) = found else {
            return Ok(best(None, None));
        };
        let info = SearchInfoMessage::of(&board, &found.info);
        Ok(best(Some(found.best), Some(info)))
    }

    /// Setting the strength clears what the engine has learnt, so do it only if it changes.
    fn set_level(&mut self, level: Option<(Level, u64)>) {
        if self.level != level {
            self.level = level;
            let (strength, seed) = level.map_or((Strength::FULL, 0), |(level, seed)| {
                (level.strength(), seed)
            });
            self.engine.set_strength(strength, seed);
        }
    }
}

impl LimitsMessage {
    fn to_limits(&self, board: &Board) -> Limits {
        let time = |milliseconds: u64| Duration::from_millis(milliseconds.min(MAX_TIME));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.movetime.map(time),
            clock: self.clock.as_ref().map(|clock| GameClock {
                remaining: time(clock.remaining),
                increment: time(clock.increment),
                moves_to_go: None,
                overhead: OVERHEAD,
            }),
            mate: None,
            search_moves: self
                .search_moves
                .iter()
                .filter_map(|text| uci::parse(text, board).ok())
                .collect(),
        }
    }
}

fn find_hint(history: &GameHistory, signal: &StopSignal) -> HintAnswer {
    let board = history.board();
    match Hint::find(history, signal) {
        Some(hint) => HintAnswer {
            uci: Some(uci::write(board, hint.mv).to_string()),
            san: Some(write_san(board, hint.mv).to_string()),
            message: sentence(&hint.to_string()),
        },
        None => HintAnswer {
            uci: None,
            san: None,
            message: "There is no legal move.".to_owned(),
        },
    }
}

/// Proves or refutes a mate in steps; it can be stopped between them.
fn prove(board: &Board, moves: u32, most: u64, signal: &StopSignal) -> MateAnswer {
    let moves = moves.clamp(1, MAX_MOVES);
    let mut prover = Prover::new(PROOF_MEMORY);
    let mut nodes = PROOF_STEP;
    loop {
        let limits = ProofLimits {
            nodes: Some(nodes),
            ..ProofLimits::NONE
        };
        match prover.mate(board, moves, &limits) {
            MateVerdict::Undecided { .. } if !signal.is_stopped() && nodes < most => nodes *= 2,
            verdict => return MateAnswer::new(board, moves, verdict),
        }
    }
}
