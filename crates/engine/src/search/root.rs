//! The root of the search: iterative deepening with aspiration windows.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::time::Duration;

use tabiya_board::{Board, Line, Move};

use super::node::Child;
use super::reductions::{self, PLY};
use super::{Shared, Worker};
use crate::clock::Progress;
use crate::ordering::is_tactical;
use crate::score::{INFINITE, MATE, MAX_PLY, is_mate};
use crate::tt::{Bound, Entry, UNKNOWN};

/// Half the width of the first window around the score of the iteration before.
const WINDOW: i32 = 14;
/// Before this nobody is interested in what the search is doing.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// A legal move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The score of this iteration; -[`INFINITE`] if it is not known to be any good.
    pub(crate) score: i32,
    /// The score of the iteration before.
    pub(crate) previous: i32,
    /// The expected line, this move first.
    pub(crate) variation: Vec<Move>,
    /// The deepest ply looked at when the score was found.
    pub(crate) deepest: usize,
    /// Positions looked at below this move.
    nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            variation: vec![mv],
            deepest: 0,
            nodes: 0,
        }
    }
}

/// How a search has gone from depth to depth.
#[derive(Default)]
struct Course {
    best: Option<Move>,
    /// For how many depths the best move has been the same.
    stable: u32,
    /// The score, averaged over the depths; the last ones count most.
    average: Option<i32>,
}

/// What the first thread reports while it searches.
#[derive(Debug)]
pub(crate) enum Reported<'a> {
    /// A line, the best first, with what its score is worth.
    Line {
        depth: i32,
        rank: usize,
        best: &'a RootMove,
        bound: Bound,
        nodes: u64,
    },
    /// A move of the root is being looked at.
    Trying { depth: i32, mv: Move, number: usize },
}

type Report<'r> = &'r mut dyn FnMut(&Reported);

/// How far a search has come: what is to be searched next, and with which window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    /// How many stages came before.
    pub(super) number: u32,
    pub(super) depth: i32,
    /// The first of the root moves that may be the best: those before are the best lines already found.
    line: usize,
    alpha: i32,
    beta: i32,
    /// By how much the window grows if the score falls outside.
    width: i32,
    /// How many plies less are looked ahead, since the score fell above the window before.
    less: i32,
}

impl Stage {
    /// The first search for a line at a depth, with a window around the expected score.
    fn first(number: u32, depth: i32, line: usize, roots: &[RootMove]) -> Self {
        let expected = roots[line].previous;
        let width = WINDOW + expected.abs() / 128;
        let (alpha, beta) = if depth >= 4 && expected > -INFINITE && !is_mate(expected) {
            (expected - width, expected + width)
        } else {
            (-INFINITE, INFINITE)
        };
        Self {
            number,
            depth,
            line,
            alpha,
            beta,
            width,
            less: 0,
        }
    }

    /// What follows from a score: the same with a wider window if it falls outside, or else the next line, or the next
    /// depth.
    fn next(mut self, score: i32, lines: usize, roots: &mut [RootMove]) -> Self {
        self.number += 1;
        match self.bound(score) {
            Bound::Upper => {
                self.beta = i32::midpoint(self.alpha, self.beta);
                self.alpha = (score - self.width).max(-INFINITE);
                self.less = 0;
            }
            Bound::Lower => {
                self.beta = (score + self.width).min(INFINITE);
                self.less = (self.less + 1).min(3);
            }
            _ if self.line + 1 < lines => {
                return Self::first(self.number, self.depth, self.line + 1, roots);
            }
            _ => {
                roots[..lines].sort_by_key(|root| -root.score);
                for root in &mut *roots {
                    root.previous = root.score;
                }
                return Self::first(self.number, self.depth + 1, 0, roots);
            }
        }
        self.width += self.width / 2;
        if self.width > 600 || is_mate(score) {
            (self.alpha, self.beta) = (-INFINITE, INFINITE);
        }
        self
    }

    /// How many plies are looked ahead.
    fn searched_depth(&self) -> i32 {
        (self.depth - self.less).max(1)
    }

    /// What a score says that was found with this window.
    const fn bound(&self, score: i32) -> Bound {
        Bound::of(score, self.alpha, self.beta)
    }
}

