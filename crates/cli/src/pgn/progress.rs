//! A progress bar for reading files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_display::text::format_duration;
use tabiya_games::total_size;

use crate::status_line::StatusLine;

/// The width of the bar.
const BAR: usize = 30;

/// Shows how much of the files is read, on a terminal.
pub(crate) struct ProgressBar {
    start: Instant,
    line: Option<StatusLine>,
    total: Option<u64>,
}

impl ProgressBar {
    /// The progress for these files, unless it is not wanted.
    pub(crate) fn new(files: &[PathBuf], wanted: bool) -> Self {
        Self {
            start: Instant::now(),
            line: wanted.then(StatusLine::new),
            total: total_size(files),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn show(&mut self, bytes_read: u64) {
        let (total, elapsed) = (self.total, self.start.elapsed());
        if let Some(status) = &mut self.line {
            status.show_now_and_then(|| line(bytes_read, total, elapsed));
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&mut self) {
        if let Some(status) = &mut self.line {
            status.clear();
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
        format_duration(left.ceil() as u64)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_needs_a_known_size() {
        let second = Duration::from_secs(1);
        assert_eq!(
            line(50_000_000, Some(100_000_000), second),
            "[###############---------------]  50 %, 50 MB/s, 1 s left"
        );
        assert_eq!(line(50_000_000, None, second), "50 MB, 1 s, 50 MB/s");
        let long = line(1_000_000, Some(10_000_000_000), second);
        assert!(long.ends_with("0 %, 1 MB/s, 2 h 46 min left"), "{long}");
        assert!(long.len() <= 76);
    }
}
