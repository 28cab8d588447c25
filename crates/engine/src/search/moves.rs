//! The loop over the moves of a node.

use tabiya_board::{Board, Move, Role};

use super::extensions::Extension;
use super::learning::SearchedMoves;
use super::move_pruning::MovePruning;
use super::node::{Child, Node};
use super::parameters::{raised_alpha_max_depth, raised_alpha_reduction};
use super::{Shared, Worker, has_pieces};
use crate::checks::Checks;
use crate::history::{History, QuietContext};
use crate::move_picker::{MoveOrdering, MovePicker, Selection};
use crate::score::{INFINITE, MATE_BOUND, fail_firm};

/// A move about to be searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place in the move order, from 1.
    pub(super) number: usize,
    /// Neither a capture nor a promotion to a queen.
    pub(super) quiet: bool,
    /// Not known of the first move, nor is its history: nothing depends on them.
    pub(super) gives_check: bool,
    pub(super) history: i32,
}

impl Candidate {
    fn new(
        history: &History,
        board: &Board,
        mv: Move,
        number: usize,
        quiets: &QuietContext,
        checks: &Checks,
    ) -> Self {
        let captured = board.captured(mv);
        let quiet = captured.is_none() && mv.promotion() != Some(Role::Queen);
        let history = match captured {
            // The first move is neither pruned nor reduced.
            _ if number == 1 => 0,
            _ if quiet => history.quiets(quiets).of(mv),
            Some(captured) => history.capture(quiets.color, mv, captured),
            None => 0,
        };
        Self {
            mv,
            number,
            quiet,
            gives_check: number > 1 && checks.is_check(board, mv),
            history,
        }
    }
}

/// What the search of a node's moves found.
pub(super) enum MoveLoopResult {
    /// The best score, and the move that raised alpha.
    Best(i32, Option<Move>),
    /// A score that several moves beat in a shallow search.
    Multicut(i32),
}

impl Worker {
    /// Searches the moves of a node. Returns `None` without moves.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
    ) -> Option<MoveLoopResult> {
        let ply = self.ply;
        let beta = node.beta;
        let mut alpha = node.alpha;
        let checks = Checks::of(board);
        let quiets = self.quiet_context(board);
        let ordering = MoveOrdering {
            tt_move: node.tt_move(),
            killers: self.stack[ply].killers,
            quiets: Some(&quiets),
        };
        let mut picker = MovePicker::new(board, Selection::All, ordering, &self.moves);
        let may_prune = has_pieces(board, board.turn());
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut searched = [SearchedMoves::new(), SearchedMoves::new()];
        let mut number = 0;
        let mut depth = node.depth;

        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, Some(&checks)) {
            if Some(mv) == node.excluded {
                continue;
            }
            number += 1;
            // Early: until the child is searched, its entry has time to arrive.
            shared.table.prefetch(self.likely_key(board, mv));
            let candidate = Candidate::new(&self.history, board, mv, number, &quiets, &checks);
            if may_prune && best > -MATE_BOUND {
                match candidate.pruning(board, node, &quiets.threats, alpha) {
                    MovePruning::Keep => {}
                    MovePruning::Skip => continue,
                    MovePruning::SkipQuiets => picker.skip_quiets(),
                }
            }
            let mut extension = 0;
            if Some(mv) == node.tt_move() {
                match self.singular_extension::<PV>(shared, board, node, mv) {
                    Extension::Plies(plies) => extension = plies,
                    Extension::Multicut(score) => {
                        picker.finish(&mut self.moves);
                        return Some(MoveLoopResult::Multicut(score));
                    }
                }
                if self.stopped {
                    break;
                }
            }

            let score = self.search_move::<PV>(
                shared,
                board,
                node,
                &candidate,
                depth - 1 + extension,
                (best, alpha),
            );
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.update_variation(mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                    // One good move is known: the others have to be much better to matter.
                    if PV && depth == node.depth && (2..=raised_alpha_max_depth()).contains(&depth)
                    {
                        depth = (depth - raised_alpha_reduction()).max(1);
                    }
                }
            }
            searched[usize::from(candidate.quiet)].push(mv);
        }
        picker.finish(&mut self.moves);
        if self.stopped || number == 0 {
            return None;
        }
        if let Some(mv) = best_move {
            self.reward_best_move(board, mv, node.depth, &quiets, &searched);
            if best >= beta && node.excluded.is_none() {
                self.punish_refuted_move(board, node.depth);
            }
        } else if node.excluded.is_none() {
            self.reward_last_move(board, node.depth);
        }
        // The deeper the search, the more its score counts.
        Some(MoveLoopResult::Best(
            fail_firm(best, beta, node.depth),
            best_move,
        ))
    }

    fn search_move<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        depth: i32,
        (best, alpha): (i32, i32),
    ) -> i32 {
        let frame = &self.stack[self.ply];
        let double_extensions = frame.double_extensions + i32::from(depth > node.depth);
        let next = self.make(shared.table, board, candidate.mv);
        self.stack[self.ply - 1].number = candidate.number;
        self.stack[self.ply].double_extensions = double_extensions;
        let child = Child {
            board: &next,
            depth,
            reduced: self.late_move_reduced_depth::<PV>(board, node, candidate, depth),
            is_first: candidate.number == 1,
            parent_is_cut_node: node.cut_node,
            best,
        };
        let score = self.search_child::<PV>(shared, &child, alpha, node.beta);
        self.unmake();
        score
    }
}
