//! Time management: how much of the clock to use for a move.

use std::time::Duration;

use crate::clock::Stopwatch;
use crate::limits::{GameClock, Limits};

/// How many more moves a game is assumed to last.
const MOVES_LEFT: f64 = 24.0;
/// The largest share of the remaining time that one move may take…
const MAX_SHARE: f64 = 0.6;
/// …and the last move before the time control.
const MAX_SHARE_LAST_MOVE: f64 = 0.9;
/// The share of the increment that a move uses.
const INCREMENT_SHARE: f64 = 0.75;
/// How many times its planned time a move may take.
const MAX_STRETCH: f64 = 4.5;

/// Decides when one search has to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    stopwatch: Stopwatch,
    budget: Budget,
}

/// The time a search may use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Budget {
    /// No iteration begins after this time, stretched or shrunk by [`SearchStability::stretch`].
    soft: Option<Duration>,
    /// The search ends here.
    hard: Option<Duration>,
}

impl Budget {
    fn new(limits: &Limits) -> Self {
        let mut budget = limits.clock.map_or_else(Self::default, Self::for_clock);
        if let Some(time) = limits.time {
            budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
        }
        budget
    }

    fn for_clock(clock: GameClock) -> Self {
        // The engine has to move even if the overhead uses up all the time.
        let remaining = clock
            .remaining
            .saturating_sub(clock.overhead)
            .as_secs_f64()
            .max(0.001);
        let increment = clock.increment.as_secs_f64();
        let moves = match clock.moves_to_go {
            Some(moves) => f64::from(moves.max(1)).min(MOVES_LEFT),
            None => MOVES_LEFT,
        };
        let share = if moves < 2.0 {
            MAX_SHARE_LAST_MOVE
        } else {
            MAX_SHARE
        };
        let planned = remaining / moves + INCREMENT_SHARE * increment;
        let most = remaining * share;
        let soft = planned.min(most);
        let hard = (planned * MAX_STRETCH).min(most);
        Self {
            soft: Some(Duration::from_secs_f64(soft)),
            hard: Some(Duration::from_secs_f64(hard)),
        }
    }
}

/// How a search has gone so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchStability {
    /// For how many iterations the best move has been the same.
    pub(crate) stable: u32,
    /// The share of all nodes that was spent on the best move.
    pub(crate) best_share: f64,
    /// By how much the score has dropped, in internal units.
    pub(crate) drop: i32,
}

impl SearchStability {
    /// Returns the factor by which to stretch the planned time.
    fn stretch(self) -> f64 {
        let stability = 1.25 - 0.06 * f64::from(self.stable.min(8));
        // A best move that took nearly all nodes is hardly in doubt.
        let doubt = (1.45 - self.best_share) * 1.35;
        let alarm = 1.0 + f64::from(self.drop.clamp(0, 60)) / 120.0;
        stability * doubt * alarm
    }
}

impl TimeManager {
    pub(crate) fn start(limits: &Limits) -> Self {
        Self {
            stopwatch: Stopwatch::start(),
            budget: Budget::new(limits),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed()
    }

    /// Returns whether the search has to end at once. `pondered` is the time before our clock started.
    pub(crate) fn is_up(&self, pondered: Duration) -> bool {
        self.budget
            .hard
            .is_some_and(|hard| self.elapsed().saturating_sub(pondered) >= hard)
    }

    /// Returns whether another iteration is not worth its time. `pondered` is the time before our clock started.
    pub(crate) fn is_enough(&self, pondered: Duration, progress: SearchStability) -> bool {
        self.budget.soft.is_some_and(|soft| {
            self.elapsed().saturating_sub(pondered) >= soft.mul_f64(progress.stretch())
        })
    }

    /// Returns whether there is a game clock to save time for.
    pub(crate) fn has_game_clock(&self) -> bool {
        self.budget.soft.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        Budget::for_clock(GameClock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
            overhead: Duration::from_millis(10),
        })
    }

    #[test]
    fn budget_never_exceeds_the_remaining_time() {
        for remaining in [0, 1, 5, 11, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let budget = budget(remaining, increment, moves_to_go);
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    let most = Duration::from_millis(remaining.saturating_sub(10).max(1));
                    assert!(
                        soft <= hard && hard <= most,
                        "{remaining} {increment} {moves_to_go:?}: {budget:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn unclear_positions_get_more_time() {
        let clear = SearchStability {
            stable: 8,
            best_share: 0.95,
            drop: 0,
        };
        let unclear = SearchStability {
            stable: 0,
            best_share: 0.4,
            drop: 40,
        };
        assert!(clear.stretch() < 1.0 && unclear.stretch() > 1.5);
        assert!(unclear.stretch() < MAX_STRETCH);
    }
}
