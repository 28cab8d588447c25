//! A progress line on the terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::remark;

/// Shorter work gets no line.
const DELAY: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(200);
/// How often to print a line where it cannot be overwritten.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
const MAX_WIDTH: usize = 76;

/// A line that shows how far the work is, on standard error, so that it never mixes with the result.
pub(crate) struct StatusLine {
    terminal: bool,
    /// Whether to print a line now and then if there is no terminal.
    log: bool,
    next: Instant,
    shown: bool,
}

impl StatusLine {
    /// A line for terminals only.
    pub(crate) fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            log: false,
            next: Instant::now() + DELAY,
            shown: false,
        }
    }

    /// For long work: without a terminal, a new line every ten seconds.
    pub(crate) fn with_log() -> Self {
        let mut line = Self::new();
        if !line.terminal {
            line.log = true;
            line.next = Instant::now() + LOG_INTERVAL;
        }
        line
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
        if now < self.next {
            return;
        }
        if self.terminal {
            self.show(&line());
            self.next = now + INTERVAL;
        } else if self.log {
            remark(line());
            self.next = now + LOG_INTERVAL;
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
fn write_over(line: &str) {
    // A line that wraps could not be removed again.
    let columns = terminal_size::terminal_size_of(io::stderr()).map_or(MAX_WIDTH, |(width, _)| {
        usize::from(width.0).saturating_sub(1).min(MAX_WIDTH)
    });
    let line: String = line.chars().take(columns).collect();
    // If the terminal is gone, the work continues.
    let _ = write!(io::stderr(), "\r{line:<columns$}\r{line}");
}
