//! The loop over the moves of a node.

use tabiya_board::{Board, Move, Role};

use super::extensions::Extension;
use super::move_pruning::MovePruning;
use super::node::{Child, Node};
use super::parameters::{
    history_bonus_max, history_bonus_offset, history_bonus_per_ply, history_malus_max,
    history_malus_offset, history_malus_per_ply,
};
use super::{Shared, Worker, attacked_by, has_pieces};
use crate::checks::Checks;
use crate::history::History;
use crate::move_picker::{Hints, MovePicker, Selection, is_tactical};
use crate::score::{INFINITE, MATE_BOUND};

/// How many searched moves of each kind get a history malus.
const MAX_TRIED: usize = 32;
/// Fills unused places: initialising an array of moves is faster than one of `Option`s, and every node has two.
const NO_MOVE: Move = Move::from_bits(0);

/// The moves of a node that did not cause a cutoff.
struct Tried {
    moves: [Move; MAX_TRIED],
    len: usize,
}

impl Tried {
    const fn new() -> Self {
        Self {
            moves: [NO_MOVE; MAX_TRIED],
            len: 0,
        }
    }

    fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = mv;
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().copied()
    }
}

/// A move about to be searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place in the move order, from 1.
    pub(super) number: usize,
    /// Neither a capture nor a promotion to a queen.
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    pub(super) history: i32,
}

impl Candidate {
    fn new(
        history: &History,
        board: &Board,
        mv: Move,
        number: usize,
        hints: &Hints,
        checks: &Checks,
    ) -> Self {
        let us = board.turn();
        let captured = board.captured(mv);
        let quiet = captured.is_none() && mv.promotion() != Some(Role::Queen);
        let history = match captured {
            _ if quiet => history.quiet(us, mv, hints.attacked, &hints.context),
            Some(captured) => history.capture(us, mv, captured),
            None => 0,
        };
        Self {
            mv,
            number,
            quiet,
            gives_check: checks.is_check(board, mv),
            history,
        }
    }
}

impl Worker {
    /// Searches the moves of a node. Returns the best score and the move that raised alpha, or `None` without moves.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
    ) -> Option<(i32, Option<Move>)> {
        let ply = self.ply;
        let beta = node.beta;
        let mut alpha = node.alpha;
        let checks = Checks::of(board);
        let hints = Hints {
            tt_move: node.tt_move(),
            killers: self.stack[ply].killers,
            context: self.continuation_context(),
            attacked: attacked_by(board, !board.turn()),
        };
        let mut picker = MovePicker::new(board, Selection::All, hints, &self.moves);
        let may_prune = has_pieces(board, board.turn());
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried = [Tried::new(), Tried::new()];
        let mut number = 0;

        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, Some(&checks)) {
            if Some(mv) == node.excluded {
                continue;
            }
            number += 1;
            // Early: until the child is searched, its entry has time to arrive.
            shared.table.prefetch(self.likely_key(board, mv));
            let candidate = Candidate::new(&self.history, board, mv, number, &hints, &checks);
            if may_prune && best > -MATE_BOUND {
                match candidate.pruning(board, node, alpha) {
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
                        return Some((score, None));
                    }
                }
                if self.stopped {
                    break;
                }
            }

            let score = self.search_move::<PV>(shared, board, node, &candidate, extension, alpha);
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
                        self.update_histories(board, mv, node.depth, &hints, &tried);
                        break;
                    }
                    alpha = score;
                }
            }
            tried[usize::from(candidate.quiet)].push(mv);
        }
        picker.finish(&mut self.moves);
        (!self.stopped && number > 0).then_some((best, best_move))
    }

    fn search_move<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        alpha: i32,
    ) -> i32 {
        let double_extensions = self.stack[self.ply].double_extensions + i32::from(extension >= 2);
        let next = self.make(shared.table, board, candidate.mv);
        self.stack[self.ply].double_extensions = double_extensions;
        let depth = node.depth - 1 + extension;
        let child = Child {
            board: &next,
            depth,
            reduced: self.late_move_reduced_depth::<PV>(board, node, candidate, depth),
            is_first: candidate.number == 1,
            parent_is_cut_node: node.cut_node,
        };
        let score = self.search_child::<PV>(shared, &child, alpha, node.beta);
        self.unmake();
        score
    }

    /// Rewards the move that caused a beta cutoff, and punishes those tried before it: captures and quiet moves.
    fn update_histories(
        &mut self,
        board: &Board,
        best: Move,
        depth: i32,
        hints: &Hints,
        [captures, quiets]: &[Tried; 2],
    ) {
        let us = board.turn();
        let bonus =
            (history_bonus_per_ply() * depth + history_bonus_offset()).min(history_bonus_max());
        let malus =
            -(history_malus_per_ply() * depth + history_malus_offset()).min(history_malus_max());
        let history = &mut self.history;
        if !is_tactical(board, best) {
            let killers = &mut self.stack[self.ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let Hints {
                attacked, context, ..
            } = hints;
            history.update_quiet(us, best, *attacked, context, bonus);
            for mv in quiets.iter() {
                history.update_quiet(us, mv, *attacked, context, malus);
            }
        } else if let Some(captured) = board.captured(best) {
            history.update_capture(us, best, captured, bonus);
        }
        for mv in captures.iter() {
            if let Some(captured) = board.captured(mv) {
                history.update_capture(us, mv, captured, malus);
            }
        }
    }
}