impl Worker {
    /// Searches the position at the end of a line until a limit is reached, and gives the root moves, the best first,
    /// with the depth that was completed.
    pub(crate) fn think(
        &mut self,
        shared: &Shared,
        line: &Line,
        legal: &[Move],
        report: Report,
    ) -> (&[RootMove], i32) {
        self.prepare(line, legal, shared.misjudgement);
        let board = line.board();
        let deepest = shared.limits.depth.map_or(MAX_PLY as i32 - 1, |depth| {
            depth.clamp(1, MAX_PLY as u32 - 1) as i32
        });
        let lines = shared.lines.clamp(1, legal.len());
        let mut course = Course::default();
        self.stage = Stage::first(0, 1, 0, &self.root_moves);
        while self.stage.depth <= deepest {
            let Stage { depth, line, .. } = self.stage;
            self.deepest = 0;
            let score = self.search_root(shared, board, report);
            // Moves that are not known to be good come in the order of the work they made.
            self.root_moves[line..].sort_by_key(|root| (-root.score, Reverse(root.nodes)));
            if self.stopped && self.overtaken.is_none() {
                self.root_moves[..lines].sort_by_key(|root| -root.score);
                break;
            }
            if self.overtaken.is_none() {
                self.report_bound(shared, score, report);
                self.stage = self.stage.next(score, lines, &mut self.root_moves);
                if self.stage.depth > depth {
                    self.completed.clone_from(&self.root_moves);
                }
            }
            if let Some(team) = &shared.team {
                team.meet(&mut self.stage, &mut self.root_moves, &mut self.completed);
                self.overtaken = None;
                self.stopped = false;
            }
            if self.is_first && self.stage.depth > depth {
                self.report_lines(shared, lines, report);
                if self.is_enough(shared, &mut course) {
                    break;
                }
            }
        }
        self.tell_nodes(shared);
        (&self.root_moves, self.stage.depth - 1)
    }

    /// Reports the lines of the depth that has been completed.
    fn report_lines(&mut self, shared: &Shared, lines: usize, report: Report) {
        let depth = self.stage.depth - 1;
        let nodes = self.tell_nodes(shared);
        for (rank, best) in self.completed[..lines].iter().enumerate() {
            report(&Reported::Line {
                depth,
                rank,
                best,
                bound: Bound::Exact,
                nodes,
            });
        }
    }

    /// Reports a score that falls outside the window, where finding out takes long.
    fn report_bound(&mut self, shared: &Shared, score: i32, report: Report) {
        let Stage { depth, line, .. } = self.stage;
        let bound = self.stage.bound(score);
        if bound != Bound::Exact && self.is_first && shared.watch.elapsed() >= QUIET_TIME {
            let nodes = self.tell_nodes(shared);
            report(&Reported::Line {
                depth,
                rank: line,
                best: &self.root_moves[line],
                bound,
                nodes,
            });
        }
    }

    /// Whether another depth is not wanted, or not worth its time.
    fn is_enough(&self, shared: &Shared, course: &mut Course) -> bool {
        let depth = self.stage.depth - 1;
        let best = &self.completed[0];
        if course.best == Some(best.mv) {
            course.stable += 1;
        } else {
            course.stable = 0;
            course.best = Some(best.mv);
        }
        let average = course.average.unwrap_or(best.score);
        course.average = Some((2 * average + best.score) / 3);
        if let Some(moves) = shared.limits.mate
            && best.score >= MATE - 2 * moves.min(MAX_PLY as u32) as i32
        {
            return true;
        }
        if shared.signal.is_pondering() {
            return false;
        }
        let nodes: u64 = self.completed.iter().map(|root| root.nodes).sum();
        let progress = Progress {
            stable: course.stable,
            share: best.nodes as f64 / nodes.max(1) as f64,
            drop: average - best.score,
        };
        if shared.watch.is_enough(shared.pondered(), progress) {
            return true;
        }
        // In a game, nothing is gained by thinking about the only move, or on after a mate that is proved.
        let proved = is_mate(best.score) && depth > 2 * (MATE - best.score.abs()) + 4;
        shared.watch.saves_time() && (proved || (self.completed.len() == 1 && depth >= 8))
    }

    /// Takes over what other threads have found at the root, if it is better than this: the score. The move is left out
    /// of those still to come.
    fn take_better_root(
        &mut self,
        shared: &Shared,
        alpha: i32,
        order: &mut VecDeque<usize>,
    ) -> Option<i32> {
        let (better, mv) = self.take_better(shared, alpha)?;
        let index = self
            .root_moves
            .iter()
            .position(|root| Some(root.mv) == mv)?;
        order.retain(|&other| other != index);
        let root = &mut self.root_moves[index];
        root.score = better;
        root.deepest = self.deepest;
        root.variation.clone_from(&self.variations[0]);
        Some(better)
    }

