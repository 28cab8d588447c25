//! The quiescence search: captures, until nothing hangs and the evaluation can be trusted.

use tabiya_board::{Bitboard, Board, Move};

use super::{Shared, Worker};
use crate::ordering::{Hints, Picker, Selection};
use crate::score::{DRAW, INFINITE, MATE_BOUND, is_mate, mated_in};
use crate::see;
use crate::tt::{Bound, Entry, QUIET_DEPTH, UNKNOWN};

/// What a capture may gain beyond what it takes.
const MARGIN: i32 = 180;

impl Worker {
    /// The score of a position when only captures are looked at, or all moves in check.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if let Some(score) = self.enter(shared, board) {
            return score;
        }
        let entry = shared.table.get(board.key(), self.ply);
        if !PV
            && let Some(entry) = entry
            && entry.bound.proves(entry.score, beta)
            && trustworthy(entry.score, board)
        {
            return entry.score;
        }
        let in_check = board.is_check();
        let (raw_eval, mut best) = if in_check {
            (UNKNOWN, -INFINITE)
        } else {
            self.stand_pat(board, entry)
        };
        let mut stored = Entry {
            mv: None,
            score: best,
            eval: raw_eval,
            depth: QUIET_DEPTH,
            bound: Bound::Lower,
            pv: PV || entry.is_some_and(|entry| entry.pv),
        };
        if best >= beta {
            if entry.is_none() {
                shared.table.put(board.key(), self.ply, stored);
            }
            return best;
        }
        alpha = alpha.max(best);
        let futility = best + MARGIN;

        let selection = if in_check {
            Selection::All
        } else {
            Selection::Captures
        };
        let hints = Hints {
            table: entry.and_then(|entry| entry.mv),
            killers: [None; 2],
            context: self.context(),
            attacked: Bitboard::EMPTY,
        };
        let mut picker = Picker::new(board, selection, hints, &self.moves);
        let mut number = 0;
        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, None) {
            number += 1;
            if best > -MATE_BOUND {
                if in_check && board.captured(mv).is_none() {
                    // One way to escape is known: quiet ones are left to the search proper.
                    picker.skip_quiets();
                    if number > 1 {
                        continue;
                    }
                }
                if !in_check && Self::is_hopeless(board, mv, futility, alpha) {
                    best = best.max(futility.min(alpha));
                    continue;
                }
                if picker.is_at_bad_captures() || !see::wins_at_least(board, mv, -40) {
                    continue;
                }
            }
            let next = self.forward(shared.table, board, mv);
            let score = -self.quiesce::<PV>(shared, &next, -beta, -alpha);
            self.back();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    stored.mv = Some(mv);
                    if PV {
                        self.extend_variation(mv);
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
        stored.score = best;
        if best < beta {
            stored.bound = Bound::Upper;
        }
        shared.table.put(board.key(), self.ply, stored);
        best
    }

    /// The evaluation, raw for the table, and with what the table knows better: what doing nothing is worth.
    fn stand_pat(&mut self, board: &Board, entry: Option<Entry>) -> (i32, i32) {
        let raw_eval = match entry {
            Some(entry) if entry.eval != UNKNOWN => entry.eval,
            _ => self.evaluator.evaluate(board),
        };
        let corrected = self.history.corrected(board, raw_eval);
        match entry {
            Some(entry) if !is_mate(entry.score) && entry.bound.proves(entry.score, corrected) => {
                (raw_eval, entry.score)
            }
            _ => (raw_eval, corrected),
        }
    }

    /// Whether what a capture takes is too little to matter.
    fn is_hopeless(board: &Board, mv: Move, futility: i32, alpha: i32) -> bool {
        let taken = board.captured(mv).map_or(0, see::value);
        mv.promotion().is_none()
            && futility <= alpha
            && (futility + taken <= alpha || !see::wins_at_least(board, mv, 1))
    }
}

/// Whether a score of the table may be used though the table does not know of the fifty-move rule: not shortly before a
/// draw, and no mate that comes too late for it.
pub(super) fn trustworthy(score: i32, board: &Board) -> bool {
    let clock = i32::from(board.halfmove_clock());
    clock < 90 && (!is_mate(score) || clock < 60)
}
