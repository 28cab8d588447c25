//! `tabiya analyse FEN`: a table of the best lines, redrawn while the engine thinks.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::cursor::{MoveToColumn, MoveUp};
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use tabiya_board::GameHistory;
use tabiya_review::{AnalysisJson, analyse_position};

use super::{Arguments, interruptible};
use crate::screen::{CommandOutput, Screen};

/// The default time limit without a terminal, where Ctrl+C is not expected.
const UNWATCHED: Duration = Duration::from_secs(5);
/// The shortest time between two redraws.
const REDRAW_INTERVAL: Duration = Duration::from_millis(80);

pub(super) fn run(
    arguments: &Arguments,
    history: &GameHistory,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    let board = history.board();
    if let Some(outcome) = history.outcome() {
        let text = if arguments.json {
            screen.json(&AnalysisJson::without_analysis(history))?
        } else {
            screen.wrap(&format!("The game is over: {outcome}."), 2)
        };
        return Ok(text.into());
    }
    let is_live = screen.can_redraw() && !arguments.json;
    let limits = arguments.limits((!is_live).then_some(UNWATCHED));
    let mut engine = arguments.engine();
    if !arguments.json {
        let title = format!("{} to move: {board}", board.turn());
        crate::print(&screen.wrap(&title, 2))?;
    }
    let mut drawn = Drawn::new(is_live);
    let mut reported = None;
    let analysis = analyse_position(
        &mut engine,
        history,
        &limits,
        &interruptible(),
        &mut |analysis| {
            let completed = analysis.completed_depth(arguments.lines.into());
            if arguments.live && completed.is_some() && completed != reported {
                reported = completed;
                let mut out = io::stdout().lock();
                serde_json::to_writer(&mut out, &AnalysisJson::of(history, analysis))?;
                writeln!(out)?;
                out.flush()?;
            }
            drawn.update(|screen| analysis.table(screen.report_style(), false))
        },
    )?;
    drawn.erase()?;
    let text = if arguments.live {
        serde_json::to_string(&AnalysisJson::of(history, &analysis))? + "\n"
    } else if arguments.json {
        screen.json(&AnalysisJson::of(history, &analysis))?
    } else {
        analysis.table(screen.report_style(), true).join("\n") + "\n"
    };
    Ok(text.into())
}

/// Rows on the terminal that are redrawn in place.
struct Drawn {
    is_live: bool,
    rows: u16,
    next: Instant,
}

impl Drawn {
    fn new(is_live: bool) -> Self {
        Self {
            is_live,
            rows: 0,
            next: Instant::now(),
        }
    }

    /// Redraws, but not too often.
    fn update(&mut self, rows: impl FnOnce(Screen) -> Vec<String>) -> io::Result<()> {
        if !self.is_live || Instant::now() < self.next {
            return Ok(());
        }
        self.next = Instant::now() + REDRAW_INTERVAL;
        let mut rows = rows(Screen::of_stdout());
        // Rows that have scrolled off the screen cannot be redrawn.
        let height = terminal_size::terminal_size_of(io::stdout()).map(|(_, height)| height.0);
        rows.truncate(usize::from(height.unwrap_or(24).saturating_sub(1)));
        let mut out = io::BufWriter::new(io::stdout().lock());
        queue!(out, BeginSynchronizedUpdate)?;
        self.go_back(&mut out)?;
        for row in &rows {
            writeln!(out, "{row}")?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        out.flush()?;
        self.rows = u16::try_from(rows.len()).unwrap_or(u16::MAX);
        Ok(())
    }

    fn erase(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.is_live {
            self.go_back(&mut out)?;
        }
        out.flush()
    }

    fn go_back(&mut self, out: &mut impl Write) -> io::Result<()> {
        // Even without rows: the terminal echoes ^C at the cursor.
        queue!(out, MoveToColumn(0))?;
        if self.rows > 0 {
            queue!(out, MoveUp(self.rows))?;
        }
        self.rows = 0;
        queue!(out, Clear(ClearType::FromCursorDown))
    }
}
