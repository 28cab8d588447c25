//! Late move reductions and internal iterative reduction.

use std::sync::LazyLock;

use tabiya_board::Board;

use super::Worker;
use super::moves::Candidate;
use super::node::Node;
use super::parameters::{
    IIR_MIN_DEPTH, LMR_CAPTURE_BASE, LMR_CAPTURE_DIVISOR, LMR_CHECK, LMR_CUT_NODE, LMR_CUTOFFS,
    LMR_CUTOFFS_MIN, LMR_HISTORY_DIVISOR, LMR_KILLER, LMR_MIN_DEPTH, LMR_NOT_IMPROVING,
    LMR_QUIET_BASE, LMR_QUIET_DIVISOR, LMR_TT_CAPTURE, LMR_TT_PV, PLY,
};

/// Depths and move numbers beyond this are treated alike.
const SIZE: usize = 64;

/// Natural logarithms of depths and move numbers.
static LOGARITHMS: LazyLock<[f64; SIZE]> =
    LazyLock::new(|| std::array::from_fn(|i| (i.max(1) as f64).ln()));

static QUIET: LazyLock<Vec<[i32; SIZE]>> =
    LazyLock::new(|| table(LMR_QUIET_BASE, LMR_QUIET_DIVISOR));
static TACTICAL: LazyLock<Vec<[i32; SIZE]>> =
    LazyLock::new(|| table(LMR_CAPTURE_BASE, LMR_CAPTURE_DIVISOR));

fn table(base: f64, divisor: f64) -> Vec<[i32; SIZE]> {
    let entry = |depth: usize, number: usize| {
        let plies = base + LOGARITHMS[depth] * LOGARITHMS[number] / divisor;
        (plies * f64::from(PLY)) as i32
    };
    (0..SIZE)
        .map(|depth| std::array::from_fn(|number| entry(depth, number)))
        .collect()
}

/// Returns the reduction of a move by depth and move number alone, in parts of a [`PLY`].
pub(super) fn base_reduction(depth: i32, number: usize, quiet: bool) -> i32 {
    let table = if quiet { &QUIET } else { &TACTICAL };
    table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
}

impl Node {
    /// Internal iterative reduction: without a table move to start with, a node is searched one ply shallower. That
    /// leaves a move in the table for the next time.
    pub(super) fn internal_iterative_reduction<const PV: bool>(&self) -> i32 {
        let applies = self.depth >= IIR_MIN_DEPTH
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
        reduction -= LMR_TT_PV * i32::from(node.tt_pv);
        reduction += LMR_CUT_NODE * i32::from(node.cut_node);
        reduction += LMR_NOT_IMPROVING * i32::from(!node.improving);
        reduction -= LMR_CHECK * i32::from(candidate.gives_check);
        // The move has been made, so this is the child's ply.
        reduction += LMR_CUTOFFS * i32::from(self.stack[self.ply].cutoffs > LMR_CUTOFFS_MIN);
        if quiet {
            let killers = self.stack[self.ply - 1].killers;
            let is_capture = |mv| board.captured(mv).is_some();
            reduction -= LMR_KILLER * i32::from(killers.contains(&Some(mv)));
            reduction += LMR_TT_CAPTURE * i32::from(node.tt_move().is_some_and(is_capture));
        }
        reduction -= candidate.history / LMR_HISTORY_DIVISOR;
        let max_depth = depth + i32::from(PV);
        Some((depth - reduction / PLY).clamp(1, max_depth.max(1)))
    }
}
