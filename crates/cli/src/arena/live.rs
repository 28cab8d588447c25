//! What is to be seen while games are played: a table that is drawn again and again, or a line now and then.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crossterm::cursor::MoveUp;
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{Clear, ClearType};
use tabiya_arena::Standings;
use tabiya_display::text::format_duration;

use crate::remark;

/// How often the table is drawn, and how often a line is written where there is no terminal.
const BETWEEN_TABLES: Duration = Duration::from_millis(200);
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// The table on a terminal, on standard error so that it never gets into the result.
pub(super) struct Live {
    terminal: bool,
    start: Instant,
    next: Instant,
    /// How many games there were when something was shown.
    seen: u64,
    /// How many lines the table has that can be seen.
    lines: u16,
}

impl Live {
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
                    BETWEEN_LINES
                },
            seen: 0,
            lines: 0,
        }
    }

    /// Says something that stays, above the table.
    pub(super) fn say(&mut self, line: &str) {
        if !line.is_empty() {
            self.clear();
            remark(line);
            if self.terminal {
                self.next = Instant::now();
            }
        }
    }

    /// Shows the table, or the line, if it is time to.
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
            // A table of many players takes a moment, and is not worth much of the time.
            self.next = Instant::now() + BETWEEN_TABLES.max(10 * now.elapsed());
        } else if standings.played > self.seen {
            self.next = now + BETWEEN_LINES;
            remark(line());
        }
        self.seen = standings.played;
    }

    /// Takes the table away.
    pub(super) fn clear(&mut self) {
        if self.lines > 0 {
            self.draw(&[]);
        }
    }

    fn draw(&mut self, lines: &[String]) {
        // A line that breaks, or a table that is higher than the screen, could not be taken away again.
        let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
        let width = usize::from(columns.saturating_sub(1));
        let height = usize::from(rows.saturating_sub(1));
        // A terminal that has gone away is no reason to stop.
        let _ = self.try_draw(lines, width, height);
    }

    fn try_draw(&mut self, lines: &[String], width: usize, height: usize) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stderr().lock());
        if self.lines > 0 {
            queue!(out, MoveUp(self.lines))?;
        }
        self.lines = 0;
        queue!(out, Clear(ClearType::FromCursorDown))?;
        for line in lines.iter().take(height) {
            let line: String = line.chars().take(width).collect();
            queue!(out, Print(line), Print("\r\n"))?;
            self.lines += 1;
        }
        out.flush()
    }
}

/// How far the games are, and how long the others will take.
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
        // Writing to a string does not fail.
        let _ = write!(line, ", {} left", format_duration(left.ceil() as u64));
    }
    line
}
