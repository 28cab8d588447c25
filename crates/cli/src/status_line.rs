//! A progress line on the terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shorter work gets no line.
const DELAY: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(200);
const MAX_WIDTH: usize = 76;

/// A line that shows how far the work is: only on a terminal, and on standard error, so that it never mixes with the
/// result.
pub(crate) struct StatusLine {
    terminal: bool,
    next: Instant,
    shown: bool,
}

impl StatusLine {
    pub(crate) fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            next: Instant::now() + DELAY,
            shown: false,
        }
    }

    pub(crate) fn show(&mut self, line: &str) {
        if self.terminal && Instant::now() >= self.next {
            self.shown = true;
            write_over(line);
        }
    }

    /// Shows a line, but no more than five times a second.
    pub(crate) fn show_now_and_then(&mut self, line: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.terminal && now >= self.next {
            self.show(&line());
            self.next = now + INTERVAL;
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            write_over("");
        }
    }
}

/// Replaces the line that the cursor is on. Spaces erase it: every terminal understands those.
pub(crate) fn write_over(line: &str) {
    // A line that wraps could not be removed again.
    let columns = terminal_size::terminal_size_of(io::stderr()).map_or(MAX_WIDTH, |(width, _)| {
        usize::from(width.0).saturating_sub(1).min(MAX_WIDTH)
    });
    let line: String = line.chars().take(columns).collect();
    // If the terminal is gone, the work continues.
    let _ = write!(io::stderr(), "\r{line:<columns$}\r{line}");
}
