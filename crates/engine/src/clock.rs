//! The clock that searches read.
//!
//! `std::time::Instant` traps on `wasm32-unknown-unknown`. There, the host installs a clock with `set_source`; without
//! one, time stands still and only limits of depth and nodes end a search.

use std::time::Duration;

pub(crate) use source::now;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use source::set_source;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod source {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Returns the time since some fixed moment.
    pub(crate) fn now() -> Duration {
        let start = *START;
        start.elapsed()
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod source {
    use std::sync::OnceLock;
    use std::time::Duration;

    static SOURCE: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Installs the clock. It returns the time since some fixed moment and never goes back. Only the first call counts.
    pub fn set_source(source: fn() -> Duration) {
        let _ = SOURCE.set(source);
    }

    /// Returns the time since some fixed moment.
    pub(crate) fn now() -> Duration {
        SOURCE.get().map_or(Duration::ZERO, |source| source())
    }
}

/// A running stopwatch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    start: Duration,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { start: now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        now().saturating_sub(self.start)
    }
}
