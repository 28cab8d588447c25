//! A progress line on the terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(200);
const WIDTH: usize = 76;

/// A line on standard error that shows how far the work is; only on a terminal.
pub(crate) struct Status {
    terminal: bool,
    next: Instant,
    shown: bool,
}

impl Status {
    pub(crate) fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            next: Instant::now() + INTERVAL,
            shown: false,
        }
    }

    /// Shows a line, but no more than five times a second.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.terminal && now >= self.next {
            self.next = now + INTERVAL;
            self.shown = true;
            write_over(&line());
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            write_over("");
        }
    }
}

/// Replaces the line that the cursor is on.
fn write_over(line: &str) {
    let line: String = line.chars().take(WIDTH).collect();
    // If the terminal is gone, the work continues.
    let _ = write!(io::stderr(), "\r{line:<WIDTH$}\r{line}");
}
