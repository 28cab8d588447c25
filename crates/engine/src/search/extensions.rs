//! Singular extensions and multicut.

use tabiya_board::{Board, Move};

use super::node::Node;
use super::parameters::{
    SINGULAR_MAX_PLY_FACTOR, double_extension_margin, double_extensions_max,
    singular_margin_sixteenths, singular_min_depth, singular_tt_depth_margin,
};
use super::{Shared, Worker};
use crate::score::is_mate;
use crate::tt::Bound;

/// The outcome of a singular search.
pub(super) enum Extension {
    /// Search the table move this many plies deeper; shallower if negative.
    Plies(i32),
    /// Multicut: several moves beat beta, so the node fails high.
    Multicut(i32),
}

impl Worker {
    /// Searches the node without its table move. If all other moves are worse by a margin, the table move is singular
    /// and gets an extension.
    pub(super) fn singular_extension<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        mv: Move,
    ) -> Extension {
        let ply = self.ply;
        let Some(entry) = node.entry else {
            return Extension::Plies(0);
        };
        if node.excluded.is_some()
            || node.depth < singular_min_depth()
            || entry.depth < node.depth - singular_tt_depth_margin()
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || is_mate(entry.score)
            || ply >= SINGULAR_MAX_PLY_FACTOR * self.root_depth as usize
        {
            return Extension::Plies(0);
        }
        let was_pv = node.tt_pv && !PV;
        let singular_beta = entry.score
            - node.depth * singular_margin_sixteenths() / 16
            - node.depth / 2 * i32::from(was_pv);
        let score = self.singular_search(shared, board, node, mv, singular_beta);
        if self.stopped {
            return Extension::Plies(0);
        }
        if score < singular_beta {
            let double = !PV
                && score < singular_beta - double_extension_margin()
                && self.stack[ply].double_extensions < double_extensions_max();
            Extension::Plies(1 + i32::from(double))
        } else if singular_beta >= node.beta && !is_mate(singular_beta) {
            Extension::Multicut(singular_beta)
        } else if entry.score >= node.beta {
            // Negative extensions: other moves may fail high as well.
            Extension::Plies(-2)
        } else if node.cut_node {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        }
    }

    /// Searches a node to half its depth with one move left out.
    fn singular_search(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        excluded: Move,
        beta: i32,
    ) -> i32 {
        let ply = self.ply;
        let eval = self.stack[ply].eval;
        self.stack[ply].excluded = Some(excluded);
        let depth = (node.depth - 1) / 2;
        let score = self.search::<false>(shared, board, beta - 1, beta, depth, node.cut_node);
        self.stack[ply].excluded = None;
        self.stack[ply].eval = eval;
        score
    }
}
