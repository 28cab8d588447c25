//! The loop over the moves of a node.

use tabiya_board::{Board, Move};

use super::node::{Child, Node};
use super::reductions::{PLY, reduction};
use super::singular::Singularity;
use super::{Shared, Worker, attacked_by, has_pieces};
use crate::checks::Checks;
use crate::history::History;
use crate::ordering::{Hints, Picker, Selection, is_tactical};
use crate::score::{INFINITE, MATE_BOUND};
use crate::see;

/// How many of the moves that did not help are remembered.
const REMEMBERED: usize = 32;
/// How many moves are left to other threads at first.
const MOST_DEFERRED: usize = 16;
/// What stands in the places that are free: an array of it is made faster than one of `None`, in every node.
const NOTHING: Move = Move::from_bits(0);

/// The moves that have been tried in a node and did not help.
struct Tried {
    moves: [Move; REMEMBERED],
    len: usize,
}

impl Tried {
    const fn new() -> Self {
        Self {
            moves: [NOTHING; REMEMBERED],
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

/// Moves that another thread is looking at, and their numbers: they come last.
struct Deferred {
    moves: [Move; MOST_DEFERRED],
    numbers: [u8; MOST_DEFERRED],
    len: usize,
    taken: usize,
}

impl Deferred {
    const fn new() -> Self {
        Self {
            moves: [NOTHING; MOST_DEFERRED],
            numbers: [0; MOST_DEFERRED],
            len: 0,
            taken: 0,
        }
    }

    /// Puts a move last, if there is room for it.
    fn push(&mut self, mv: Move, number: usize) -> bool {
        if self.len == MOST_DEFERRED {
            return false;
        }
        self.moves[self.len] = mv;
        self.numbers[self.len] = number as u8;
        self.len += 1;
        true
    }

    fn next(&mut self) -> Option<(Move, usize)> {
        let index = self.taken;
        if index == self.len {
            return None;
        }
        self.taken += 1;
        Some((self.moves[index], usize::from(self.numbers[index])))
    }
}

/// A move that is about to be searched.
struct Candidate {
    mv: Move,
    /// Its place in the order, from 1.
    number: usize,
    /// It neither takes anything nor makes a queen.
    quiet: bool,
    gives_check: bool,
    /// How well it has done before.
    history: i32,
}

/// Whether a move is worth its search.
enum Verdict {
    Search,
    Skip,
    /// Neither are the quiet moves after it.
    SkipQuiets,
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
        let quiet = !is_tactical(board, mv);
        let history = match board.captured(mv) {
            _ if quiet => history.quiet(us, mv, hints.attacked, &hints.context),
            Some(taken) => history.capture(us, mv, taken),
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

    /// Judges a move by the depth that would be left for it. There is a better one already.
    fn judge(&self, board: &Board, node: &Node, alpha: i32) -> Verdict {
        let &Self { mv, history, .. } = self;
        let depth = node.depth;
        if !self.quiet || self.gives_check {
            let hopeless =
                depth <= 8 && !see::wins_at_least(board, mv, -106 * depth - history / 32);
            return if hopeless {
                Verdict::Skip
            } else {
                Verdict::Search
            };
        }
        let less = reduction(depth, self.number, true) / PLY;
        let left = (depth - less + history / 10_200).max(0);
        let most = (5 + depth * depth) / if node.improving { 1 } else { 2 };
        if left <= 7 && !node.in_check() && node.eval + 78 + 88 * left <= alpha
            || left <= 4 && history < -4_286 * depth
            || !see::wins_at_least(board, mv, -20 * left * left)
        {
            Verdict::Skip
        } else if self.number as i32 >= most {
            Verdict::SkipQuiets
        } else {
            Verdict::Search
        }
    }
}

impl Worker {
    /// Searches the moves of a node: the best score and the move that raised alpha, or nothing if there is no move.
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
            table: node.table_move(),
            killers: self.stack[ply].killers,
            context: self.context(),
            attacked: attacked_by(board, !board.turn()),
        };
        let mut picker = Picker::new(board, Selection::All, hints, &self.moves);
        let may_prune = has_pieces(board, board.turn());
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried = [Tried::new(), Tried::new()];
        let mut deferred = Deferred::new();
        let mut count = 0;

        loop {
            if PV && let Some((better, mv)) = self.take_better(shared, alpha) {
                best = better;
                best_move = mv;
                if better >= beta {
                    break;
                }
                alpha = better;
            }
            let picked = picker.next(board, &mut self.moves, &self.history, Some(&checks));
            let Some((mv, number)) = picked.map(|mv| (mv, count + 1)).or_else(|| deferred.next())
            else {
                break;
            };
            if Some(mv) == node.excluded {
                continue;
            }
            count = count.max(number);
            if Some(mv) == best_move {
                continue;
            }
            let candidate = Candidate::new(&self.history, board, mv, number, &hints, &checks);
            if may_prune && best > -MATE_BOUND {
                match candidate.judge(board, node, alpha) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiets => picker.skip_quiets(),
                }
            }
            if picked.is_some()
                && number > 1
                && node
                    .team(shared)
                    .is_some_and(|team| team.looks_at(board, mv))
                && deferred.push(mv, number)
            {
                continue;
            }
            let mut extension = 0;
            if Some(mv) == node.table_move() {
                match self.singularity::<PV>(shared, board, node, mv) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => {
                        picker.finish(&mut self.moves);
                        return Some((score, None));
                    }
                }
                if self.stopped {
                    break;
                }
            }

            let score = self.try_move::<PV>(shared, board, node, &candidate, extension, alpha);
            if self.stopped {
                break;
            }
            let surpassed = || self.better_score(shared, ply, score - 1).is_some();
            if PV && score > alpha && surpassed() {
                continue;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_variation(mv);
                        self.tell_line(shared, score);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += 1;
                        self.learn(board, mv, node.depth, &hints, &tried);
                        break;
                    }
                    alpha = score;
                }
            }
            tried[usize::from(candidate.quiet)].push(mv);
        }
        picker.finish(&mut self.moves);
        (!self.stopped && count > 0).then_some((best, best_move))
    }

    /// The score of a move.
    fn try_move<const PV: bool>(
        &mut self,
        shared: &Shared,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        alpha: i32,
    ) -> i32 {
        let mv = candidate.mv;
        let team = node.team(shared);
        if let Some(team) = team {
            team.begin(board, mv);
        }
        let doubles = self.stack[self.ply].double_extensions + i32::from(extension >= 2);
        let next = self.forward(shared.table, board, mv);
        self.stack[self.ply].double_extensions = doubles;
        let depth = node.depth - 1 + extension;
        let child = Child {
            board: &next,
            depth,
            reduced: self.reduced::<PV>(board, node, candidate, depth),
            is_first: candidate.number == 1 && alpha == node.alpha,
            cut_node: node.expects_cut,
        };
        let score = self.descend::<PV>(shared, &child, alpha, node.beta);
        self.back();
        if let Some(team) = team {
            team.end(board, mv);
        }
        score
    }

    /// The smaller depth to which a late move, just played, is searched first; none for early ones.
    fn reduced<const PV: bool>(
        &self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
        depth: i32,
    ) -> Option<i32> {
        let &Candidate {
            mv, number, quiet, ..
        } = candidate;
        if node.depth < 2 || number <= 1 + usize::from(PV) {
            return None;
        }
        // All of it in parts of a ply.
        let mut less = reduction(node.depth, number, quiet);
        less -= 1_000 * i32::from(node.tt_pv);
        less += 1_015 * i32::from(node.expects_cut);
        less += 560 * i32::from(!node.improving);
        less -= 893 * i32::from(candidate.gives_check);
        // The move has been played: the present ply is the child's.
        less += 1_128 * i32::from(self.stack[self.ply].cutoffs > 3);
        if quiet {
            let killers = self.stack[self.ply - 1].killers;
            let table_takes = |mv| board.captured(mv).is_some();
            less -= 1_250 * i32::from(killers.contains(&Some(mv)));
            less += 921 * i32::from(node.table_move().is_some_and(table_takes));
        }
        less -= candidate.history / 8;
        let deepest = depth + i32::from(PV);
        Some((depth - less / PLY).clamp(1, deepest.max(1)))
    }

    /// Remembers which move refuted the one before, and which did not: captures, then quiet moves.
    fn learn(&mut self, board: &Board, best: Move, depth: i32, hints: &Hints, tried: &[Tried; 2]) {
        let us = board.turn();
        let [captures, quiets] = tried;
        let bonus = (166 * depth - 80).min(1_827);
        let malus = -(191 * depth - 60).min(1_488);
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
        } else if let Some(taken) = board.captured(best) {
            history.update_capture(us, best, taken, bonus);
        }
        for mv in captures.iter() {
            if let Some(taken) = board.captured(mv) {
                history.update_capture(us, mv, taken, malus);
            }
        }
    }
}
