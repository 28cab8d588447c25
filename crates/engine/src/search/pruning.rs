//! When a node can be given up without looking at all its moves.

use tabiya_board::{Bitboard, Board};

use super::node::Node;
use super::{Shared, Worker, has_pieces};
use crate::ordering::{Hints, Picker, Selection, is_tactical};
use crate::score::{DRAW, MATE_BOUND, is_mate};
use crate::see;
use crate::tt::{Bound, Entry};

/// By how much a capture has to beat beta in a shallow search to be proof enough.
const PROOF_MARGIN: i32 = 194;

impl Worker {
    /// Whether the node can be given up without looking at its moves: it is so good, or so bad.
    pub(super) fn prune(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node {
            alpha,
            beta,
            depth,
            eval,
            ..
        } = node;

        // So bad that only captures can help: see whether they do.
        if depth <= 4 && eval + 291 * depth < alpha && !is_mate(alpha) {
            let score = self.quiesce::<false>(shared, board, alpha, alpha + 1);
            if score <= alpha {
                return Some(score);
            }
        }

        // So good that no quiet reply will change it.
        let margin = 62 * depth - if node.improving { 56 } else { 0 };
        if depth <= 8 && !node.tt_pv && eval >= beta && eval - margin >= beta && !is_mate(beta) {
            return Some(i32::midpoint(eval, beta));
        }

        // So good that even passing is enough.
        if eval >= beta
            && self.stack[self.ply].eval + 22 * depth >= beta + 110
            && self.stack[self.ply - 1].arrival.is_some()
            && self.ply >= self.pass_from
            && has_pieces(board, board.turn())
            && beta > -MATE_BOUND
            && let Some(next) = board.pass()
        {
            let reduced = depth - (4 + depth / 4 + ((eval - beta) / 200).min(3));
            self.pass(&next);
            let score =
                -self.search::<false>(shared, &next, -beta, -beta + 1, reduced, !node.expects_cut);
            self.back();
            if self.stopped {
                return Some(DRAW);
            }
            if score >= beta {
                // A mate got by passing is not proved.
                let score = if is_mate(score) { beta } else { score };
                if depth < 14 || self.pass_from > 0 {
                    return Some(score);
                }
                // Having to move may be what loses: at great depth, see whether it holds without passing.
                self.pass_from = self.ply + 3 * reduced.max(1) as usize / 4;
                let checked = self.search::<false>(shared, board, beta - 1, beta, reduced, false);
                self.pass_from = 0;
                if checked >= beta {
                    return Some(score);
                }
            }
        }
        None
    }

    /// Whether a good capture refutes the node by so much that a shallow search is proof enough.
    pub(super) fn probe_cut(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node { beta, depth, .. } = node;
        let raised = beta + PROOF_MARGIN;
        let table_says_no = node
            .entry
            .is_some_and(|entry| entry.depth >= depth - 3 && entry.score < raised);
        if depth < 5 || is_mate(beta) || table_says_no {
            return None;
        }
        let gain = raised - self.stack[self.ply].eval;
        let hints = Hints {
            table: node.table_move().filter(|&mv| is_tactical(board, mv)),
            killers: [None; 2],
            context: [None; 3],
            attacked: Bitboard::EMPTY,
        };
        let mut picker = Picker::new(board, Selection::Captures, hints, &self.moves);
        let mut proof = None;
        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, None) {
            if picker.is_at_bad_captures() {
                break;
            }
            if !see::wins_at_least(board, mv, gain) {
                continue;
            }
            let next = self.forward(shared.table, board, mv);
            let mut score = -self.quiesce::<false>(shared, &next, -raised, -raised + 1);
            if score >= raised {
                let reduced = depth - 4;
                score = -self.search::<false>(
                    shared,
                    &next,
                    -raised,
                    -raised + 1,
                    reduced,
                    !node.expects_cut,
                );
            }
            self.back();
            if self.stopped {
                break;
            }
            if score >= raised {
                proof = Some((mv, score));
                break;
            }
        }
        picker.finish(&mut self.moves);
        let (mv, score) = proof?;
        let stored = Entry {
            mv: Some(mv),
            score,
            eval: node.raw_eval,
            depth: depth - 3,
            bound: Bound::Lower,
            pv: node.tt_pv,
        };
        shared.table.put(board.key(), self.ply, stored);
        Some(if is_mate(score) {
            score
        } else {
            score - PROOF_MARGIN
        })
    }
}
