//! A node of the search: what can be said about it before its moves are looked at, and what is remembered of it.

use tabiya_board::{Board, Move};

use super::quiescence::trustworthy;
use super::team::Team;
use super::{Shared, Worker};
use crate::ordering::is_tactical;
use crate::score::{DRAW, MAX_PLY, is_mate, mated_in};
use crate::tt::{Bound, Entry, UNKNOWN};

/// With fewer plies to look ahead, threads do not mind what others are doing.
const SHARED_DEPTH: i32 = 3;

/// A position one move further, and how it is to be searched.
pub(super) struct Child<'a> {
    pub(super) board: &'a Board,
    pub(super) depth: i32,
    /// A smaller depth that has to disappoint first.
    pub(super) reduced: Option<i32>,
    /// The first move of its node is the one expected to be best.
    pub(super) is_first: bool,
    /// Whether its node was expected to fail high.
    pub(super) cut_node: bool,
}

/// What is known about a node before its moves are looked at.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    /// The parent expects that this node fails high.
    pub(super) expects_cut: bool,
    pub(super) entry: Option<Entry>,
    /// On a principal variation, now or before.
    pub(super) tt_pv: bool,
    /// The evaluation as the table has it, without what experience corrects; [`UNKNOWN`] in check.
    pub(super) raw_eval: i32,
    /// The evaluation, with what experience and the table know better; [`UNKNOWN`] in check.
    pub(super) eval: i32,
    /// Whether the evaluation is better than two plies ago.
    pub(super) improving: bool,
    /// A move that is left out to see whether the others are worse.
    pub(super) excluded: Option<Move>,
}

impl Node {
    pub(super) const fn in_check(&self) -> bool {
        self.raw_eval == UNKNOWN
    }

    /// Those to share the work with, if there is enough of it.
    pub(super) fn team<'s>(&self, shared: &'s Shared) -> Option<&'s Team> {
        shared.team.as_ref().filter(|_| self.depth >= SHARED_DEPTH)
    }

    pub(super) fn table_move(&self) -> Option<Move> {
        self.entry.and_then(|entry| entry.mv)
    }
}

