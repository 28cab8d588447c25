//! The small evaluation: material, squares, mobility, pawns and the safety of kings, in numbers a person can read.

mod piece_squares;
mod structure;
mod tapered;

use tabiya_board::{Board, Color, Move, Piece, Role};

use structure::{PawnTable, WEIGHTS};
use tapered::Tapered;

/// The worth of having the move.
const TEMPO: i32 = 22;
/// The sum of [`phase`] over all pieces of the starting position.
const FULL_PHASE: i32 = 24;

/// How much pieces of a role make a position a middlegame.
const fn phase(role: Role) -> i32 {
    match role {
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
        Role::Pawn | Role::King => 0,
    }
}

/// What is kept up to date from move to move: the values of the pieces on their squares, as White sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pieces {
    worth: Tapered,
    phase: i32,
}

impl Pieces {
    fn of(board: &Board) -> Self {
        let mut pieces = Self::default();
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = Piece::new(color, role);
                for square in board.pieces(color, role) {
                    pieces.worth += piece_squares::worth(piece, square);
                    pieces.phase += phase(role);
                }
            }
        }
        pieces
    }

    fn after(mut self, board: &Board, mv: Move, next: &Board) -> Self {
        if mv.is_castle() {
            return Self::of(next);
        }
        let us = board.turn();
        let (from, to) = (mv.from(), mv.to());
        self.worth -= piece_squares::worth(Piece::new(us, mv.role()), from);
        let arriving = mv.promotion().unwrap_or(mv.role());
        self.worth += piece_squares::worth(Piece::new(us, arriving), to);
        if mv.promotion().is_some() {
            self.phase += phase(arriving);
        }
        if let Some(taken) = board.captured(mv) {
            let square = if mv.is_en_passant() {
                tabiya_board::Square::new(to.file(), from.rank())
            } else {
                to
            };
            self.worth -= piece_squares::worth(Piece::new(!us, taken), square);
            self.phase -= phase(taken);
        }
        self
    }
}

/// Evaluates the positions of a search.
#[derive(Debug)]
pub(super) struct SmallEvaluator {
    /// One for each move on the way from the root, and the root's.
    stack: Vec<Pieces>,
    pawns: PawnTable,
}

impl SmallEvaluator {
    pub(super) fn new(root: &Board) -> Self {
        Self {
            stack: vec![Pieces::of(root)],
            pawns: PawnTable::default(),
        }
    }

    /// Starts again from another position.
    pub(super) fn reset(&mut self, root: &Board) {
        self.stack.clear();
        self.stack.push(Pieces::of(root));
    }

    /// A move has been played.
    #[inline]
    pub(super) fn push(&mut self, board: &Board, mv: Move, next: &Board) {
        let now = *self.now();
        self.stack.push(now.after(board, mv, next));
    }

    /// The side to move has passed.
    pub(super) fn push_pass(&mut self) {
        let now = *self.now();
        self.stack.push(now);
    }

    /// The last move has been taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.stack.pop();
    }

    fn now(&self) -> &Pieces {
        self.stack.last().expect("the root is never taken back")
    }

    /// What the position is worth to the side to move.
    pub(super) fn evaluate(&mut self, board: &Board) -> i32 {
        let now = *self.now();
        debug_assert_eq!(now, Pieces::of(board), "{board}");
        let score = now.worth + self.pawns.structure(board, &WEIGHTS);
        let phase = now.phase.min(FULL_PHASE);
        let end = score.end * structure::winnable(board, score.end) / structure::WINNABLE;
        let white = (score.middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
        TEMPO
            + match board.turn() {
                Color::White => white,
                Color::Black => -white,
            }
    }
}
