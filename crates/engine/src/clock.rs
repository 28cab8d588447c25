//! How much time to use for a move.

use std::time::{Duration, Instant};

use crate::limits::{GameClock, Limits};

/// How many more moves a game is thought to last where nobody says.
const MOVES_LEFT: f64 = 24.0;
/// The most of the time left that one move may take.
const LARGEST_SHARE: f64 = 0.6;
/// How much longer than planned a move may take when the search is in trouble.
const STRETCH: f64 = 4.5;

/// The time of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    start: Instant,
    plan: Plan,
}

/// What a search may use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Plan {
    /// No iteration begins after this, more or less: it is stretched and shrunk by how the search goes.
    soft: Option<Duration>,
    /// The search ends here, whatever it is doing.
    hard: Option<Duration>,
}

impl Plan {
    fn of(limits: &Limits) -> Self {
        let mut plan = limits.clock.map_or_else(Self::default, Self::for_clock);
        if let Some(time) = limits.time {
            plan.hard = Some(plan.hard.map_or(time, |hard| hard.min(time)));
        }
        plan
    }

    fn for_clock(clock: GameClock) -> Self {
        // Something is left even where the overhead eats all: the move has to be made anyway.
        let left = clock
            .left
            .saturating_sub(clock.overhead)
            .as_secs_f64()
            .max(0.001);
        let increment = clock.increment.as_secs_f64();
        let moves = match clock.moves_to_go {
            Some(moves) => f64::from(moves.max(1)).min(MOVES_LEFT),
            None => MOVES_LEFT,
        };
        let share = if moves < 2.0 { 0.9 } else { LARGEST_SHARE };
        let planned = left / moves + 0.75 * increment;
        let most = left * share;
        let soft = planned.min(most);
        let hard = (planned * STRETCH).min(most);
        Self {
            soft: Some(Duration::from_secs_f64(soft)),
            hard: Some(Duration::from_secs_f64(hard)),
        }
    }
}

/// How a search has gone so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// For how many iterations the best move has been the same.
    pub(crate) stable: u32,
    /// What part of all positions was spent on the best move.
    pub(crate) share: f64,
    /// How much worse the score is than it was, in hundredths of a pawn.
    pub(crate) drop: i32,
}

impl Progress {
    /// By how much to stretch the time planned.
    fn stretch(self) -> f64 {
        let stability = 1.25 - 0.06 * f64::from(self.stable.min(8));
        // Where nearly all the work went into one move there is little doubt about it.
        let doubt = (1.45 - self.share) * 1.35;
        let alarm = 1.0 + f64::from(self.drop.clamp(0, 60)) / 120.0;
        stability * doubt * alarm
    }
}

impl Stopwatch {
    pub(crate) fn start(limits: &Limits) -> Self {
        Self {
            start: Instant::now(),
            plan: Plan::of(limits),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search has to end at once. `since` is the time before the clock started.
    pub(crate) fn is_over(&self, before: Duration) -> bool {
        self.plan
            .hard
            .is_some_and(|hard| self.elapsed().saturating_sub(before) >= hard)
    }

    /// Whether another iteration is not worth its time.
    pub(crate) fn is_enough(&self, before: Duration, progress: Progress) -> bool {
        self.plan.soft.is_some_and(|soft| {
            self.elapsed().saturating_sub(before) >= soft.mul_f64(progress.stretch())
        })
    }

    /// Whether there is a game clock that time can be saved for.
    pub(crate) fn saves_time(&self) -> bool {
        self.plan.soft.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(left: u64, increment: u64, moves_to_go: Option<u32>) -> Plan {
        Plan::for_clock(GameClock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves_to_go,
            overhead: Duration::from_millis(10),
        })
    }

    #[test]
    fn a_move_never_takes_more_than_there_is() {
        for left in [0, 1, 5, 11, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let plan = plan(left, increment, moves_to_go);
                    let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
                    let most = Duration::from_millis(left.saturating_sub(10).max(1));
                    assert!(
                        soft <= hard && hard <= most,
                        "{left} {increment} {moves_to_go:?}: {plan:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn doubt_costs_time() {
        let calm = Progress {
            stable: 8,
            share: 0.95,
            drop: 0,
        };
        let torn = Progress {
            stable: 0,
            share: 0.4,
            drop: 40,
        };
        assert!(calm.stretch() < 1.0 && torn.stretch() > 1.5);
        assert!(torn.stretch() < STRETCH);
    }
}
