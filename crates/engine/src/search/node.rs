//! A node of the search: what can be said without looking at its moves, and the loop over them.

use tabiya_board::{Bitboard, Board, Move};

use super::quiescence::trustworthy;
use super::reductions::{PLY, reduction};
use super::{Shared, Worker, attacked_by, has_pieces};
use crate::checks::Checks;
use crate::ordering::{Hints, Picker, Selection, is_tactical};
use crate::score::{DRAW, EVAL_BOUND, INFINITE, MATE_BOUND, MAX_PLY, is_mate, mated_in};
use crate::see;
use crate::tt::{Bound, Entry, UNKNOWN};

/// A position one move further, and how it is to be searched.
pub(super) struct Child<'a> {
    pub(super) board: &'a Board,
    pub(super) depth: i32,
    /// A smaller depth that has to disappoint first.
    pub(super) reduced: Option<i32>,
    /// The first move of its node is the one expected to be best.
    pub(super) is_first: bool,
    pub(super) cut_node: bool,
}

/// What is known about a node before its moves are looked at.
#[derive(Clone, Copy)]
struct Node {
    alpha: i32,
    beta: i32,
    depth: i32,
    /// The parent hopes that this node fails high.
    cut_node: bool,
    in_check: bool,
    entry: Option<Entry>,
    /// On a principal variation, now or before.
    tt_pv: bool,
    /// The evaluation as the table has it: without what experience corrects.
    raw_eval: i32,
    /// The evaluation, with what the table knows better; [`UNKNOWN`] in check.
    eval: i32,
    /// Whether the evaluation is better than two plies ago.
    improving: bool,
    excluded: Option<Move>,
}

/// How many of the moves that did not help are remembered.
const REMEMBERED: usize = 32;

/// The moves that have been tried in a node and did not help.
struct Tried {
    moves: [Option<Move>; REMEMBERED],
    len: usize,
}

impl Tried {
    const fn new() -> Self {
        Self {
            moves: [None; REMEMBERED],
            len: 0,
        }
    }

    fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
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
        mut depth: i32,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<PV>(shared, board, alpha, beta);
        }
        self.visit(shared);
        let ply = self.ply;
        self.variations[ply].clear();
        if self.stopped {
            return DRAW;
        }
        self.deepest = self.deepest.max(ply);
        let in_check = board.is_check();
        if self.is_draw(board, in_check) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return if in_check {
                DRAW
            } else {
                self.evaluator.evaluate(board)
            };
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

        let raw_eval = if in_check {
            UNKNOWN
        } else if excluded.is_some() {
            // The same position has just been evaluated.
            self.stack[ply].eval
        } else {
            match entry {
                Some(entry) if entry.eval != UNKNOWN => entry.eval,
                _ => {
                    let eval = self.evaluator.evaluate(board);
                    if entry.is_none() {
                        let stored = Entry {
                            mv: None,
                            score: 0,
                            eval,
                            depth: 0,
                            bound: Bound::None,
                            pv: PV,
                        };
                        shared.table.put(board.key(), ply, stored);
                    }
                    eval
                }
            }
        };
        let mut eval = raw_eval;
        if !in_check {
            if excluded.is_none() {
                eval = self.corrected(board, raw_eval);
            }
            self.stack[ply].eval = eval;
            if let Some(entry) = entry
                && !is_mate(entry.score)
                && entry.bound.proves(entry.score, eval)
            {
                eval = entry.score;
            }
        } else {
            self.stack[ply].eval = UNKNOWN;
        }
        let static_eval = self.stack[ply].eval;
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
            in_check,
            entry,
            tt_pv: PV || entry.is_some_and(|entry| entry.pv),
            raw_eval,
            eval,
            improving: self.is_improving(),
            excluded,
        };
        if !PV && !in_check && excluded.is_none() {
            if let Some(score) = self.prune(shared, board, &node) {
                return score;
            }
        }
        // Without a move to begin with, a search of this depth is dear: a shallower one will leave a move in the table.
        if depth >= 4 && (PV || cut_node) && excluded.is_none() && node.table_move().is_none() {
            depth -= 1;
            node.depth = depth;
        }
        if !PV && !in_check && excluded.is_none() {
            if let Some(score) = self.probe_cut(shared, board, &node) {
                return score;
            }
        }

        let found = self.search_moves::<PV>(shared, board, &node);
        if self.stopped {
            return DRAW;
        }
        let Some((score, best_move)) = found else {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                mated_in(ply)
            } else {
                DRAW
            };
        };
        if excluded.is_none() {
            let bound = Bound::of(score, alpha, beta);
            let stored = Entry {
                mv: best_move,
                score,
                eval: raw_eval,
                depth,
                bound,
                pv: node.tt_pv,
            };
            shared.table.put(board.key(), ply, stored);
            let quiet = best_move.is_none_or(|mv| !is_tactical(board, mv));
            if !in_check && quiet && !is_mate(score) && bound.proves(score, static_eval) {
                let error = score - static_eval;
                self.history.update_correction(board, error, depth);
            }
        }
        score
    }

    /// Searches a child, first with a window of nothing where nothing is expected of it.
    pub(super) fn descend<const PV: bool>(
        &mut self,
        shared: &Shared,
        child: &Child,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mut score = alpha + 1;
        let mut depth = child.depth;
        if let Some(reduced) = child.reduced
            && reduced < depth
        {
            score = -self.search::<false>(shared, child.board, -alpha - 1, -alpha, reduced, true);
            if score > alpha {
                // The better the surprise, the deeper the second look.
                depth += i32::from(score > alpha + 60) - i32::from(score < alpha + 8);
                if depth > reduced {
                    let hope = !child.cut_node;
                    score =
                        -self.search::<false>(shared, child.board, -alpha - 1, -alpha, depth, hope);
                }
            }
        } else if !PV || !child.is_first {
            let hope = !child.cut_node;
            score = -self.search::<false>(shared, child.board, -alpha - 1, -alpha, depth, hope);
        }
        if PV && (child.is_first || score > alpha) {
            score = -self.search::<true>(shared, child.board, -beta, -alpha, child.depth, false);
        }
        score
    }

    /// The evaluation as experience corrects it.
    pub(super) fn corrected(&self, board: &Board, eval: i32) -> i32 {
        (eval + self.history.correction(board)).clamp(-EVAL_BOUND, EVAL_BOUND)
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

    /// Whether the node can be given up without looking at its moves: it is so good, or so bad.
    fn prune(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node {
            alpha,
            beta,
            depth,
            eval,
            ..
        } = node;

        // So bad that only captures can help: see whether they do.
        if depth <= 4 && eval + 280 * depth < alpha {
            let score = self.quiesce::<false>(shared, board, alpha, alpha + 1);
            if score <= alpha {
                return Some(score);
            }
        }

        // So good that no quiet reply will change it.
        let margin = 75 * depth - if node.improving { 60 } else { 0 };
        if depth <= 8 && !node.tt_pv && eval >= beta && eval - margin >= beta && !is_mate(beta) {
            return Some(i32::midpoint(eval, beta));
        }

        // So good that even passing is enough.
        if eval >= beta
            && self.stack[self.ply].eval + 20 * depth >= beta + 120
            && self.stack[self.ply - 1].arrival.is_some()
            && self.ply >= self.pass_from
            && has_pieces(board, board.turn())
            && beta > -MATE_BOUND
            && let Some(next) = board.after_pass()
        {
            let reduced = depth - (4 + depth / 4 + ((eval - beta) / 200).min(3));
            self.pass(&next);
            let score =
                -self.search::<false>(shared, &next, -beta, -beta + 1, reduced, !node.cut_node);
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
    fn probe_cut(&mut self, shared: &Shared, board: &Board, node: &Node) -> Option<i32> {
        let &Node { beta, depth, .. } = node;
        let raised = beta + 190;
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
        let mut picker = Picker::new(
            board,
            Selection::Captures,
            hints,
            &mut self.moves,
            &self.history,
        );
        let mut proof = None;
        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, None) {
            if picker.is_at_bad_captures() {
                break;
            }
            if !see::wins_at_least(board, mv, gain) {
                continue;
            }
            let next = self.forward(board, mv);
            let mut score = -self.quiesce::<false>(shared, &next, -raised, -raised + 1);
            if score >= raised {
                let reduced = depth - 4;
                score = -self.search::<false>(
                    shared,
                    &next,
                    -raised,
                    -raised + 1,
                    reduced,
                    !node.cut_node,
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
        Some(if is_mate(score) { score } else { score - 190 })
    }

    /// Searches the moves of a node: the best score and the move that raised alpha, or nothing if there is no move.
    fn search_moves<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
    ) -> Option<(i32, Option<Move>)> {
        let ply = self.ply;
        let us = board.turn();
        let beta = node.beta;
        let mut alpha = node.alpha;
        let context = self.context();
        let attacked = attacked_by(board, !us);
        let checks = Checks::of(board);
        let hints = Hints {
            table: node.table_move(),
            killers: self.stack[ply].killers,
            context,
            attacked,
        };
        let mut picker = Picker::new(board, Selection::All, hints, &mut self.moves, &self.history);
        let may_prune = has_pieces(board, us);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let mut cut_short = None;

        while let Some(mv) = picker.next(board, &mut self.moves, &self.history, Some(&checks)) {
            if Some(mv) == node.excluded {
                continue;
            }
            number += 1;
            let taken = board.captured(mv);
            let quiet = !is_tactical(board, mv);
            let history = match taken {
                _ if quiet => self.history.quiet(us, mv, attacked, &context),
                Some(taken) => self.history.capture(us, mv, taken),
                None => 0,
            };
            let gives_check = checks.is_check(board, mv);
            let mut less = reduction(node.depth, number, quiet);

            if may_prune && best > -MATE_BOUND {
                let late = (node.depth - less / PLY + history / 10_000).max(0);
                if quiet && !gives_check {
                    let most = (3 + node.depth * node.depth) / if node.improving { 1 } else { 2 };
                    if number as i32 >= most {
                        picker.skip_quiets();
                    }
                    if late <= 7 && !node.in_check && node.eval + 90 + 80 * late <= alpha {
                        continue;
                    }
                    if late <= 4 && history < -4_000 * node.depth {
                        continue;
                    }
                    if !see::wins_at_least(board, mv, -22 * late * late) {
                        continue;
                    }
                } else if node.depth <= 8
                    && !see::wins_at_least(board, mv, -100 * node.depth - history / 32)
                {
                    continue;
                }
            }

            let mut extension = 0;
            if Some(mv) == node.table_move() && node.excluded.is_none() {
                match self.singularity::<PV>(shared, board, node, mv) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => {
                        cut_short = Some(score);
                        break;
                    }
                }
            }
            if self.stopped {
                break;
            }

            let doubles = self.stack[ply].double_extensions + i32::from(extension >= 2);
            let next = self.forward(board, mv);
            self.stack[ply + 1].double_extensions = doubles;
            let depth = node.depth - 1 + extension;
            let mut reduced = None;
            if node.depth >= 2 && number > 1 + usize::from(PV) {
                less -= PLY * i32::from(node.tt_pv);
                less += PLY * i32::from(node.cut_node);
                less += PLY / 2 * i32::from(!node.improving);
                less -= PLY * i32::from(gives_check);
                less += PLY * i32::from(self.stack[ply + 1].cutoffs > 3);
                if quiet {
                    less -= PLY * i32::from(self.stack[ply].killers.contains(&Some(mv)));
                    less += PLY
                        * i32::from(
                            node.table_move()
                                .is_some_and(|mv| board.captured(mv).is_some()),
                        );
                }
                less -= history / 8;
                let deepest = depth + i32::from(PV);
                reduced = Some((depth - less / PLY).clamp(1, deepest.max(1)));
            }
            let child = Child {
                board: &next,
                depth,
                reduced,
                is_first: number == 1,
                cut_node: node.cut_node,
            };
            let score = self.descend::<PV>(shared, &child, alpha, beta);
            self.back();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_variation(mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if quiet {
                quiets.push(mv);
            } else if taken.is_some() {
                captures.push(mv);
            }
        }
        picker.finish(&mut self.moves);
        if let Some(score) = cut_short {
            return Some((score, None));
        }
        if self.stopped || number == 0 {
            return None;
        }
        if best >= beta
            && let Some(mv) = best_move
        {
            self.learn(board, mv, node.depth, attacked, &quiets, &captures);
        }
        Some((best, best_move))
    }

    /// Whether the move of the table is better than all others by a margin: then it is looked at more deeply. If
    /// others are good enough too, the node fails high anyway.
    fn singularity<const PV: bool>(
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
        if node.depth < 7
            || entry.depth < node.depth - 3
            || !matches!(entry.bound, Bound::Lower | Bound::Exact)
            || is_mate(entry.score)
            || ply >= 2 * node.depth as usize + 40
        {
            return Singularity::Extend(0);
        }
        let margin = entry.score - node.depth - node.depth / 2 * i32::from(node.tt_pv && !PV);
        let eval = self.stack[ply].eval;
        self.stack[ply].excluded = Some(mv);
        let score = self.search::<false>(
            shared,
            board,
            margin - 1,
            margin,
            (node.depth - 1) / 2,
            node.cut_node,
        );
        self.stack[ply].excluded = None;
        self.stack[ply].eval = eval;
        if self.stopped {
            return Singularity::Extend(0);
        }
        if score < margin {
            let clearly = !PV && score < margin - 18 && self.stack[ply].double_extensions < 6;
            Singularity::Extend(1 + i32::from(clearly))
        } else if margin >= node.beta && !is_mate(margin) {
            Singularity::Cut(margin)
        } else if entry.score >= node.beta {
            Singularity::Extend(-2)
        } else if node.cut_node {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }

    /// Remembers which move refuted the one before, and which did not.
    fn learn(
        &mut self,
        board: &Board,
        best: Move,
        depth: i32,
        attacked: Bitboard,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let us = board.turn();
        let bonus = (160 * depth - 80).min(1_700);
        let malus = -(180 * depth - 60).min(1_300);
        if is_tactical(board, best) {
            if let Some(taken) = board.captured(best) {
                self.history.update_capture(us, best, taken, bonus);
            }
        } else {
            let killers = &mut self.stack[self.ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let context = self.context();
            let history = &mut self.history;
            history.update_quiet(us, best, attacked, &context, bonus);
            for mv in quiets.iter() {
                history.update_quiet(us, mv, attacked, &context, malus);
            }
        }
        for mv in captures.iter() {
            if let Some(taken) = board.captured(mv) {
                self.history.update_capture(us, mv, taken, malus);
            }
        }
    }
}

impl Node {
    fn table_move(&self) -> Option<Move> {
        self.entry.and_then(|entry| entry.mv)
    }
}

/// What comes of looking at a node without its table move.
enum Singularity {
    Extend(i32),
    Cut(i32),
}
