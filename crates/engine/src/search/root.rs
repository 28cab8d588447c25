//! The root of the search: iterative deepening with aspiration windows.

use std::cmp::Reverse;
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
        let limits = shared.limits;
        let deepest = limits.depth.map_or(MAX_PLY as i32 - 1, |depth| {
            depth.clamp(1, MAX_PLY as u32 - 1) as i32
        });
        let lines = shared.lines.clamp(1, legal.len());
        let mut best_move = None;
        let mut stable = 0;
        let mut average = None;
        let mut done = 0;
        for depth in 1..=deepest {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous = root.score;
            }
            for rank in 0..lines {
                self.line = rank;
                self.aspire(shared, board, depth, report);
                if self.stopped {
                    break;
                }
            }
            self.root_moves[..lines].sort_by_key(|root| -root.score);
            if self.stopped {
                break;
            }
            done = depth;
            if !self.is_first {
                continue;
            }
            let nodes = self.tell_nodes(shared);
            for (rank, best) in self.root_moves[..lines].iter().enumerate() {
                report(&Reported::Line {
                    depth,
                    rank,
                    best,
                    bound: Bound::Exact,
                    nodes,
                });
            }

            let best = &self.root_moves[0];
            if best_move == Some(best.mv) {
                stable += 1;
            } else {
                stable = 0;
                best_move = Some(best.mv);
            }
            let average_before = average.unwrap_or(best.score);
            average = Some((2 * average_before + best.score) / 3);
            if let Some(moves) = limits.mate
                && best.score >= MATE - 2 * moves.min(MAX_PLY as u32) as i32
            {
                break;
            }
            if shared.signal.is_pondering() {
                continue;
            }
            let progress = Progress {
                stable,
                share: best.nodes as f64 / self.nodes.max(1) as f64,
                drop: average_before - best.score,
            };
            if shared.watch.is_enough(shared.pondered(), progress) {
                break;
            }
            // In a game, nothing is gained by thinking about the only move, or on after a mate that is proved.
            let proved = is_mate(best.score) && depth > 2 * (MATE - best.score.abs()) + 4;
            if shared.watch.saves_time() && (proved || (legal.len() == 1 && depth >= 8)) {
                break;
            }
        }
        self.tell_nodes(shared);
        (&self.root_moves, done)
    }

    /// Searches the root with a window around the expected score, and a wider one if it falls outside.
    fn aspire(&mut self, shared: &Shared, board: &Board, depth: i32, report: Report) {
        let expected = self.root_moves[self.line].previous;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut width = WINDOW + expected.abs() / 128;
        if depth >= 4 && expected > -INFINITE && !is_mate(expected) {
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut less = 0;
        loop {
            self.deepest = 0;
            let score = self.search_root(shared, board, alpha, beta, (depth - less).max(1), report);
            let line = self.line;
            // Moves that are not known to be good come in the order of the work they made.
            self.root_moves[line..].sort_by_key(|root| (-root.score, Reverse(root.nodes)));
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (score - width).max(-INFINITE);
                less = 0;
                Bound::Upper
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                less = (less + 1).min(3);
                Bound::Lower
            } else {
                return;
            };
            width += width / 2;
            if width > 600 || is_mate(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if self.is_first && shared.watch.elapsed() >= QUIET_TIME {
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
    }

    /// Searches the moves of the root that are not among the lines already found.
    fn search_root(
        &mut self,
        shared: &Shared,
        board: &Board,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        report: Report,
    ) -> i32 {
        self.visit(shared);
        if self.stopped {
            return -INFINITE;
        }
        let raw_eval = if board.is_check() {
            UNKNOWN
        } else {
            self.evaluator.evaluate(board)
        };
        self.stack[0].eval = match raw_eval {
            UNKNOWN => UNKNOWN,
            eval => self.corrected(board, eval),
        };
        self.stack[1].killers = [None; 2];
        self.stack[1].cutoffs = 0;

        let alpha_before = alpha;
        let mut best = -INFINITE;
        for index in self.line..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = index - self.line + 1;
            if self.is_first && shared.watch.elapsed() >= QUIET_TIME {
                report(&Reported::Trying { depth, mv, number });
            }
            let nodes = self.nodes;
            let next = self.forward(shared.table, board, mv);
            let less = reductions::reduction(depth, number, !is_tactical(board, mv));
            let reduced = (depth >= 3 && number > 3).then(|| depth - 1 - less * 3 / 4 / PLY);
            let child = Child {
                board: &next,
                depth: depth - 1,
                reduced: reduced.map(|reduced| reduced.max(1)),
                is_first: number == 1,
                cut_node: false,
            };
            let score = self.descend::<true>(shared, &child, alpha, beta);
            self.back();

            let root = &mut self.root_moves[index];
            root.nodes += self.nodes - nodes;
            if self.stopped {
                return best;
            }
            if number == 1 || score > alpha {
                root.score = score;
                root.deepest = self.deepest;
                root.variation.clear();
                root.variation.push(mv);
                root.variation.extend_from_slice(&self.variations[1]);
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
        if self.line == 0 && shared.limits.moves.is_empty() {
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
