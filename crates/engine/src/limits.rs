//! How long to think, and how to say that it is enough.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tabiya_board::Move;

/// When a search has to end: at whatever comes first. Without any limit it goes on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// The clock of a game: how much of it to use is left to the engine.
    pub clock: Option<GameClock>,
    /// A mate in so many moves is good enough.
    pub mate: Option<u32>,
    /// The only moves to think about; all if there are none.
    pub moves: Vec<Move>,
}

/// What a clock shows to the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time comes; none if this has to last for the whole game.
    pub moves_to_go: Option<u32>,
    /// Time that is lost between the engine and the clock with every move.
    pub overhead: Duration,
}

/// The way to tell a search that goes on in another thread that it shall end, or that the opponent has played the move
/// that it was pondering on. Clones speak of the same search.
#[derive(Clone, Debug, Default)]
pub struct Signal(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stopped: AtomicBool,
    pondering: AtomicBool,
    /// Wakes those who wait for a change; the flags themselves are read without it.
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signal {
    /// The signal of a search on the opponent's time: its clock starts with [`ponder_hit`](Self::ponder_hit).
    pub fn pondering() -> Self {
        let signal = Self::default();
        signal.0.pondering.store(true, Ordering::Relaxed);
        signal
    }

    /// Ends the search as soon as it can.
    pub fn stop(&self) {
        self.change(|state| state.stopped.store(true, Ordering::Relaxed));
    }

    /// Starts the clock of a search that ponders.
    pub fn ponder_hit(&self) {
        self.change(|state| state.pondering.store(false, Ordering::Relaxed));
    }

    /// Whether the search has to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether it is the opponent's time that is being used.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }

    /// Waits until the search has been stopped.
    pub fn wait_for_stop(&self) {
        self.wait_while(|signal| !signal.is_stopped());
    }

    /// Waits until the search has been stopped or does not ponder.
    pub fn wait_for_ponder_hit(&self) {
        self.wait_while(|signal| signal.is_pondering() && !signal.is_stopped());
    }

    fn change(&self, change: impl FnOnce(&State)) {
        // The lock guards nothing that a panic could leave half done.
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
