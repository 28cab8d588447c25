//! The evaluation: what a position is worth without looking ahead.
//!
//! The search knows only [`Evaluator`]: it says which moves are played and taken back, so that what changes little from
//! move to move is kept up to date instead of being computed anew, and asks for the value.

mod network;
mod small;

use std::sync::Arc;

use tabiya_board::{Board, Move};

use crate::score::{EVAL_BOUND, points};
use crate::strength::Misjudgement;
use network::NetworkEvaluator;
pub use network::{Network, NetworkError};
use small::SmallEvaluator;

/// What networks are trained to say for a hundredth of a pawn.
const UNITS: i32 = 2;

/// Evaluates the positions of a search.
#[derive(Debug)]
pub(crate) struct Evaluator {
    kind: Kind,
    misjudgement: Misjudgement,
}

#[derive(Debug)]
enum Kind {
    Small(SmallEvaluator),
    Network(NetworkEvaluator),
}

/// Asks whatever evaluates.
macro_rules! either {
    ($kind:expr, $evaluator:ident => $call:expr) => {
        match $kind {
            Kind::Small($evaluator) => $call,
            Kind::Network($evaluator) => $call,
        }
    };
}

impl Evaluator {
    /// The evaluation by a network, or the small one without.
    pub(crate) fn new(root: &Board, network: Option<Arc<Network>>) -> Self {
        let kind = match network {
            None => Kind::Small(SmallEvaluator::new(root)),
            Some(network) => Kind::Network(NetworkEvaluator::new(network, root)),
        };
        Self {
            kind,
            misjudgement: Misjudgement::default(),
        }
    }

    /// Starts again from another position, with the errors of a weaker player.
    pub(crate) fn reset(&mut self, root: &Board, misjudgement: Misjudgement) {
        self.misjudgement = misjudgement;
        either!(&mut self.kind, evaluator => evaluator.reset(root));
    }

    /// A move has been played.
    #[inline]
    pub(crate) fn push(&mut self, board: &Board, mv: Move, next: &Board) {
        either!(&mut self.kind, evaluator => evaluator.push(board, mv, next));
    }

    /// The side to move has passed.
    pub(crate) fn push_pass(&mut self) {
        either!(&mut self.kind, evaluator => evaluator.push_pass());
    }

    /// The last move has been taken back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        either!(&mut self.kind, evaluator => evaluator.pop());
    }

    /// What the position is worth to the side to move.
    pub(crate) fn evaluate(&mut self, board: &Board) -> i32 {
        let own = match &mut self.kind {
            Kind::Small(evaluator) => evaluator.evaluate(board),
            Kind::Network(evaluator) => points(evaluator.evaluate(board)) / UNITS,
        };
        // Nothing happens, and the draw by fifty moves comes nearer.
        let mut lively = own * (200 - i32::from(board.halfmove_clock().min(100))) / 200;
        if !self.misjudgement.is_none() {
            lively += points(self.misjudgement.of(board.key()));
        }
        lively.clamp(-EVAL_BOUND, EVAL_BOUND)
    }
}
