//! The loop over the moves of a node.

use tabiya_board::{Board, Move, Role};

use super::extensions::Extension;
use super::move_pruning::MovePruning;
use super::node::{Child, Node};
use super::parameters::{
    eval_history_factor, eval_history_max, fail_low_factor, history_bonus_max,
    history_bonus_offset, history_bonus_per_ply, history_malus_max, history_malus_offset,
    history_malus_per_ply, x_fixes, x_learn, x_prune,
};
use super::{Shared, Worker, attacked_by, has_pieces};
use crate::checks::Checks;
use crate::history::{History, PawnRow, PieceTo};
use crate::move_picker::{Hints, MovePicker, Selection, is_tactical};
use crate::score::{INFINITE, MATE_BOUND, is_mate};
use crate::tt::NO_EVAL;

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
            _ if quiet => history.quiet(us, mv, hints.attacked, &hints.context, hints.pawns),
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

/// What the search of a node's moves found.
pub(super) enum Found {
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
    ) -> Option<Found> {
        let ply = self.ply;
        let beta = node.beta;
        let mut alpha = node.alpha;
        let checks = Checks::of(board);
        let hints = Hints {
            tt_move: node.tt_move(),
            killers: self.stack[ply].killers,
            context: self.continuation_context(),
            attacked: attacked_by(board, !board.turn()),
            pawns: PawnRow::of(board),
        };
        self.stack[ply].attacked = hints.attacked;
        self.stack[ply].pawns = hints.pawns;
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
                        return if x_fixes() & 1 == 0 {
                            Some(Found::Best(score, None))
                        } else {
                            Some(Found::Multicut(score))
                        };
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
        if self.stopped || number == 0 {
            return None;
        }
        if let Some(mv) = best_move
            && best < beta
            && x_learn() & 1 != 0
        {
            self.update_histories(board, mv, node.depth, &hints, &tried);
        }
        if best_move.is_none() && x_learn() & 4 != 0 && node.excluded.is_none() {
            self.reward_last_move(board, node.depth);
        }
        if x_prune() & 16 != 0 && best >= beta && !is_mate(best) && !is_mate(beta) {
            best = (best * node.depth + beta) / (node.depth + 1);
        }
        Some(Found::Best(best, best_move))
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
        self.stack[self.ply - 1].number = candidate.number;
        let depth = node.depth - 1 + extension;
        let child = Child {
            board: &next,
            depth,
            reduced: self.late_move_reduced_depth::<PV>(board, node, candidate, depth),
            is_first: candidate.number == 1,
            quiet: candidate.quiet,
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
        let (bonus, malus) = (history_bonus(depth), -history_malus(depth));
        let history = &mut self.history;
        if !is_tactical(board, best) {
            let killers = &mut self.stack[self.ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let Hints {
                attacked,
                context,
                pawns,
                ..
            } = hints;
            history.update_quiet(us, best, *attacked, context, *pawns, bonus);
            for mv in quiets.iter().filter(|&mv| mv != best) {
                history.update_quiet(us, mv, *attacked, context, *pawns, malus);
            }
        } else if let Some(captured) = board.captured(best) {
            history.update_capture(us, best, captured, bonus);
        }
        for mv in captures.iter().filter(|&mv| mv != best) {
            if let Some(captured) = board.captured(mv) {
                history.update_capture(us, mv, captured, malus);
            }
        }
    }

    /// Rewards the last move, after which every move fails low.
    fn reward_last_move(&mut self, board: &Board, depth: i32) {
        let ply = self.ply - 1;
        let bonus = history_bonus(depth) * fail_low_factor() / 1024;
        let frame = self.stack[ply];
        if let Some(mv) = frame.quiet {
            let context = self.continuation_context_at(ply);
            let them = !board.turn();
            self.history
                .update_quiet(them, mv, frame.attacked, &context, frame.pawns, bonus);
        }
    }

    /// Rewards a quiet table move that causes a cutoff without a search.
    pub(super) fn reward_table_move(&mut self, board: &Board, mv: Move, depth: i32) {
        if is_tactical(board, mv) {
            return;
        }
        let attacked = attacked_by(board, !board.turn());
        let context = self.continuation_context();
        let pawns = PawnRow::of(board);
        let bonus = history_bonus(depth);
        self.history
            .update_quiet(board.turn(), mv, attacked, &context, pawns, bonus);
    }

    /// Teaches the continuation history what the search of a reduced move found at full depth.
    pub(super) fn learn_from_research(&mut self, board: &Board, bonus: i32) {
        // The move has been made.
        let ply = self.ply - 1;
        if let Some(mv) = self.stack[ply].quiet {
            let context = self.continuation_context_at(ply);
            let own = PieceTo::of(!board.turn(), mv);
            self.history.update_continuation(&context, own, bonus);
        }
    }

    /// Teaches the butterfly history how the evaluation changed with the last move.
    pub(super) fn learn_from_evaluation(&mut self, board: &Board) {
        let Some(ply) = self.ply.checked_sub(1) else {
            return;
        };
        let (last, now) = (self.stack[ply], self.stack[self.ply].eval);
        if let Some(mv) = last.quiet
            && last.eval != NO_EVAL
            && now != NO_EVAL
        {
            let most = eval_history_max();
            let bonus = (-eval_history_factor() * (last.eval + now)).clamp(-most, most);
            self.history
                .update_butterfly(!board.turn(), mv, last.attacked, bonus);
        }
    }
}

pub(super) fn history_bonus(depth: i32) -> i32 {
    (history_bonus_per_ply() * depth + history_bonus_offset()).min(history_bonus_max())
}

pub(super) fn history_malus(depth: i32) -> i32 {
    (history_malus_per_ply() * depth + history_malus_offset()).min(history_malus_max())
}
