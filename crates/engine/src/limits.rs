//! The limits of a search, and the signal that stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tabiya_board::Move;

/// The limits of a search. The first one reached ends it. Without limits it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Greatest depth, in plies.
    pub depth: Option<u32>,
    /// Most nodes to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// The game clock. The engine decides how much of it to use.
    pub clock: Option<GameClock>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Search only these moves; all if empty.
    pub search_moves: Vec<Move>,
}

/// The game clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time lost between engine and clock with each move.
    pub overhead: Duration,
}

/// Controls a search that runs in another thread: stops it, or tells it that the opponent played the move it ponders
/// on. Clones control the same search.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stopped: AtomicBool,
    /// Where no other thread can stop the search, it asks.
    poll: Option<fn() -> bool>,
    pondering: AtomicBool,
    /// Used only to wait for changes. The search reads the flags without it.
    lock: Mutex<()>,
    changed: Condvar,
}

impl StopSignal {
    /// Creates the signal of a search that ponders. Its clock starts with [`ponder_hit`](Self::ponder_hit).
    pub fn pondering() -> Self {
        let signal = Self::default();
        signal.0.pondering.store(true, Ordering::Relaxed);
        signal
    }

    /// Creates the signal of a search in a host without threads, such as a browser's worker. The search asks the
    /// function every few thousand nodes whether to stop.
    pub fn polling(poll: fn() -> bool) -> Self {
        Self(Arc::new(State {
            poll: Some(poll),
            ..State::default()
        }))
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.change(|state| state.stopped.store(true, Ordering::Relaxed));
    }

    /// Starts the clock of a search that ponders.
    pub fn ponder_hit(&self) {
        self.change(|state| state.pondering.store(false, Ordering::Relaxed));
    }

    /// Returns whether the search has been stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed) || self.0.poll.is_some_and(|poll| poll())
    }

    /// Returns whether the search is pondering.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }

    /// Blocks until the search is stopped.
    pub fn wait_for_stop(&self) {
        self.wait_while(|signal| !signal.is_stopped());
    }

    /// Blocks until the search is stopped or no longer ponders.
    pub fn wait_for_ponder_hit(&self) {
        self.wait_while(|signal| signal.is_pondering() && !signal.is_stopped());
    }

    fn change(&self, change: impl FnOnce(&State)) {
        // The lock guards no data, so a poisoned one is fine.
        let _lock = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        change(&self.0);
        self.0.changed.notify_all();
    }

    fn wait_while(&self, condition: impl Fn(&Self) -> bool) {
        let mut lock = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while condition(self) {
            lock = self
                .0
                .changed
                .wait(lock)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use tabiya_board::GameHistory;

    #[test]
    fn a_polling_signal_stops_a_search_without_limits() {
        let signal = StopSignal::polling(|| true);
        assert!(signal.is_stopped());
        let mut engine = Engine::default();
        let result = engine.think_until(
            &GameHistory::default(),
            &Limits::default(),
            &signal,
            &mut |_| {},
        );
        assert!(result.is_some(), "even a stopped search has a move");
    }
}
