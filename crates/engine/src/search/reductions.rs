//! Late move reductions and internal iterative reduction.

use std::sync::LazyLock;

use tabiya_board::Board;

use super::Worker;
use super::moves::Candidate;
use super::node::Node;
use super::parameters::{
    LMR_CUTOFFS_MIN, LMR_LATE_OPPONENT, LMR_MIN_DEPTH, PLY, iir_min_depth, lmr_capture_base,
    lmr_capture_divisor, lmr_capture_history, lmr_check, lmr_correction, lmr_cut_node,
    lmr_cut_node_no_tt_move, lmr_cutoffs, lmr_history_zero, lmr_killer, lmr_late_opponent,
    lmr_not_improving, lmr_quiet_base, lmr_quiet_divisor, lmr_quiet_history, lmr_tt_capture,
    lmr_tt_pv, lmr_window,
};

/// Depths and move numbers beyond this are treated alike.
const SIZE: usize = 64;

/// Natural logarithms of depths and move numbers.
static LOGARITHMS: LazyLock<[f64; SIZE]> =
    LazyLock::new(|| std::array::from_fn(|i| (i.max(1) as f64).ln()));

/// The reductions of other moves and of quiet moves, by depth and move number.
static TABLES: LazyLock<[Vec<[i32; SIZE]>; 2]> = LazyLock::new(|| {
    [false, true].map(|quiet| {
        let row = |depth| std::array::from_fn(|number| computed_reduction(depth, number, quiet));
        (0..SIZE).map(row).collect()
    })
});

fn computed_reduction(depth: usize, number: usize, quiet: bool) -> i32 {
    let (base, divisor) = if quiet {
        (lmr_quiet_base(), lmr_quiet_divisor())
    } else {
        (lmr_capture_base(), lmr_capture_divisor())
    };
    let product = LOGARITHMS[depth] * LOGARITHMS[number];
    let plies = f64::from(base) / 10_000.0 + product / (f64::from(divisor) / 100.0);
    (plies * f64::from(PLY)) as i32
}

/// Returns the reduction of a move by depth and move number alone, in parts of a [`PLY`].
pub(super) fn base_reduction(depth: i32, number: usize, quiet: bool) -> i32 {
    let depth = (depth.max(0) as usize).min(SIZE - 1);
    let number = number.min(SIZE - 1);
    if cfg!(feature = "tuning") {
        // The tables are for the defaults.
        computed_reduction(depth, number, quiet)
    } else {
        TABLES[usize::from(quiet)][depth][number]
    }
}

impl Node {
    /// Internal iterative reduction: without a table move to start with, a node is searched one ply shallower. That
    /// leaves a move in the table for the next time.
    pub(super) fn internal_iterative_reduction<const PV: bool>(&self) -> i32 {
        let applies = self.depth >= iir_min_depth()
            && (PV || self.cut_node)
            && self.excluded.is_none()
            && self.tt_move().is_none();
        i32::from(applies)
    }
}

impl Worker {
    /// Late move reductions: returns the depth to which a late move, already made, is searched first. `None` for early
    /// moves.
    pub(super) fn late_move_reduced_depth<const PV: bool>(
        &self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        depth: i32,
    ) -> Option<i32> {
        let &Candidate {
            mv, number, quiet, ..
        } = candidate;
        if node.depth < LMR_MIN_DEPTH || number <= 1 + usize::from(PV) {
            return None;
        }
        let mut reduction = base_reduction(node.depth, number, quiet);
        reduction -= lmr_tt_pv() * i32::from(node.tt_pv);
        reduction += lmr_cut_node() * i32::from(node.cut_node);
        reduction +=
            lmr_cut_node_no_tt_move() * i32::from(node.cut_node && node.tt_move().is_none());
        reduction += lmr_not_improving() * i32::from(!node.improving);
        reduction -= lmr_check() * i32::from(candidate.gives_check);
        // The move has been made, so this is the child's ply.
        reduction += lmr_cutoffs() * i32::from(self.stack[self.ply].cutoffs > LMR_CUTOFFS_MIN);
        if quiet {
            let killers = self.stack[self.ply - 1].killers;
            let is_capture = |mv| board.captured(mv).is_some();
            reduction -= lmr_killer() * i32::from(killers.contains(&Some(mv)));
            reduction += lmr_tt_capture() * i32::from(node.tt_move().is_some_and(is_capture));
        }
        if let Some(before) = (self.ply - 1).checked_sub(1) {
            let is_late = self.stack[before].number >= LMR_LATE_OPPONENT;
            reduction -= lmr_late_opponent() * i32::from(is_late);
        }
        let frame = &self.stack[self.ply - 1];
        reduction -= frame.correction.abs() * lmr_correction();
        if PV {
            reduction -= (node.beta - node.alpha) * lmr_window() / self.root_window.max(1);
        }
        reduction -= if quiet {
            (candidate.history - lmr_history_zero()) * lmr_quiet_history() / 1024
        } else {
            candidate.history * lmr_capture_history() / 1024
        };
        let max_depth = depth + i32::from(PV);
        Some((depth - reduction / PLY).clamp(1, max_depth.max(1)))
    }
}
