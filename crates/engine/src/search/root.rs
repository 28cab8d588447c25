//! The root node: its moves, and what the main thread reports about them.

use std::time::Duration;

use tabiya_board::{Board, Move};

use super::deepening::AspirationWindow;
use super::node::Child;
use super::parameters::{LMR_ROOT_MIN_DEPTH, LMR_ROOT_MIN_MOVES, PLY, lmr_root_factor};
use super::reductions::base_reduction;
use super::{Shared, Worker};
use crate::correction::corrected;
use crate::move_picker::is_tactical;
use crate::score::{INFINITE, is_mate};
use crate::tt::{Bound, Entry, NO_EVAL};

/// Reports of bounds and of current moves start after this time.
const REPORT_DELAY: Duration = Duration::from_secs(3);

/// A legal move of the root, and what the search knows about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The score at this depth; -[`INFINITE`] if it did not beat the best one.
    pub(crate) score: i32,
    /// The score at the depth before.
    pub(super) previous: i32,
    /// A running average of the scores of all depths.
    pub(super) average: Option<i32>,
    /// The principal variation, starting with this move.
    pub(crate) variation: Vec<Move>,
    pub(crate) seldepth: usize,
    /// Nodes searched below this move.
    pub(super) nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            average: None,
            variation: vec![mv],
            seldepth: 0,
            nodes: 0,
        }
    }

    /// Adds the score of the depth just completed to the average.
    pub(super) fn update_average(&mut self) {
        if self.score > -INFINITE {
            let average = self.average.unwrap_or(self.score);
            self.average = Some((2 * self.score + average) / 3);
        }
    }

    /// Returns the score to expect at the next depth: scores swing from depth to depth, their average less so.
    pub(super) fn expected(&self) -> i32 {
        match self.average {
            Some(average) if !is_mate(self.previous) && !is_mate(average) => average,
            _ => self.previous,
        }
    }
}

/// What the main thread reports while it searches.
#[derive(Debug)]
pub(crate) enum RootReport<'a> {
    /// A line, with its index among the best ones.
    Line {
        depth: i32,
        line: usize,
        best: &'a RootMove,
        bound: Bound,
        nodes: u64,
    },
    /// The root move that is searched now, and its number from 1.
    CurrentMove { depth: i32, mv: Move, number: usize },
}

pub(super) type Reporter<'r> = &'r mut dyn FnMut(&RootReport);

impl Worker {
    /// Returns the best root move.
    pub(crate) fn best(&self) -> &RootMove {
        &self.root_moves[0]
    }

    /// Returns the last depth that was completed.
    pub(crate) const fn completed_depth(&self) -> i32 {
        self.root_depth
    }

    /// Reports the lines of the depth just completed.
    pub(super) fn report_lines(&mut self, shared: &Shared, multipv: usize, report: Reporter) {
        let nodes = self.publish_nodes(shared);
        for (line, best) in self.root_moves[..multipv].iter().enumerate() {
            report(&RootReport::Line {
                depth: self.root_depth,
                line,
                best,
                bound: Bound::Exact,
                nodes,
            });
        }
    }

    /// Reports a score outside the window in a long search.
    pub(super) fn report_bound(
        &mut self,
        shared: &Shared,
        line: usize,
        bound: Bound,
        report: Reporter,
    ) {
        if self.is_main && shared.time.elapsed() >= REPORT_DELAY {
            let nodes = self.publish_nodes(shared);
            report(&RootReport::Line {
                depth: self.root_depth,
                line,
                best: &self.root_moves[line],
                bound,
                nodes,
            });
        }
    }

    /// Searches the root moves from `line` on. Those before it are better lines, already found.
    pub(super) fn search_root(
        &mut self,
        shared: &Shared,
        board: &Board,
        line: usize,
        window: &AspirationWindow,
        report: Reporter,
    ) -> i32 {
        let mut alpha = window.alpha;
        let depth = (self.root_depth - window.reduction).max(1);
        self.watch_limits(shared);
        if self.stopped {
            return -INFINITE;
        }
        let raw_eval = self.evaluate_root(board);
        self.stack[1].killers = [None; 2];
        self.stack[1].cutoffs = 0;
        self.note_quiet_context(board);
        self.root_window = (window.beta - window.alpha).max(1);

        let mut best = -INFINITE;
        for index in line..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = index - line + 1;
            if self.is_main && shared.time.elapsed() >= REPORT_DELAY {
                report(&RootReport::CurrentMove { depth, mv, number });
            }
            let nodes_before = self.nodes;
            let score =
                self.search_root_move(shared, board, mv, number, depth, (alpha, window.beta));
            let root = &mut self.root_moves[index];
            root.nodes += self.nodes - nodes_before;
            if self.stopped {
                return best;
            }
            if number == 1 || score > alpha {
                root.score = score;
                root.seldepth = self.seldepth;
                root.variation.clear();
                root.variation.push(mv);
                root.variation.extend_from_slice(&self.variations[1]);
            } else {
                root.score = -INFINITE;
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= window.beta {
                    break;
                }
            }
        }
        if line == 0 && shared.limits.search_moves.is_empty() {
            let found = self.root_moves.iter().max_by_key(|root| root.score);
            let entry = Entry {
                mv: found.map(|root| root.mv),
                score: best,
                eval: raw_eval,
                depth,
                bound: window.bound(best),
                pv: true,
            };
            shared.table.store(board.key(), 0, entry);
        }
        best
    }

    /// Evaluates the root, and returns the raw evaluation for the table.
    fn evaluate_root(&mut self, board: &Board) -> i32 {
        if board.is_check() {
            self.stack[0].eval = NO_EVAL;
            return NO_EVAL;
        }
        let eval = self.evaluator.evaluate(board);
        let correction = self.corrections.correction(&self.correction_context(board));
        self.stack[0].eval = corrected(eval, correction);
        eval
    }

    fn search_root_move(
        &mut self,
        shared: &Shared,
        board: &Board,
        mv: Move,
        number: usize,
        depth: i32,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let next = self.make(shared.table, board, mv);
        self.stack[0].number = number;
        let reduced = (depth >= LMR_ROOT_MIN_DEPTH && number > LMR_ROOT_MIN_MOVES).then(|| {
            let reduction = base_reduction(depth, number, !is_tactical(board, mv));
            (depth - 1 - reduction * lmr_root_factor() / PLY / PLY).max(1)
        });
        let child = Child {
            board: &next,
            depth: depth - 1,
            reduced,
            is_first: number == 1,
            parent_is_cut_node: false,
            best: alpha,
        };
        let score = self.search_child::<true>(shared, &child, alpha, beta);
        self.unmake();
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;

    #[test]
    fn expected_score_is_an_average_until_there_is_a_mate() {
        let mv = Board::start().legal_moves()[0];
        let mut root = RootMove::new(mv);
        assert_eq!(root.expected(), -INFINITE);
        for (score, expected) in [(30, 30), (60, 50), (0, 16), (MATE - 9, MATE - 9)] {
            root.score = score;
            root.previous = score;
            root.update_average();
            assert_eq!(root.expected(), expected);
        }
    }
}
