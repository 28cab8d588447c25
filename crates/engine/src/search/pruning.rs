//! Pruning of whole nodes: razoring, reverse futility pruning, null-move pruning, ProbCut.

use tabiya_board::{Board, Move};

use super::node::Node;
use super::parameters::{
    null_move_depth_divisor, null_move_eval_divisor, null_move_eval_margin, null_move_eval_max,
    null_move_eval_per_ply, null_move_reduction, null_move_verification_depth, probcut_margin,
    probcut_min_depth, probcut_reduction, razoring_margin, razoring_max_depth,
    reverse_futility_improving, reverse_futility_margin, reverse_futility_max_depth,
    small_probcut_margin,
};
use super::{Shared, Worker, has_pieces};
use crate::move_picker::{MoveOrdering, MovePicker, Selection, is_tactical};
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
        if depth > razoring_max_depth()
            || eval + razoring_margin() * depth >= alpha
            || is_mate(alpha)
        {
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
            || !node.cut_node
            || static_eval + null_move_eval_per_ply() * depth < beta + null_move_eval_margin()
            || after_null_move
            || self.ply < self.null_move_min_ply
            || !has_pieces(board, board.turn())
            || beta <= -MATE_BOUND
        {
            return None;
        }
        let next = board.null_move()?;
        let reduction = null_move_reduction()
            + depth / null_move_depth_divisor()
            + ((eval - beta) / null_move_eval_divisor()).min(null_move_eval_max());
        let reduced = depth - reduction;
        self.make_null(&next);
        let score = -self.search::<false>(shared, &next, -beta, -beta + 1, reduced, false);
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
        if depth < null_move_verification_depth()
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

    /// Small ProbCut: a shallower search beat beta by so much that this one would beat it, too.
    pub(super) fn small_probcut(node: &Node) -> Option<i32> {
        let entry = node.entry?;
        let raised = node.beta + small_probcut_margin();
        let applies = entry.bound == Bound::Lower
            && entry.depth >= node.depth - probcut_reduction()
            && entry.score >= raised
            && !is_mate(entry.score)
            && !is_mate(node.beta);
        applies.then_some(raised)
    }

    /// ProbCut: a good capture beats beta by so much in a shallow search that a deep one would, too.
    pub(super) fn probcut(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node { beta, depth, .. } = node;
        let raised = beta + probcut_margin();
        let stored_depth = depth - probcut_reduction() + 1;
        let table_refutes = node
            .entry
            .is_some_and(|entry| entry.depth >= stored_depth && entry.score < raised);
        if depth < probcut_min_depth() || is_mate(beta) || table_refutes {
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
            score - probcut_margin()
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
        let ordering = MoveOrdering {
            tt_move: node.tt_move().filter(|&mv| is_tactical(board, mv)),
            killers: [None; 2],
            quiets: None,
        };
        let mut picker = MovePicker::new(board, Selection::Captures, ordering, &self.moves);
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
                let reduced = node.depth - probcut_reduction();
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
        reverse_futility_improving()
    } else {
        0
    };
    let margin = reverse_futility_margin() * depth - improving;
    (depth <= reverse_futility_max_depth()
        && !node.tt_pv
        && eval >= beta
        && eval - margin >= beta
        && !is_mate(beta))
    .then(|| i32::midpoint(eval, beta))
}