impl Worker {
    /// The score of a position, looking so many plies ahead.
    pub(super) fn search<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        expects_cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<PV>(shared, board, alpha, beta);
        }
        if let Some(score) = self.enter(shared, board) {
            return score;
        }
        let ply = self.ply;
        // A side that is worse off than in a draw can have one if it can repeat the position.
        if alpha < DRAW && self.can_repeat(board) {
            alpha = DRAW;
        }
        // However it goes on, the score is not better than mate at once and not worse than being mated here.
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(-mated_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let excluded = self.stack[ply].excluded;
        let entry = match excluded {
            None => shared.table.get(board.key(), ply),
            Some(_) => None,
        };
        if !PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && entry.bound.proves(entry.score, beta)
            && trustworthy(entry.score, board)
        {
            return entry.score;
        }

        let (raw_eval, eval) = self.evaluate_node::<PV>(shared, board, entry);
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 1].excluded = None;
        if let Some(after_next) = self.stack.get_mut(ply + 2) {
            after_next.cutoffs = 0;
        }
        let mut node = Node {
            alpha,
            beta,
            depth,
            expects_cut,
            entry,
            tt_pv: PV || entry.is_some_and(|entry| entry.pv),
            raw_eval,
            eval,
            improving: self.is_improving(),
            excluded,
        };
        let may_prune = !PV && !node.in_check() && excluded.is_none();
        if may_prune && let Some(score) = self.prune(shared, board, &node) {
            return score;
        }
        // Without a move to begin with, a search of this depth is dear: a shallower one will leave a move in the table.
        let unprepared = excluded.is_none() && node.table_move().is_none();
        if depth >= 4 && (PV || expects_cut) && unprepared {
            node.depth -= 1;
        }
        if may_prune && let Some(score) = self.probe_cut(shared, board, &node) {
            return score;
        }

        let found = match node.team(shared) {
            Some(team) if PV => self.search_together(shared, team, board, &node),
            _ => self.search_moves::<PV>(shared, board, &node),
        };
        if self.stopped {
            return DRAW;
        }
        let Some((score, best)) = found else {
            return if excluded.is_some() {
                alpha
            } else if node.in_check() {
                mated_in(ply)
            } else {
                DRAW
            };
        };
        if excluded.is_none() {
            self.remember(shared, board, &node, score, best);
        }
        score
    }

    /// Counts the node, and gives its score where nothing has to be searched for it: in draws, and at the end of what a
    /// search can hold.
    pub(super) fn enter(&mut self, shared: &Shared, board: &Board) -> Option<i32> {
        self.visit(shared);
        self.variations[self.ply].clear();
        if self.stopped {
            return Some(DRAW);
        }
        self.deepest = self.deepest.max(self.ply);
        if self.is_draw(board) {
            return Some(DRAW);
        }
        (self.ply >= MAX_PLY).then(|| {
            if board.is_check() {
                DRAW
            } else {
                self.evaluator.evaluate(board)
            }
        })
    }

    /// The evaluation of a node: raw for the table, and as good as can be for the search.
    fn evaluate_node<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        entry: Option<Entry>,
    ) -> (i32, i32) {
        let ply = self.ply;
        if self.stack[ply].excluded.is_some() {
            // The same position has just been evaluated.
            let eval = self.stack[ply].eval;
            return (eval, eval);
        }
        if board.is_check() {
            self.stack[ply].eval = UNKNOWN;
            return (UNKNOWN, UNKNOWN);
        }
        let raw_eval = match entry {
            Some(entry) if entry.eval != UNKNOWN => entry.eval,
            _ => self.evaluator.evaluate(board),
        };
        if entry.is_none() {
            let stored = Entry {
                mv: None,
                score: DRAW,
                eval: raw_eval,
                depth: 0,
                bound: Bound::None,
                pv: PV,
            };
            shared.table.put(board.key(), ply, stored);
        }
        let corrected = self.history.corrected(board, raw_eval);
        self.stack[ply].eval = corrected;
        match entry {
            Some(entry) if !is_mate(entry.score) && entry.bound.proves(entry.score, corrected) => {
                (raw_eval, entry.score)
            }
            _ => (raw_eval, corrected),
        }
    }

    /// Stores what was found, and learns how wrong the evaluation was.
    fn remember(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        score: i32,
        best: Option<Move>,
    ) {
        let bound = Bound::of(score, node.alpha, node.beta);
        let stored = Entry {
            mv: best,
            score,
            eval: node.raw_eval,
            depth: node.depth,
            bound,
            pv: node.tt_pv,
        };
        shared.table.put(board.key(), self.ply, stored);
        let eval = self.stack[self.ply].eval;
        let quiet = best.is_none_or(|mv| !is_tactical(board, mv));
        if !node.in_check() && quiet && !is_mate(score) && bound.proves(score, eval) {
            self.history
                .update_correction(board, score - eval, node.depth);
        }
    }

    /// Searches a child, first with a window of nothing where nothing is expected of it.
    pub(super) fn descend<const PV: bool>(
        &mut self,
        shared: &Shared,
        child: &Child,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let board = child.board;
        let hope = !child.cut_node;
        let mut score = alpha + 1;
        let mut depth = child.depth;
        if let Some(reduced) = child.reduced
            && reduced < depth
        {
            score = -self.search::<false>(shared, board, -alpha - 1, -alpha, reduced, true);
            if score > alpha {
                // The better the surprise, the deeper the second look.
                depth += i32::from(score > alpha + 60) - i32::from(score < alpha + 8);
                if depth > reduced {
                    score = -self.search::<false>(shared, board, -alpha - 1, -alpha, depth, hope);
                }
            }
        } else if !PV || !child.is_first {
            score = -self.search::<false>(shared, board, -alpha - 1, -alpha, depth, hope);
        }
        // Other threads may have found a better move in the meantime: then this one has to be better still.
        while PV
            && !child.is_first
            && score > alpha
            && let Some(better) = self.better_score(shared, self.ply - 1, alpha)
        {
            if better >= beta {
                return alpha;
            }
            alpha = better;
            score = -self.search::<false>(shared, board, -alpha - 1, -alpha, depth, hope);
        }
        if PV && (child.is_first || score > alpha) {
            score = -self.search::<true>(shared, board, -beta, -alpha, child.depth, false);
        }
        score
    }

    /// The principal variation of this ply is a move and that of the next ply.
    pub(super) fn extend_variation(&mut self, mv: Move) {
        let (own, next) = self.variations.split_at_mut(self.ply + 1);
        let own = &mut own[self.ply];
        own.clear();
        own.push(mv);
        own.extend_from_slice(&next[0]);
    }

    fn is_improving(&self) -> bool {
        let eval = |ago| Some(self.stack[self.ply.checked_sub(ago)?].eval);
        let known = |eval: &i32| *eval != UNKNOWN;
        let Some(now) = eval(0).filter(known) else {
            return false;
        };
        let before = eval(2).filter(known).or_else(|| eval(4).filter(known));
        before.is_some_and(|before| now > before)
    }
}
