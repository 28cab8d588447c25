//! A line on the terminal that says how far the counting has come.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Counting that takes less is not worth a line.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(200);

/// The line, which is shown on a terminal only, and on standard error so that it never gets into the result.
pub(crate) struct Progress {
    start: Instant,
    next: Instant,
    terminal: bool,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(start: Instant) -> Self {
        Self {
            start,
            next: start + PATIENCE,
            terminal: io::stderr().is_terminal(),
            shown: false,
        }
    }

    pub(crate) fn show(&mut self, done: usize, all: usize, nodes: u64) {
        let now = Instant::now();
        if !self.terminal || now < self.next {
            return;
        }
        self.next = now + BETWEEN;
        self.shown = true;
        let percent = done * 100 / all.max(1);
        let seconds = (now - self.start).as_secs();
        let millions = nodes / 1_000_000;
        write_over(&format!(
            "{percent} %, {seconds} s, {millions} million nodes"
        ));
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            write_over("");
        }
    }
}

/// Writes over the line: with spaces, which every terminal understands.
fn write_over(line: &str) {
    // A terminal that has gone away is no reason to stop counting.
    let _ = write!(io::stderr(), "\r{line:<38}\r{line}");
}
