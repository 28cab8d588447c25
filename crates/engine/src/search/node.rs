//! A node of the principal variation search: table, evaluation, pruning, and the search of its children.

use tabiya_board::{Board, Move};

use super::moves::MoveLoopResult;
use super::parameters::{
    hindsight_margin, hindsight_min_reduction, lmr_deeper_margin, lmr_shallower_margin,
};
use super::quiescence::is_usable;
use super::{Shared, Worker};
use crate::correction::corrected;
use crate::move_picker::is_tactical;
use crate::score::{DRAW, MAX_PLY, is_mate, mated_in};
use crate::tt::{Bound, Entry, NO_EVAL};

/// A position one move on, and how to search it.
pub(super) struct Child<'a> {
    pub(super) board: &'a Board,
    pub(super) depth: i32,
    /// The reduced depth of a late move.
    pub(super) reduced: Option<i32>,
    /// The first move of a node gets the full window.
    pub(super) is_first: bool,
    pub(super) parent_is_cut_node: bool,
    /// The parent's best score so far.
    pub(super) best: i32,
}

/// What is known about a node before its moves are searched.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_field_names,
    reason = "a cut node is an established term"
)]
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    /// The parent expects this node to fail high.
    pub(super) cut_node: bool,
    pub(super) entry: Option<Entry>,
    /// Whether the node is, or was, on a principal variation.
    pub(super) tt_pv: bool,
    /// The evaluation without corrections, as it is stored in the table; [`NO_EVAL`] in check.
    pub(super) raw_eval: i32,
    /// The evaluation, corrected by history and the table; [`NO_EVAL`] in check.
    pub(super) eval: i32,
    /// Whether the evaluation is better than two plies ago.
    pub(super) improving: bool,
    /// The move left out by a singular search.
    pub(super) excluded: Option<Move>,
}

impl Node {
    pub(super) const fn in_check(&self) -> bool {
        self.raw_eval == NO_EVAL
    }

    pub(super) fn tt_move(&self) -> Option<Move> {
        self.entry.and_then(|entry| entry.mv)
    }
}

