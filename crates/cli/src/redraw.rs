//! Rows on a terminal that are redrawn in place.

use std::io::{self, BufWriter, Write};

use crossterm::cursor::{MoveToColumn, MoveUp};
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};

/// The rows that are on the screen.
#[derive(Default)]
pub(crate) struct RedrawnRows {
    count: u16,
}

impl RedrawnRows {
    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Replaces the rows by others, as many as the screen has room for: those that have scrolled off it could not be
    /// removed again.
    pub(crate) fn draw(&mut self, out: impl Write, rows: &[String]) -> io::Result<()> {
        let (_, height) = crossterm::terminal::size().unwrap_or((80, 24));
        let mut out = BufWriter::new(out);
        // Even without rows on the screen: the terminal echoes ^C at the cursor.
        queue!(out, BeginSynchronizedUpdate, MoveToColumn(0))?;
        if self.count > 0 {
            queue!(out, MoveUp(self.count))?;
        }
        self.count = 0;
        queue!(out, Clear(ClearType::FromCursorDown))?;
        for row in rows.iter().take(usize::from(height.saturating_sub(1))) {
            writeln!(out, "{row}")?;
            self.count += 1;
        }
        queue!(out, EndSynchronizedUpdate)?;
        out.flush()
    }
}