    /// Evaluates the root, and gives the evaluation as the table has it; unknown in check.
    fn evaluate_root(&mut self, board: &Board) -> i32 {
        if board.is_check() {
            self.stack[0].eval = UNKNOWN;
            return UNKNOWN;
        }
        let eval = self.evaluator.evaluate(board);
        self.stack[0].eval = self.history.corrected(board, eval);
        eval
    }

    /// The score of a move of the root.
    fn try_root_move(&mut self, shared: &Shared, board: &Board, index: usize, alpha: i32) -> i32 {
        let mv = self.root_moves[index].mv;
        if let Some(team) = &shared.team {
            team.begin(board, mv);
        }
        let nodes = self.nodes;
        let stage = self.stage;
        let depth = stage.searched_depth();
        let number = index - stage.line + 1;
        let next = self.forward(shared.table, board, mv);
        let less = reductions::reduction(depth, number, !is_tactical(board, mv));
        let reduced = (depth >= 3 && number > 3).then(|| depth - 1 - less * 3 / 4 / PLY);
        let child = Child {
            board: &next,
            depth: depth - 1,
            reduced: reduced.map(|reduced| reduced.max(1)),
            is_first: number == 1 && alpha == stage.alpha,
            cut_node: false,
        };
        let score = self.descend::<true>(shared, &child, alpha, stage.beta);
        self.back();
        self.root_moves[index].nodes += self.nodes - nodes;
        if let Some(team) = &shared.team {
            team.end(board, mv);
        }
        score
    }

    /// Searches the moves of the root that are not among the lines already found.
    fn search_root(&mut self, shared: &Shared, board: &Board, report: Report) -> i32 {
        let Stage {
            line,
            mut alpha,
            beta,
            ..
        } = self.stage;
        let depth = self.stage.searched_depth();
        self.visit(shared);
        if self.stopped {
            return -INFINITE;
        }
        let raw_eval = self.evaluate_root(board);
        self.stack[1].killers = [None; 2];
        self.stack[1].cutoffs = 0;

        self.join(board, depth, alpha, beta);
        let alpha_before = alpha;
        let mut best = -INFINITE;
        let mut order: VecDeque<usize> = (line..self.root_moves.len()).collect();
        let mut deferred = 0;
        loop {
            if let Some(better) = self.take_better_root(shared, alpha, &mut order) {
                best = better;
                alpha = better;
                if better >= beta {
                    break;
                }
            }
            let Some(index) = order.pop_front() else {
                break;
            };
            let mv = self.root_moves[index].mv;
            let number = index - line + 1;
            if let Some(team) = &shared.team
                && number > 1
                && deferred < order.len()
                && team.looks_at(board, mv)
            {
                order.push_back(index);
                deferred += 1;
                continue;
            }
            deferred = 0;
            if self.is_first && shared.watch.elapsed() >= QUIET_TIME {
                report(&Reported::Trying { depth, mv, number });
            }
            let score = self.try_root_move(shared, board, index, alpha);
            if self.stopped {
                break;
            }
            let surpassed = score > alpha && self.better_score(shared, 0, score - 1).is_some();
            let root = &mut self.root_moves[index];
            if surpassed {
                root.score = -INFINITE;
                continue;
            }
            if number == 1 || score > alpha {
                root.score = score;
                root.deepest = self.deepest;
                root.variation.clear();
                root.variation.push(mv);
                root.variation.extend_from_slice(&self.variations[1]);
                self.variations[0].clone_from(&root.variation);
                if score > alpha {
                    self.tell_line(shared, score);
                }
            } else {
                root.score = -INFINITE;
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.leave();
        if self.stopped {
            return best;
        }
        if line == 0 && shared.limits.moves.is_empty() {
            let found = self.root_moves.iter().max_by_key(|root| root.score);
            let entry = Entry {
                mv: found.map(|root| root.mv),
                score: best,
                eval: raw_eval,
                depth,
                bound: Bound::of(best, alpha_before, beta),
                pv: true,
            };
            shared.table.put(board.key(), 0, entry);
        }
        best
    }
}
