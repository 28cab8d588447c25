//! Singular extensions: a move that is better than all others is looked at more deeply.

use tabiya_board::{Board, Move};

use super::node::Node;
use super::{Shared, Worker};
use crate::score::is_mate;
use crate::tt::Bound;

/// What comes of looking at a node without its table move.
pub(super) enum Singularity {
    /// The move is looked at so many plies deeper, or less deep.
    Extend(i32),
    /// The node fails high without it.
    Cut(i32),
}

impl Worker {
    /// Whether the move of the table is better than all others by a margin: then it is looked at more deeply. If
    /// others are good enough too, the node fails high anyway.
    pub(super) fn singularity<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        mv: Move,
    ) -> Singularity {
        let ply = self.ply;
        let Some(entry) = node.entry else {
            return Singularity::Extend(0);
        };
        if node.excluded.is_some()
            || node.depth < 7
            || entry.depth < node.depth - 3
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || is_mate(entry.score)
            || ply >= 2 * self.stage.depth as usize
        {
            return Singularity::Extend(0);
        }
        let margin =
            entry.score - node.depth * 13 / 16 - node.depth / 2 * i32::from(node.tt_pv && !PV);
        let eval = self.stack[ply].eval;
        self.stack[ply].excluded = Some(mv);
        let score = self.search::<false>(
            shared,
            board,
            margin - 1,
            margin,
            (node.depth - 1) / 2,
            node.expects_cut,
        );
        self.stack[ply].excluded = None;
        self.stack[ply].eval = eval;
        if self.stopped {
            return Singularity::Extend(0);
        }
        if score < margin {
            let clearly = !PV && score < margin - 16 && self.stack[ply].double_extensions < 6;
            Singularity::Extend(1 + i32::from(clearly))
        } else if margin >= node.beta && !is_mate(margin) {
            Singularity::Cut(margin)
        } else if entry.score >= node.beta {
            Singularity::Extend(-2)
        } else if node.expects_cut {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }
}
