//! The quiescence search: captures and check evasions until the position is quiet.

use tabiya_board::{Board, Move, attacks};

use super::parameters::{
    TT_MATE_MAX_HALFMOVE_CLOCK, TT_MAX_HALFMOVE_CLOCK, delta_margin, quiescence_moves,
    quiescence_see_margin,
};
use super::{Shared, Worker};
use crate::correction::corrected;
use crate::history::QuietContext;
use crate::move_picker::{MoveOrdering, MovePicker, ScoredMove, Selection};
use crate::prove::mate_in_one;
use crate::score::{DRAW, INFINITE, MATE_BOUND, fail_firm, is_mate, mated_in};
use crate::see;
use crate::tt::{Bound, Entry, NO_EVAL, QUIESCENCE_DEPTH};

impl Worker {
    /// Returns the score of a position by searching captures only, or all moves in check.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if let Some(score) = self.enter(shared, board) {
            return score;
        }
        let entry = shared.table.probe(board.key(), self.ply);
        if !PV
            && let Some(entry) = entry
            && entry.bound.proves(entry.score, beta)
            && is_usable(entry.score, board)
        {
            return entry.score;
        }
        let in_check = board.is_check();
        let (raw_eval, mut best) = if in_check {
            (NO_EVAL, -INFINITE)
        } else {
            self.stand_pat(board, entry)
        };
        let mut stored = Entry {
            mv: None,
            score: best,
            eval: raw_eval,
            depth: QUIESCENCE_DEPTH,
            bound: Bound::Lower,
            pv: PV || entry.is_some_and(|entry| entry.pv),
        };
        if best >= beta {
            if entry.is_none() {
                shared.table.store(board.key(), self.ply, stored);
            }
            return fail_firm(best, beta, 1);
        }
        if let Some(score) = self.mate_stuck_king(shared, board, stored) {
            return score;
        }
        alpha = alpha.max(best);
        let futility = best + delta_margin();

        let quiets = in_check.then(|| self.quiet_context(board));
        let tt_move = entry.and_then(|entry| entry.mv);
        let mut picker = picker(board, tt_move, quiets.as_ref(), &self.moves);
        let mut number = 0;
        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, None) {
            number += 1;
            shared.table.prefetch(self.likely_key(board, mv));
            if best > -MATE_BOUND {
                if in_check && board.captured(mv).is_none() {
                    // One evasion is known: don't search further quiet ones.
                    picker.skip_quiets();
                    if number > 1 {
                        continue;
                    }
                }
                if !in_check && self.is_beyond_limit(number, mv) {
                    continue;
                }
                if !in_check && delta_pruning(board, mv, futility, alpha) {
                    best = best.max(futility.min(alpha));
                    continue;
                }
                if picker.is_at_bad_captures()
                    || !see::wins_at_least(board, mv, quiescence_see_margin())
                {
                    continue;
                }
            }
            let next = self.make(shared.table, board, mv);
            let score = -self.quiescence::<PV>(shared, &next, -beta, -alpha);
            self.unmake();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    stored.mv = Some(mv);
                    if PV {
                        self.update_variation(mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return DRAW;
        }
        if in_check && number == 0 {
            return mated_in(self.ply);
        }
        best = fail_firm(best, beta, 3);
        stored.score = best;
        if best < beta {
            stored.bound = Bound::Upper;
        }
        shared.table.store(board.key(), self.ply, stored);
        best
    }

    /// Returns the score of a mate in one, if there is one and the opponent's king has no square to go to. Elsewhere
    /// mates are rarer, and looking for them is not worth the time.
    fn mate_stuck_king(&mut self, shared: &Shared, board: &Board, stored: Entry) -> Option<i32> {
        let (us, them) = (board.turn(), !board.turn());
        let mut around = (attacks::king(board.king(them)) - board.by_color(them)).into_iter();
        if board.is_check() || !around.all(|square| board.is_attacked(square, us)) {
            return None;
        }
        let mv = mate_in_one(board.position())?;
        let mate = Entry {
            mv: Some(mv),
            score: -mated_in(self.ply + 1),
            bound: Bound::Exact,
            ..stored
        };
        shared.table.store(board.key(), self.ply, mate);
        self.variations[self.ply].push(mv);
        Some(mate.score)
    }

    /// Returns whether enough captures have been searched, unless this one recaptures or promotes.
    fn is_beyond_limit(&self, number: i32, mv: Move) -> bool {
        let last = self
            .ply
            .checked_sub(1)
            .and_then(|ply| self.stack[ply].piece_to);
        let recaptures = last.is_some_and(|last| last.has_target_of(mv));
        number > quiescence_moves() && mv.promotion().is_none() && !recaptures
    }

    /// Returns the raw evaluation, and the stand-pat score: the evaluation corrected by history and the table.
    fn stand_pat(&mut self, board: &Board, entry: Option<Entry>) -> (i32, i32) {
        let correction = self.corrections.correction(&self.correction_context(board));
        let raw_eval = match entry {
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluator.evaluate(board),
        };
        let corrected = corrected(raw_eval, correction);
        match entry {
            Some(entry) if !is_mate(entry.score) && entry.bound.proves(entry.score, corrected) => {
                (raw_eval, entry.score)
            }
            _ => (raw_eval, corrected),
        }
    }
}

/// Picks captures, or all moves in check, when there is a context for quiet ones.
fn picker<'a>(
    board: &Board,
    tt_move: Option<Move>,
    quiets: Option<&'a QuietContext>,
    moves: &[ScoredMove],
) -> MovePicker<'a> {
    let selection = match quiets {
        Some(_) => Selection::All,
        None => Selection::Captures,
    };
    let ordering = MoveOrdering {
        tt_move,
        killers: [None; 2],
        quiets,
    };
    MovePicker::new(board, selection, ordering, moves)
}

/// Delta pruning: even with the captured piece and a margin, the score stays below alpha.
fn delta_pruning(board: &Board, mv: Move, futility: i32, alpha: i32) -> bool {
    let captured = board.captured(mv).map_or(0, see::value);
    mv.promotion().is_none()
        && futility <= alpha
        && (futility + captured <= alpha || !see::wins_at_least(board, mv, 1))
}

/// Returns whether a score from the table can be used. The table does not know the fifty-move rule, so none is used
/// shortly before that draw, and mates even earlier.
pub(super) fn is_usable(score: i32, board: &Board) -> bool {
    let clock = i32::from(board.halfmove_clock());
    clock < TT_MAX_HALFMOVE_CLOCK && (!is_mate(score) || clock < TT_MATE_MAX_HALFMOVE_CLOCK)
}
