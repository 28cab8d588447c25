//! A progress bar for reading files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_display::progress::progress_line;
use tabiya_games::total_size;

use crate::status_line::StatusLine;

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
            status.show_now_and_then(|| progress_line(bytes_read, total, elapsed));
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&mut self) {
        if let Some(status) = &mut self.line {
            status.clear();
        }
    }
}
