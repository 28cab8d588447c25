//! A line on the terminal that says how far the reading has come.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::input::total_size;

/// Reading that takes less is not worth a line.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(200);
/// The width of the bar itself, and of all the line.
const BAR: usize = 30;
const LINE: usize = 76;

/// The line, which is shown on a terminal only, and on standard error so that it never gets into the result.
pub(crate) struct Progress {
    start: Instant,
    next: Instant,
    wanted: bool,
    shown: bool,
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Progress {
    pub(crate) fn new(files: &[PathBuf], wanted: bool) -> Self {
        let start = Instant::now();
        Self {
            start,
            next: start + PATIENCE,
            wanted: wanted && io::stderr().is_terminal(),
            shown: false,
            read: Arc::default(),
            total: total_size(files),
        }
    }

    /// Where the bytes that are read are counted.
    pub(crate) fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn show(&mut self) {
        let now = Instant::now();
        if !self.wanted || now < self.next {
            return;
        }
        self.next = now + BETWEEN;
        self.shown = true;
        let read = self.read.load(Ordering::Relaxed);
        write_over(&line(read, self.total, now - self.start));
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            write_over("");
        }
    }
}

fn line(read: u64, total: Option<u64>, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let speed = read as f64 / seconds;
    let speed_text = format!("{:.0} MB/s", speed / 1e6);
    let Some(total) = total.filter(|&total| total > 0) else {
        return format!("{} MB, {seconds:.0} s, {speed_text}", read / 1_000_000);
    };
    let part = (read as f64 / total as f64).min(1.0);
    let full = (part * BAR as f64) as usize;
    let left = (total.saturating_sub(read)) as f64 / speed.max(1.0);
    format!(
        "[{}{}] {:3.0} %, {speed_text}, {} left",
        "#".repeat(full),
        "-".repeat(BAR - full),
        part * 100.0,
        duration(left.ceil() as u64)
    )
}

pub(crate) fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Writes over the line: with spaces, which every terminal understands.
pub(crate) fn write_over(line: &str) {
    // On a narrow terminal a line that breaks could not be taken away again.
    let columns = terminal_size::terminal_size_of(io::stderr()).map_or(LINE, |(width, _)| {
        usize::from(width.0).saturating_sub(1).min(LINE)
    });
    let line: String = line.chars().take(columns).collect();
    // A terminal that has gone away is no reason to stop.
    let _ = write!(io::stderr(), "\r{line:<columns$}\r{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_what_is_known() {
        let second = Duration::from_secs(1);
        assert_eq!(
            line(50_000_000, Some(100_000_000), second),
            "[###############---------------]  50 %, 50 MB/s, 1 s left"
        );
        assert_eq!(line(50_000_000, None, second), "50 MB, 1 s, 50 MB/s");
        let long = line(1_000_000, Some(10_000_000_000), second);
        assert!(long.ends_with("0 %, 1 MB/s, 2 h 46 min left"), "{long}");
        assert!(long.len() <= LINE);
    }
}
