//! `tabiya analyse FEN`: a table of the best lines, redrawn while the engine thinks.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use tabiya_board::GameHistory;
use tabiya_review::{AnalysisJson, analyse_position};

use super::{Arguments, interruptible};
use crate::redraw::RedrawnRows;
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
    let mut live = LiveAnalysis::new(is_live);
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
            live.update(|screen| analysis.table(screen.report_style(), false))
        },
    )?;
    live.erase()?;
    let text = if arguments.live {
        serde_json::to_string(&AnalysisJson::of(history, &analysis))? + "\n"
    } else if arguments.json {
        screen.json(&AnalysisJson::of(history, &analysis))?
    } else {
        analysis.table(screen.report_style(), true).join("\n") + "\n"
    };
    Ok(text.into())
}

/// The table, redrawn in place if a person watches.
struct LiveAnalysis {
    is_live: bool,
    rows: RedrawnRows,
    next: Instant,
}

impl LiveAnalysis {
    fn new(is_live: bool) -> Self {
        Self {
            is_live,
            rows: RedrawnRows::default(),
            next: Instant::now(),
        }
    }

    /// Redraws, but not too often.
    fn update(&mut self, rows: impl FnOnce(Screen) -> Vec<String>) -> io::Result<()> {
        if !self.is_live || Instant::now() < self.next {
            return Ok(());
        }
        self.next = Instant::now() + REDRAW_INTERVAL;
        let rows = rows(Screen::of_stdout());
        self.rows.draw(io::stdout().lock(), &rows)
    }

    fn erase(&mut self) -> io::Result<()> {
        if self.is_live {
            self.rows.draw(io::stdout().lock(), &[])?;
        }
        Ok(())
    }
}
