//! A line that says how far the work is.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use crate::pgn::progress::write_over;

/// Work that takes less is not worth a line.
const PATIENCE: Duration = Duration::from_millis(500);

/// A line on the terminal that says how far the work is, never part of the result.
pub(crate) struct StatusLine {
    terminal: bool,
    next: Instant,
    shown: bool,
}

impl StatusLine {
    pub(crate) fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            next: Instant::now() + PATIENCE,
            shown: false,
        }
    }

    pub(crate) fn show(&mut self, line: &str) {
        if self.terminal && Instant::now() >= self.next {
            self.shown = true;
            write_over(line);
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            write_over("");
        }
    }
}
