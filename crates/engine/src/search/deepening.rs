//! Iterative deepening with aspiration windows.

use std::cmp::Reverse;

use tabiya_board::{Board, GameHistory, Move};

use super::parameters::{
    ASPIRATION_MAX_WINDOW, ASPIRATION_MIN_DEPTH, aspiration_max_reduction,
    aspiration_score_divisor, aspiration_window,
};
use super::root::Reporter;
use super::{Shared, Worker};
use crate::score::{INFINITE, MATE, MAX_PLY, is_mate};
use crate::time::SearchStability;
use crate::tt::Bound;

/// How the best move and its score have changed from depth to depth.
#[derive(Default)]
struct Trend {
    best: Option<Move>,
    /// For how many depths the best move has been the same.
    stable: u32,
    /// A running average of the score that favours the last depths.
    average: Option<i32>,
}

/// The window of scores that a search of the root can return exactly.
#[derive(Clone, Copy)]
pub(super) struct AspirationWindow {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// By how much the window grows when the score falls outside.
    width: i32,
    /// How many plies shallower the search is, because it failed high before.
    pub(super) reduction: i32,
}

impl AspirationWindow {
    /// Returns the first window at a depth, around the score of the depth before.
    fn around(expected: i32, depth: i32) -> Self {
        let width = aspiration_window() + expected.abs() / aspiration_score_divisor();
        let is_known = expected > -INFINITE && !is_mate(expected);
        let (alpha, beta) = if depth >= ASPIRATION_MIN_DEPTH && is_known {
            (expected - width, expected + width)
        } else {
            (-INFINITE, INFINITE)
        };
        Self {
            alpha,
            beta,
            width,
            reduction: 0,
        }
    }

    /// Widens the window after a score outside it.
    fn widen(&mut self, score: i32) {
        if score <= self.alpha {
            self.beta = i32::midpoint(self.alpha, self.beta);
            self.alpha = (score - self.width).max(-INFINITE);
            self.reduction = 0;
        } else {
            self.beta = (score + self.width).min(INFINITE);
            self.reduction = (self.reduction + 1).min(aspiration_max_reduction());
        }
        self.width += self.width / 2;
        if self.width > ASPIRATION_MAX_WINDOW || is_mate(score) {
            (self.alpha, self.beta) = (-INFINITE, INFINITE);
        }
    }

    /// Returns what a score found with this window says.
    pub(super) const fn bound(&self, score: i32) -> Bound {
        Bound::of(score, self.alpha, self.beta)
    }
}

impl Worker {
    /// Searches the last position of a game deeper and deeper until a limit is reached. The result is in the root
    /// moves: see [`best`](Self::best).
    pub(crate) fn think(
        &mut self,
        shared: &Shared,
        game: &GameHistory,
        legal: &[Move],
        report: Reporter,
    ) {
        self.prepare(game, legal, shared.eval_noise);
        let max_depth = shared.limits.depth.map_or(MAX_PLY as i32 - 1, |depth| {
            depth.clamp(1, MAX_PLY as u32 - 1) as i32
        });
        let multipv = shared.multipv.clamp(1, legal.len());
        let mut trend = Trend::default();
        let mut completed = Vec::new();
        while self.root_depth < max_depth {
            self.root_depth += 1;
            for line in 0..multipv {
                self.aspiration_search(shared, game.board(), line, report);
                if self.stopped {
                    break;
                }
            }
            self.root_moves[..multipv].sort_by_key(|root| -root.score);
            if self.stopped {
                // This depth was not completed.
                self.root_depth -= 1;
                if multipv > 1 && !completed.is_empty() {
                    // Lines of two depths do not fit together: the same move could begin two of them.
                    self.root_moves = completed;
                    if self.is_main {
                        self.report_lines(shared, multipv, report);
                    }
                }
                break;
            }
            for root in &mut self.root_moves {
                root.previous = root.score;
                root.update_average();
            }
            if multipv > 1 {
                completed.clone_from(&self.root_moves);
            }
            if self.is_main {
                self.report_lines(shared, multipv, report);
                if self.is_enough(shared, &mut trend) {
                    break;
                }
            }
        }
        self.publish_nodes(shared);
    }

    /// Searches the root moves from `line` on until the score falls inside the aspiration window. The best of them
    /// comes to `line`.
    fn aspiration_search(&mut self, shared: &Shared, board: &Board, line: usize, report: Reporter) {
        let expected = self.root_moves[line].expected();
        let mut window = AspirationWindow::around(expected, self.root_depth);
        loop {
            self.seldepth = 0;
            let score = self.search_root(shared, board, line, &window, report);
            // Moves without a score follow in the order of the work they took.
            self.root_moves[line..].sort_by_key(|root| (-root.score, Reverse(root.nodes)));
            if self.stopped || window.bound(score) == Bound::Exact {
                break;
            }
            self.report_bound(shared, line, window.bound(score), report);
            window.widen(score);
        }
    }

    /// Returns whether to stop after the depth just completed.
    fn is_enough(&self, shared: &Shared, trend: &mut Trend) -> bool {
        let best = &self.root_moves[0];
        if trend.best == Some(best.mv) {
            trend.stable += 1;
        } else {
            trend.stable = 0;
            trend.best = Some(best.mv);
        }
        let average = trend.average.unwrap_or(best.score);
        trend.average = Some((2 * average + best.score) / 3);
        if let Some(moves) = shared.limits.mate
            && best.score >= MATE - 2 * moves.min(MAX_PLY as u32) as i32
        {
            return true;
        }
        if shared.signal.is_pondering() {
            return false;
        }
        let nodes: u64 = self.root_moves.iter().map(|root| root.nodes).sum();
        let progress = SearchStability {
            stable: trend.stable,
            best_share: best.nodes as f64 / nodes.max(1) as f64,
            drop: average - best.score,
        };
        if shared.time.is_enough(shared.pondered(), progress) {
            return true;
        }
        // In a game, don't spend time on an only move, or after a mate that is certain.
        let is_certain = is_mate(best.score) && self.root_depth > 2 * (MATE - best.score.abs()) + 4;
        shared.time.has_game_clock()
            && (is_certain || (self.root_moves.len() == 1 && self.root_depth >= 8))
    }
}
