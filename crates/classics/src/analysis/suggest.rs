//! Suggesting a move, with guarantees.

use std::fmt;

use tabiya_board::{Board, Color, GameHistory, Move};
use tabiya_engine::prove::{MateVerdict, ProofLimits, Prover};
use tabiya_engine::{Engine, Limits};
use tabiya_notation::Score;

use super::player;

/// The longest mate, in moves, that a suggestion must find and must not allow.
const MATE_HORIZON: u32 = 3;
/// How many nodes the engine searches by default.
pub const DEFAULT_NODES: u64 = 200_000;
/// The size of the table of proved positions, in megabytes.
const TABLE_MB: usize = 16;

/// A suggested move. Its `Display` is the line that the program prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// The side that moves.
    pub side: Color,
    /// The move.
    pub mv: Move,
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, mv } = self;
        let (piece, from, to) = (mv.role(), mv.from(), mv.to());
        write!(f, "suggest {} {piece} from {from} to {to}", player(*side))?;
        match mv.promotion() {
            Some(role) => write!(f, " promoting to {role}"),
            None => Ok(()),
        }
    }
}

/// Suggests a move, if there is a legal one. The engine searches a number of nodes and not for a time, so that the same
/// game always gets the same suggestion. However small the number, the suggestion keeps these promises:
///
/// 1. The move is legal.
/// 2. If some move forces mate in at most three moves, the suggested move is one of them.
/// 3. It doesn't allow the opponent to force mate in at most three moves, unless every legal move does. Then it delays
///    the mate as long as possible.
/// 4. Otherwise it is the engine's choice.
///
/// Promises 2 and 3 rest on an exhaustive proof, however long that takes.
pub fn suggest(game: &GameHistory, nodes: u64) -> Option<Suggestion> {
    let mv = choose(game, nodes)?;
    let side = game.board().turn();
    Some(Suggestion { side, mv })
}

fn choose(game: &GameHistory, nodes: u64) -> Option<Move> {
    let board = game.board();
    let legal = board.legal_moves();
    if legal.len() <= 1 {
        return legal.first().copied();
    }
    let mut prover = Prover::new(TABLE_MB);
    if let MateVerdict::Mate { line, .. } = prover.mate(board, MATE_HORIZON, &ProofLimits::NONE) {
        return line.first().copied();
    }
    let mut engine = Engine::default();
    let result = engine.think(game, &limits(nodes), &mut |_| {});
    let engine_choice = result.map(|result| result.best);
    let mut is_safe =
        |mv| prover.allows_mate(board, mv, MATE_HORIZON, &ProofLimits::NONE) == Some(false);
    if engine_choice.is_some_and(|mv| legal.contains(&mv) && is_safe(mv)) {
        return engine_choice;
    }
    let safe: Vec<Move> = legal.iter().copied().filter(|&mv| is_safe(mv)).collect();
    if safe.is_empty() {
        return longest_defence(board, &legal, engine_choice, &mut prover);
    }
    best_of(game, &safe, &mut engine, nodes)
}

fn limits(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes.max(1)),
        ..Limits::default()
    }
}

/// Returns the best of some moves, by the engine's scores of the positions after them.
fn best_of(game: &GameHistory, moves: &[Move], engine: &mut Engine, nodes: u64) -> Option<Move> {
    let limits = limits(nodes / moves.len() as u64);
    let mut value_after = |mv: Move| {
        let mut after = game.clone();
        after.play(mv);
        // No reply means stalemate here: the prover has already ruled out mate.
        match engine.think(&after, &limits, &mut |_| {}) {
            Some(result) => -score_value(result.info.score),
            None => 0,
        }
    };
    let mut best: Option<(i64, Move)> = None;
    for &mv in moves {
        let value = value_after(mv);
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// Returns a score as one number. Shorter mates count more, for either side.
fn score_value(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Cp(value) => value.into(),
        Score::Mate(moves) if moves > 0 => MATE - i64::from(moves),
        Score::Mate(moves) => -MATE - i64::from(moves),
    }
}

/// Returns the move that delays the mate longest. Among equals it prefers the engine's choice.
fn longest_defence(
    board: &Board,
    moves: &[Move],
    engine_choice: Option<Move>,
    prover: &mut Prover,
) -> Option<Move> {
    let mut distance = |mv: Move| {
        (1..MATE_HORIZON)
            .find(|&moves| prover.allows_mate(board, mv, moves, &ProofLimits::NONE) == Some(true))
            .unwrap_or(MATE_HORIZON)
    };
    moves
        .iter()
        .copied()
        .max_by_key(|&mv| (distance(mv), Some(mv) == engine_choice))
}
