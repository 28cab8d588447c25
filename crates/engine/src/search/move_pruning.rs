//! Pruning of single moves: late move pruning, futility pruning, history pruning, SEE pruning.
//!
//! None of them applies before a node has a move that does not lose by force.

use tabiya_board::Board;

use super::moves::Candidate;
use super::node::Node;
use super::parameters::{
    PLY, capture_futility_base, capture_futility_history_divisor, capture_futility_margin,
    futility_base, futility_margin, futility_max_depth, history_pruning_margin,
    history_pruning_max_depth, late_move_pruning_base, lmr_depth_history_divisor,
    see_capture_history_divisor, see_capture_margin, see_capture_max_depth, see_quiet_margin,
};
use super::reductions::base_reduction;
use crate::see;
use crate::threats::Threats;

/// Whether to search a move.
pub(super) enum MovePruning {
    Keep,
    Skip,
    /// Search this move, and skip the quiet moves after it.
    SkipQuiets,
}

impl Candidate {
    /// Decides whether to search the move.
    pub(super) fn pruning(
        &self,
        board: &Board,
        node: &Node,
        threats: &Threats,
        alpha: i32,
    ) -> MovePruning {
        if !self.quiet || self.gives_check {
            return if self.capture_futility_pruning(board, node, alpha)
                || self.see_pruning_capture(board, node, threats)
            {
                MovePruning::Skip
            } else {
                MovePruning::Keep
            };
        }
        let lmr_depth = self.lmr_depth(node);
        if Self::futility_pruning(node, alpha, lmr_depth)
            || self.history_pruning(node, lmr_depth)
            || self.see_pruning_quiet(board, threats, lmr_depth)
        {
            MovePruning::Skip
        } else if self.late_move_pruning(node) {
            MovePruning::SkipQuiets
        } else {
            MovePruning::Keep
        }
    }

    /// Returns the depth left after the late move reduction.
    fn lmr_depth(&self, node: &Node) -> i32 {
        let reduction = base_reduction(node.depth, self.number, true) / PLY;
        (node.depth - reduction + self.history / lmr_depth_history_divisor()).max(0)
    }

    /// Futility pruning: the evaluation is so far below alpha that a quiet move won't help.
    fn futility_pruning(node: &Node, alpha: i32, lmr_depth: i32) -> bool {
        lmr_depth <= futility_max_depth()
            && !node.in_check()
            && node.eval + futility_base() + futility_margin() * lmr_depth <= alpha
    }

    /// History pruning: the move has done badly before.
    fn history_pruning(&self, node: &Node, lmr_depth: i32) -> bool {
        lmr_depth <= history_pruning_max_depth()
            && self.history < history_pruning_margin() * node.depth
    }

    /// SEE pruning of a quiet move: it loses too much material.
    fn see_pruning_quiet(&self, board: &Board, threats: &Threats, lmr_depth: i32) -> bool {
        let threshold = see_quiet_margin() * lmr_depth * lmr_depth;
        !threats.is_safe(self.mv) && !see::wins_at_least(board, self.mv, threshold)
    }

    /// Futility pruning of a capture: even with the captured piece, the score stays below alpha.
    fn capture_futility_pruning(&self, board: &Board, node: &Node, alpha: i32) -> bool {
        if self.quiet || self.gives_check || node.in_check() {
            return false;
        }
        let reduction = base_reduction(node.depth, self.number, false) / PLY;
        let lmr_depth = (node.depth - reduction).max(0);
        let gain = board.captured(self.mv).map_or(0, see::value)
            + self.mv.promotion().map_or(0, see::value);
        lmr_depth <= futility_max_depth()
            && node.eval
                + capture_futility_base()
                + capture_futility_margin() * lmr_depth
                + gain
                + self.history / capture_futility_history_divisor()
                <= alpha
    }

    /// SEE pruning of a capture or check: it loses too much material.
    fn see_pruning_capture(&self, board: &Board, node: &Node, threats: &Threats) -> bool {
        let threshold =
            see_capture_margin() * node.depth - self.history / see_capture_history_divisor();
        node.depth <= see_capture_max_depth()
            && !threats.is_safe(self.mv)
            && !see::wins_at_least(board, self.mv, threshold.min(0))
    }

    /// Late move pruning: enough moves have been searched.
    fn late_move_pruning(&self, node: &Node) -> bool {
        let most = late_move_pruning_base() + node.depth * node.depth;
        self.number as i32 >= most / if node.improving { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{INFINITE, MATE};
    use crate::search::parameters::HISTORY_MAX;

    fn node(depth: i32) -> Node {
        Node {
            alpha: -INFINITE,
            beta: INFINITE,
            depth,
            cut_node: false,
            entry: None,
            tt_pv: false,
            raw_eval: 0,
            eval: 0,
            improving: true,
            excluded: None,
        }
    }

    /// Returns whether a move with the worst history is pruned.
    fn is_pruned(fen: &str, uci: &str, alpha: i32) -> bool {
        let board: Board = fen.parse().unwrap();
        let moves = board.legal_moves();
        let mv = *moves.iter().find(|mv| mv.to_string() == uci).unwrap();
        let threats = Threats::of(&board, !board.turn());
        let candidate = Candidate {
            mv,
            number: 3,
            quiet: board.captured(mv).is_none(),
            gives_check: board.after(mv).is_check(),
            history: -4 * HISTORY_MAX,
        };
        !matches!(
            candidate.pruning(&board, &node(4), &threats, alpha),
            MovePruning::Keep
        )
    }

    #[test]
    fn moves_that_lose_nothing_survive_the_worst_history() {
        let check = "4k3/8/8/3p4/8/8/8/R3K3 w - - 0 1";
        assert!(!is_pruned(check, "a1a8", -MATE));
        let free_pawn = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1";
        assert!(!is_pruned(free_pawn, "d1d5", -MATE));
        let defended_pawn = "3rk3/8/3q4/3p4/8/8/8/3RK3 w - - 0 1";
        assert!(is_pruned(defended_pawn, "d1d5", -MATE));
    }

    #[test]
    fn captures_that_gain_too_little_are_pruned() {
        let fen = "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1";
        assert!(!is_pruned(fen, "d1d5", -MATE));
        assert!(is_pruned(fen, "d1d5", 2_000));
    }
}
