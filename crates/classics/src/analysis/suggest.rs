//! A move to go on with, and what it promises.

use std::fmt;

use tabiya_board::{Board, Color, Line, Move};
use tabiya_engine::prove::{Limit, Prover, Verdict};
use tabiya_engine::{Engine, Limits, Score};

use super::player;

/// Mates in at most so many moves are found if they are there, and not allowed if that can be helped.
const HORIZON: u32 = 3;
/// How much the engine thinks where nobody says: so many positions.
pub const USUAL_NODES: u64 = 200_000;
/// Megabytes for what has been proved.
const TABLE: usize = 16;

/// A move that is suggested. It prints as the line that the program answers with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// Who moves.
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

/// Suggests a move, if there is a legal one, for which the engine looks at so many positions: a number, not a time, so
/// that the same game gets the same suggestion. However small the number, it promises:
///
/// 1. The move is legal.
/// 2. If some move forces mate in at most three moves, the suggested one does.
/// 3. It does not let the opponent force mate in at most three moves, unless every legal move does; then it holds out as
///    long as can be.
/// 4. Otherwise it is the engine's choice.
///
/// The second and the third are proved by looking at everything, however long that takes.
pub fn suggest(line: &Line, nodes: u64) -> Option<Suggestion> {
    let mv = choose(line, nodes)?;
    let side = line.board().turn();
    Some(Suggestion { side, mv })
}

fn choose(line: &Line, nodes: u64) -> Option<Move> {
    let board = line.board();
    let legal = board.legal_moves();
    if legal.len() <= 1 {
        return legal.first().copied();
    }
    let mut prover = Prover::new(TABLE);
    if let Verdict::Mate { line, .. } = prover.mate(board, HORIZON, &Limit::NONE) {
        return line.first().copied();
    }
    let mut engine = Engine::default();
    let thought = engine.think(line, &limits(nodes), &mut |_| {});
    let favourite = thought.map(|thought| thought.best);
    let mut is_safe = |mv| prover.allows_mate(board, mv, HORIZON, &Limit::NONE) == Some(false);
    if favourite.is_some_and(|mv| legal.contains(&mv) && is_safe(mv)) {
        return favourite;
    }
    let safe: Vec<Move> = legal.iter().copied().filter(|&mv| is_safe(mv)).collect();
    if safe.is_empty() {
        return longest(board, &legal, favourite, &mut prover);
    }
    best_of(line, &safe, &mut engine, nodes)
}

fn limits(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes.max(1)),
        ..Limits::default()
    }
}

/// The best of some moves, by what the engine thinks of the positions after them.
fn best_of(line: &Line, moves: &[Move], engine: &mut Engine, nodes: u64) -> Option<Move> {
    let limits = limits(nodes / moves.len() as u64);
    let mut worth = |mv: Move| {
        let mut after = line.clone();
        after.play(mv);
        // With no reply to think about it is stalemate: a move that mates has been found before.
        match engine.think(&after, &limits, &mut |_| {}) {
            Some(thought) => -worth_of(thought.info.score),
            None => 0,
        }
    };
    let mut best: Option<(i64, Move)> = None;
    for &mv in moves {
        let worth = worth(mv);
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// A score as one number: nearer mates are better to give and worse to suffer.
fn worth_of(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Centipawns(value) => value.into(),
        Score::Mate(moves) if moves > 0 => MATE - i64::from(moves),
        Score::Mate(moves) => -MATE - i64::from(moves),
    }
}

/// Of moves that all allow a mate, one that allows the latest; the favourite, if it is one of those.
fn longest(
    board: &Board,
    moves: &[Move],
    favourite: Option<Move>,
    prover: &mut Prover,
) -> Option<Move> {
    let mut distance = |mv: Move| {
        (1..HORIZON)
            .find(|&moves| prover.allows_mate(board, mv, moves, &Limit::NONE) == Some(true))
            .unwrap_or(HORIZON)
    };
    moves
        .iter()
        .copied()
        .max_by_key(|&mv| (distance(mv), Some(mv) == favourite))
}
