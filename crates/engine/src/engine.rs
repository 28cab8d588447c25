//! The engine: the one entry that everything else calls.

use tabiya_board::{Board, Line, Move, Role};

use crate::limits::Limits;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate, this one counted: positive for a mate given, negative for one suffered.
    Mate(i32),
}

/// How far a search is.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The line expected.
    pub pv: Vec<Move>,
}

/// What came of thinking.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move to play.
    pub best: Move,
    /// The last report.
    pub info: Info,
}

/// A chess engine.
#[derive(Debug, Default)]
pub struct Engine {}

impl Engine {
    /// Thinks about the position at the end of a line; `None` if there is no legal move.
    pub fn think(
        &mut self,
        line: &Line,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Thought> {
        let depth = limits.depth.unwrap_or(2).clamp(1, 3);
        let mut nodes = 0;
        let (value, best) = line
            .board()
            .legal_moves()
            .into_iter()
            .map(|mv| (-search(&line.board().after(mv), depth - 1, &mut nodes), mv))
            .max_by_key(|&(value, _)| value)?;
        let info = Info {
            depth,
            nodes,
            score: Score::Centipawns(value),
            pv: vec![best],
        };
        report(&info);
        Some(Thought { best, info })
    }
}

fn search(board: &Board, depth: u32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if depth == 0 {
        return material(board);
    }
    board
        .legal_moves()
        .into_iter()
        .map(|mv| -search(&board.after(mv), depth - 1, nodes))
        .max()
        .unwrap_or(if board.checkers().is_empty() {
            0
        } else {
            -30_000
        })
}

fn material(board: &Board) -> i32 {
    [
        (Role::Pawn, 100),
        (Role::Knight, 300),
        (Role::Bishop, 300),
        (Role::Rook, 500),
        (Role::Queen, 900),
    ]
    .into_iter()
    .map(|(role, value)| {
        let own = board.pieces(board.turn(), role).len() as i32;
        let other = board.pieces(!board.turn(), role).len() as i32;
        value * (own - other)
    })
    .sum()
}
