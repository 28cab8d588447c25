//! The static evaluation of a position.
//!
//! The search uses only [`Evaluator`]. It reports each move it makes and unmakes, so that the network's accumulators
//! can be updated incrementally, and asks for the value when it needs one.

mod network;

use std::sync::Arc;

use tabiya_board::{Board, Move, Role};

use crate::score::{EVAL_BOUND, points};
use crate::search::parameters::{eval_material_scale, eval_scale};
use crate::strength::EvalNoise;
use network::NetworkEvaluator;
pub use network::{Network, NetworkError};

/// Network output units per centipawn.
const NETWORK_UNITS: i32 = 2;

/// The value of all pieces of both sides in pawns, without the pawns.
const ALL_PIECES: i32 = 62;

/// Evaluates the positions of a search.
#[derive(Debug)]
pub(crate) struct Evaluator {
    network: NetworkEvaluator,
    noise: EvalNoise,
}

impl Evaluator {
    pub(crate) fn new(root: &Board, network: Arc<Network>) -> Self {
        Self {
            network: NetworkEvaluator::new(network, root),
            noise: EvalNoise::default(),
        }
    }

    /// Starts a new search from `root`. A weaker level adds noise to each evaluation.
    pub(crate) fn reset(&mut self, root: &Board, noise: EvalNoise) {
        self.noise = noise;
        self.network.reset(root);
    }

    /// Records a move from `board` to `next`.
    #[inline]
    pub(crate) fn push(&mut self, board: &Board, mv: Move, next: &Board) {
        self.network.push(board, mv, next);
    }

    /// Records a null move.
    pub(crate) fn push_null(&mut self) {
        self.network.push_null();
    }

    /// Removes the last move.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.network.pop();
    }

    /// Returns the value of the position for the side to move.
    pub(crate) fn evaluate(&mut self, board: &Board) -> i32 {
        let eval = points(self.network.evaluate(board)) / NETWORK_UNITS;
        let eval = eval
            * (eval_scale() - eval_material_scale() * missing_pieces(board) / ALL_PIECES)
            / 1024;
        // Scale towards a draw as the fifty-move rule comes nearer.
        let mut scaled = eval * (200 - i32::from(board.halfmove_clock().min(100))) / 200;
        if !self.noise.is_none() {
            scaled += points(self.noise.at(board.key()));
        }
        scaled.clamp(-EVAL_BOUND, EVAL_BOUND)
    }
}

/// Returns the value of the pieces that have been exchanged, in pawns, without the pawns.
fn missing_pieces(board: &Board) -> i32 {
    let count = |role| board.by_role(role).len() as i32;
    let minors = count(Role::Knight) + count(Role::Bishop);
    let left = 3 * minors + 5 * count(Role::Rook) + 9 * count(Role::Queen);
    (ALL_PIECES - left).max(0)
}
