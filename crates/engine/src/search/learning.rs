//! What the search teaches the histories of moves.

use tabiya_board::{Board, Move};

use super::Worker;
use super::parameters::{
    eval_history_factor, eval_history_max, fail_low_factor, history_bonus_max,
    history_bonus_offset, history_bonus_per_ply, history_malus_max, history_malus_offset,
    history_malus_per_ply, refuted_factor,
};
use crate::history::{PieceTo, QuietContext};
use crate::move_picker::is_tactical;
use crate::tt::NO_EVAL;

/// How many searched moves of each kind get a history malus.
const MAX_SEARCHED: usize = 32;
/// Fills unused places: initialising an array of moves is faster than one of `Option`s, and every node has two.
const NO_MOVE: Move = Move::from_bits(0);

/// The moves of a node that did not cause a cutoff.
pub(super) struct SearchedMoves {
    moves: [Move; MAX_SEARCHED],
    len: usize,
}

impl SearchedMoves {
    pub(super) const fn new() -> Self {
        Self {
            moves: [NO_MOVE; MAX_SEARCHED],
            len: 0,
        }
    }

    pub(super) fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = mv;
            self.len += 1;
        }
    }

    fn except(&self, best: Move) -> impl Iterator<Item = Move> + '_ {
        let moves = self.moves[..self.len].iter().copied();
        moves.filter(move |&mv| mv != best)
    }
}

impl Worker {
    /// Rewards the move that raised alpha or caused a cutoff, and punishes the other captures and quiet moves searched.
    pub(super) fn reward_best_move(
        &mut self,
        board: &Board,
        best: Move,
        depth: i32,
        context: &QuietContext,
        [captures, quiets]: &[SearchedMoves; 2],
    ) {
        let us = board.turn();
        let (bonus, malus) = (history_bonus(depth), -history_malus(depth));
        let history = &mut self.history;
        if !is_tactical(board, best) {
            let killers = &mut self.stack[self.ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            history.update_quiet(context, best, bonus);
            for mv in quiets.except(best) {
                history.update_quiet(context, mv, malus);
            }
        } else if let Some(captured) = board.captured(best) {
            history.update_capture(us, best, captured, bonus);
        }
        for mv in captures.except(best) {
            if let Some(captured) = board.captured(mv) {
                history.update_capture(us, mv, captured, malus);
            }
        }
    }

    /// Rewards a quiet table move that causes a cutoff without a search.
    pub(super) fn reward_table_move(&mut self, board: &Board, mv: Move, depth: i32) {
        if !is_tactical(board, mv) {
            let context = self.quiet_context(board);
            self.history
                .update_quiet(&context, mv, history_bonus(depth));
        }
    }

    /// Rewards the last move if it is quiet: every answer fails low.
    pub(super) fn reward_last_move(&mut self, board: &Board, depth: i32) {
        let ply = self.ply - 1;
        if let Some(mv) = self.stack[ply].quiet {
            let context = self.quiet_context_at(ply, !board.turn());
            let bonus = history_bonus(depth) * fail_low_factor() / 1024;
            self.history.update_quiet(&context, mv, bonus);
        }
    }

    /// Punishes the last move if it is quiet and came first: it is refuted.
    pub(super) fn punish_refuted_move(&mut self, board: &Board, depth: i32) {
        let ply = self.ply - 1;
        let frame = &self.stack[ply];
        if let Some(mv) = frame.quiet
            && (frame.number == 1 || frame.killers[0] == Some(mv))
        {
            let malus = -history_malus(depth) * refuted_factor() / 1024;
            let context = self.continuation_context(ply);
            let own = PieceTo::index(!board.turn(), mv);
            self.history.update_continuation(&context, own, malus);
        }
    }

    /// Teaches the continuation history what a search found that repeats the reduced search of the last move.
    pub(super) fn learn_from_research(&mut self, board: &Board, depth: i32, fails_high: bool) {
        let ply = self.ply - 1;
        if let Some(mv) = self.stack[ply].quiet {
            let bonus = if fails_high {
                history_bonus(depth)
            } else {
                -history_malus(depth)
            };
            let context = self.continuation_context(ply);
            let own = PieceTo::index(!board.turn(), mv);
            self.history.update_continuation(&context, own, bonus);
        }
    }

    /// Teaches the butterfly history how the evaluation changed with the last move.
    pub(super) fn learn_from_evaluation(&mut self, board: &Board) {
        let (last, now) = (&self.stack[self.ply - 1], self.stack[self.ply].eval);
        if let Some(mv) = last.quiet
            && last.eval != NO_EVAL
            && now != NO_EVAL
        {
            let most = eval_history_max();
            let bonus = (-eval_history_factor() * (last.eval + now)).clamp(-most, most);
            self.history
                .update_butterfly(!board.turn(), last.threats.all, mv, bonus);
        }
    }
}

fn history_bonus(depth: i32) -> i32 {
    (history_bonus_per_ply() * depth + history_bonus_offset()).min(history_bonus_max())
}

fn history_malus(depth: i32) -> i32 {
    (history_malus_per_ply() * depth + history_malus_offset()).min(history_malus_max())
}