impl Worker {
    /// Returns the score of a position searched to a depth.
    pub(super) fn search<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiescence::<PV>(shared, board, alpha, beta);
        }
        if let Some(score) = self.enter(shared, board) {
            return score;
        }
        let ply = self.ply;
        // The side to move can have a draw by repeating a position.
        if alpha < DRAW && self.has_upcoming_repetition(board) {
            alpha = DRAW;
        }
        // Mate distance pruning: no score is better than mate at once, or worse than being mated here.
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(-mated_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let excluded = self.stack[ply].excluded;
        let entry = match excluded {
            None => shared.table.probe(board.key(), ply),
            Some(_) => None,
        };
        if !PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && entry.bound.proves(entry.score, beta)
            && is_usable(entry.score, board)
        {
            if entry.score >= beta
                && let Some(mv) = entry.mv
            {
                self.reward_table_move(board, mv, depth);
            }
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
            cut_node,
            entry,
            // A singular search has no entry of its own.
            tt_pv: PV
                || entry.is_some_and(|entry| entry.pv)
                || (excluded.is_some() && self.stack[ply].tt_pv),
            raw_eval,
            eval,
            improving: self.is_improving(),
            excluded,
        };
        self.stack[ply].tt_pv = node.tt_pv;
        if excluded.is_none() {
            self.learn_from_evaluation(board);
            node.depth += self.hindsight(node.depth);
        }
        let may_prune = !PV && !node.in_check() && excluded.is_none();
        if may_prune && let Some(score) = self.prune_node(shared, board, &node) {
            return score;
        }
        node.depth -= node.internal_iterative_reduction::<PV>();
        if may_prune
            && let Some(score) =
                Self::small_probcut(&node).or_else(|| self.probcut(shared, board, &node))
        {
            return score;
        }

        let found = self.search_moves::<PV>(shared, board, &node);
        if self.stopped {
            return DRAW;
        }
        let Some(found) = found else {
            return if excluded.is_some() {
                alpha
            } else if node.in_check() {
                mated_in(ply)
            } else {
                DRAW
            };
        };
        let (score, best) = match found {
            // Proved at half the depth only.
            MoveLoopResult::Multicut(score) => return score,
            MoveLoopResult::Best(score, best) => (score, best),
        };
        if excluded.is_none() {
            self.store(shared, board, &node, score, best);
        }
        score
    }

    /// Begins a node. Returns its score if nothing has to be searched: in draws, and at the greatest ply.
    pub(super) fn enter(&mut self, shared: &Shared, board: &Board) -> Option<i32> {
        self.watch_limits(shared);
        self.variations[self.ply].clear();
        if self.stopped {
            return Some(DRAW);
        }
        self.seldepth = self.seldepth.max(self.ply);
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

    /// Returns the raw evaluation of a node, and the one corrected by history and the table.
    fn evaluate_node<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        entry: Option<Entry>,
    ) -> (i32, i32) {
        let ply = self.ply;
        if self.stack[ply].excluded.is_some() {
            // A singular search: the node has just been evaluated.
            let eval = self.stack[ply].eval;
            return (eval, eval);
        }
        if board.is_check() {
            self.stack[ply].eval = NO_EVAL;
            self.stack[ply].correction = 0;
            return (NO_EVAL, NO_EVAL);
        }
        let context = self.correction_context(board);
        let correction = self.corrections.correction(&context);
        self.stack[ply].correction = correction;
        self.stack[ply].correction_context = context;
        let raw_eval = match entry {
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
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
            shared.table.store(board.key(), ply, stored);
        }
        let corrected = corrected(raw_eval, correction);
        self.stack[ply].eval = corrected;
        match entry {
            Some(entry) if !is_mate(entry.score) && entry.bound.proves(entry.score, corrected) => {
                (raw_eval, entry.score)
            }
            _ => (raw_eval, corrected),
        }
    }

    /// Stores the result of a node in the table, and the evaluation's error in the correction history.
    fn store(
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
        shared.table.store(board.key(), self.ply, stored);
        let eval = self.stack[self.ply].eval;
        let quiet = best.is_none_or(|mv| !is_tactical(board, mv));
        if !node.in_check() && quiet && !is_mate(score) && bound.proves(score, eval) {
            let context = &self.stack[self.ply].correction_context;
            self.corrections.update(context, score - eval, node.depth);
        }
    }

    /// Searches a child: a late move with reduced depth first, every move but the first with a null window first.
    pub(super) fn search_child<const PV: bool>(
        &mut self,
        shared: &Shared,
        child: &Child,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let board = child.board;
        let cut_node = !child.parent_is_cut_node;
        let mut score = alpha + 1;
        if let Some(reduced) = child.reduced {
            self.stack[self.ply - 1].reduction = child.depth - reduced;
            score = -self.search::<false>(shared, board, -alpha - 1, -alpha, reduced, true);
            self.stack[self.ply - 1].reduction = 0;
            if score > alpha {
                // The reduced search failed high: the better its score, the deeper the re-search.
                let depth = child.depth + i32::from(score > alpha + lmr_deeper_margin())
                    - i32::from(score < child.best + lmr_shallower_margin());
                if depth > reduced {
                    score =
                        -self.search::<false>(shared, board, -alpha - 1, -alpha, depth, cut_node);
                    if !self.stopped {
                        self.learn_from_research(board, child.depth, score > alpha);
                    }
                }
            }
        } else if !PV || !child.is_first {
            score = -self.search::<false>(shared, board, -alpha - 1, -alpha, child.depth, cut_node);
        }
        if PV && (child.is_first || score > alpha) {
            score = -self.search::<true>(shared, board, -beta, -alpha, child.depth, false);
        }
        score
    }

    /// Sets the principal variation of this ply to a move followed by that of the next ply.
    pub(super) fn update_variation(&mut self, mv: Move) {
        let (own, next) = self.variations.split_at_mut(self.ply + 1);
        let own = &mut own[self.ply];
        own.clear();
        own.push(mv);
        own.extend_from_slice(&next[0]);
    }

    /// Corrects in hindsight the reduction that led here, by what the evaluation says now: one ply more if the
    /// position is better for the opponent than thought, one less if it is much better for the side to move.
    fn hindsight(&self, depth: i32) -> i32 {
        let (last, now) = (&self.stack[self.ply - 1], self.stack[self.ply].eval);
        if last.reduction < 2 || last.eval == NO_EVAL || now == NO_EVAL {
            return 0;
        }
        let gained = now + last.eval;
        if last.reduction >= hindsight_min_reduction() && gained <= 0 {
            1
        } else if depth >= 2 && gained > hindsight_margin() {
            -1
        } else {
            0
        }
    }

    fn is_improving(&self) -> bool {
        let eval = |ago| Some(self.stack[self.ply.checked_sub(ago)?].eval);
        let known = |eval: &i32| *eval != NO_EVAL;
        let Some(now) = eval(0).filter(known) else {
            return false;
        };
        let before = eval(2).filter(known).or_else(|| eval(4).filter(known));
        before.is_some_and(|before| now > before)
    }
}
