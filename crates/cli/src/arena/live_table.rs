//! Progress during a match: a table that is redrawn in place, or a line now and then.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use tabiya_arena::Standings;
use tabiya_display::text::format_duration;

use crate::redraw::RedrawnRows;
use crate::remark;
use crate::screen::Screen;

/// How often to draw the table, and how often to print a line without a terminal.
const TABLE_INTERVAL: Duration = Duration::from_millis(200);
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The table on standard error, so that it never mixes with the result.
pub(super) struct LiveTable {
    terminal: bool,
    start: Instant,
    next: Instant,
    /// The number of games when something was last shown.
    seen: u64,
    rows: RedrawnRows,
}

impl LiveTable {
    pub(super) fn new() -> Self {
        let start = Instant::now();
        let terminal = io::stderr().is_terminal();
        Self {
            terminal,
            start,
            next: start
                + if terminal {
                    Duration::ZERO
                } else {
                    LINE_INTERVAL
                },
            seen: 0,
            rows: RedrawnRows::default(),
        }
    }

    /// Prints a line that stays, above the table.
    pub(super) fn say(&mut self, line: &str) {
        if !line.is_empty() {
            self.clear();
            remark(line);
            if self.terminal {
                self.next = Instant::now();
            }
        }
    }

    /// Shows the table or the line, if it is time to.
    pub(super) fn show(
        &mut self,
        standings: &Standings,
        table: impl FnOnce() -> Vec<String>,
        line: impl FnOnce() -> String,
    ) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        if self.terminal {
            let mut lines = table();
            lines.push(progress(standings, now - self.start));
            self.draw(&lines);
            // A table of many players takes a while to compute: spend at most a tenth of the time on it.
            self.next = Instant::now() + TABLE_INTERVAL.max(10 * now.elapsed());
        } else if standings.played > self.seen {
            self.next = now + LINE_INTERVAL;
            remark(line());
        }
        self.seen = standings.played;
    }

    /// Removes the table.
    pub(super) fn clear(&mut self) {
        if !self.rows.is_empty() {
            self.draw(&[]);
        }
    }

    fn draw(&mut self, lines: &[String]) {
        // A line that wraps could not be removed again.
        let width = Screen::of_stderr().columns.unwrap_or(80).saturating_sub(1);
        let clip = |line: &String| line.chars().take(width).collect();
        let rows: Vec<String> = lines.iter().map(clip).collect();
        // If the terminal is gone, the match continues.
        let _ = self.rows.draw(io::stderr().lock(), &rows);
    }
}

/// Describes the progress and the time left.
fn progress(standings: &Standings, elapsed: Duration) -> String {
    let Standings {
        games,
        played,
        resumed,
        ..
    } = standings;
    let mut line = format!(
        "{played} of {games} games, {}",
        format_duration(elapsed.as_secs())
    );
    let now = played - resumed;
    if now > 0 {
        let each = elapsed.as_secs_f64() / now as f64;
        let left = each * games.saturating_sub(*played) as f64;
        // Writing to a string cannot fail.
        let _ = write!(line, ", {} left", format_duration(left.ceil() as u64));
    }
    line
}
