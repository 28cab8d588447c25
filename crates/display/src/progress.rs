//! How far the reading of files is, in a line.

use std::time::Duration;

use crate::text::format_duration;

/// The width of the bar.
const BAR: usize = 30;

/// Writes how many bytes are read: with a bar, and the time left, if their total is known.
///
/// ```
/// use std::time::Duration;
/// use tabiya_display::progress::progress_line;
///
/// let second = Duration::from_secs(1);
/// assert_eq!(
///     progress_line(50_000_000, Some(100_000_000), second),
///     "[###############---------------]  50 %, 50 MB/s, 1 s left"
/// );
/// assert_eq!(progress_line(50_000_000, None, second), "50 MB, 1 s, 50 MB/s");
/// ```
pub fn progress_line(read: u64, total: Option<u64>, elapsed: Duration) -> String {
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
    fn long_waits_fit_into_a_line() {
        let long = progress_line(1_000_000, Some(10_000_000_000), Duration::from_secs(1));
        assert!(long.ends_with("0 %, 1 MB/s, 2 h 46 min left"), "{long}");
        assert!(long.len() <= 76);
    }
}
