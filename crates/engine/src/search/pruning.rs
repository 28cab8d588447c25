//! Pruning of whole nodes: razoring, reverse futility pruning, null-move pruning, ProbCut.

use tabiya_board::{Bitboard, Board, Move};

use super::node::Node;
use super::parameters::{
    NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR, NULL_MOVE_EVAL_MARGIN, NULL_MOVE_EVAL_MAX,
    NULL_MOVE_EVAL_PER_PLY, NULL_MOVE_REDUCTION, NULL_MOVE_VERIFICATION_DEPTH, PROBCUT_MARGIN,
    PROBCUT_MIN_DEPTH, PROBCUT_REDUCTION, RAZORING_MARGIN, RAZORING_MAX_DEPTH,
    REVERSE_FUTILITY_IMPROVING, REVERSE_FUTILITY_MARGIN, REVERSE_FUTILITY_MAX_DEPTH,
};
use super::{Shared, Worker, has_pieces};
use crate::move_picker::{Hints, MovePicker, Selection, is_tactical};
use crate::score::{DRAW, MATE_BOUND, is_mate};
use crate::see;
use crate::tt::{Bound, Entry};

impl Worker {
    /// Returns a score if the node can be pruned before its moves are searched.
    pub(super) fn prune_node(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
    ) -> Option<i32> {
        self.razoring(shared, board, node)
            .or_else(|| reverse_futility_pruning(node))
            .or_else(|| self.null_move_pruning(shared, board, node))
    }

    /// Razoring: the evaluation is so far below alpha that only captures can help. See whether they do.
    fn razoring(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node {
            alpha, depth, eval, ..
        } = node;
        if depth > RAZORING_MAX_DEPTH || eval + RAZORING_MARGIN * depth >= alpha || is_mate(alpha) {
            return None;
        }
        let score = self.quiescence::<false>(shared, board, alpha, alpha + 1);
        (score <= alpha).then_some(score)
    }

    /// Null-move pruning: the position is so good that even passing the turn fails high.
    fn null_move_pruning(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node {
            beta, depth, eval, ..
        } = node;
        let static_eval = self.stack[self.ply].eval;
        let after_null_move = self.stack[self.ply - 1].piece_to.is_none();
        if eval < beta
            || static_eval + NULL_MOVE_EVAL_PER_PLY * depth < beta + NULL_MOVE_EVAL_MARGIN
            || after_null_move
            || self.ply < self.null_move_min_ply
            || !has_pieces(board, board.turn())
            || beta <= -MATE_BOUND
        {
            return None;
        }
        let next = board.null_move()?;
        let reduction = NULL_MOVE_REDUCTION
            + depth / NULL_MOVE_DEPTH_DIVISOR
            + ((eval - beta) / NULL_MOVE_EVAL_DIVISOR).min(NULL_MOVE_EVAL_MAX);
        let reduced = depth - reduction;
        self.make_null(&next);
        let score = -self.search::<false>(shared, &next, -beta, -beta + 1, reduced, !node.cut_node);
        self.unmake();
        if self.stopped {
            return Some(DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate found after a null move is not proved.
        let score = if is_mate(score) { beta } else { score };
        let is_verifying = self.null_move_min_ply > 0;
        if depth < NULL_MOVE_VERIFICATION_DEPTH
            || is_verifying
            || self.verify_null_move(shared, board, beta, reduced)
        {
            return Some(score);
        }
        None
    }

    /// Repeats a null-move cutoff without null moves near the root of the search. It fails in zugzwang.
    fn verify_null_move(
        &mut self,
        shared: &Shared,
        board: &Board,
        beta: i32,
        reduced: i32,
    ) -> bool {
        self.null_move_min_ply = self.ply + 3 * reduced.max(1) as usize / 4;
        let score = self.search::<false>(shared, board, beta - 1, beta, reduced, false);
        self.null_move_min_ply = 0;
        score >= beta
    }

    /// ProbCut: a good capture beats beta by so much in a shallow search that a deep one would, too.
    pub(super) fn probcut(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node { beta, depth, .. } = node;
        let raised = beta + PROBCUT_MARGIN;
        let stored_depth = depth - PROBCUT_REDUCTION + 1;
        let table_refutes = node
            .entry
            .is_some_and(|entry| entry.depth >= stored_depth && entry.score < raised);
        if depth < PROBCUT_MIN_DEPTH || is_mate(beta) || table_refutes {
            return None;
        }
        let (mv, score) = self.probcut_capture(shared, board, node, raised)?;
        let stored = Entry {
            mv: Some(mv),
            score,
            eval: node.raw_eval,
            depth: stored_depth,
            bound: Bound::Lower,
            pv: node.tt_pv,
        };
        shared.table.store(board.key(), self.ply, stored);
        Some(if is_mate(score) {
            score
        } else {
            score - PROBCUT_MARGIN
        })
    }

    /// Finds a capture that fails high against the raised beta.
    fn probcut_capture(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        raised: i32,
    ) -> Option<(Move, i32)> {
        let gain = raised - self.stack[self.ply].eval;
        let hints = Hints {
            tt_move: node.tt_move().filter(|&mv| is_tactical(board, mv)),
            killers: [None; 2],
            context: [None; 3],
            attacked: Bitboard::EMPTY,
        };
        let mut picker = MovePicker::new(board, Selection::Captures, hints, &self.moves);
        let mut found = None;
        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, None) {
            if picker.is_at_bad_captures() {
                break;
            }
            if !see::wins_at_least(board, mv, gain) {
                continue;
            }
            let next = self.make(shared.table, board, mv);
            let mut score = -self.quiescence::<false>(shared, &next, -raised, -raised + 1);
            if score >= raised {
                let reduced = node.depth - PROBCUT_REDUCTION;
                let cut_node = !node.cut_node;
                score =
                    -self.search::<false>(shared, &next, -raised, -raised + 1, reduced, cut_node);
            }
            self.unmake();
            if self.stopped {
                break;
            }
            if score >= raised {
                found = Some((mv, score));
                break;
            }
        }
        picker.finish(&mut self.moves);
        found
    }
}

/// Reverse futility pruning: the evaluation is so far above beta that the opponent won't catch up.
fn reverse_futility_pruning(node: &Node) -> Option<i32> {
    let &Node {
        beta, depth, eval, ..
    } = node;
    let improving = if node.improving {
        REVERSE_FUTILITY_IMPROVING
    } else {
        0
    };
    let margin = REVERSE_FUTILITY_MARGIN * depth - improving;
    (depth <= REVERSE_FUTILITY_MAX_DEPTH
        && !node.tt_pv
        && eval >= beta
        && eval - margin >= beta
        && !is_mate(beta))
    .then(|| i32::midpoint(eval, beta))
}
