//! One position, while the engine thinks about it.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::cursor::{MoveToColumn, MoveUp};
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use serde::Serialize;
use tabiya_board::Line;
use tabiya_engine::{Engine, Limits, News, Signal};

use super::facts::{LineFacts, color_name};
use super::table::State;
use super::{Arguments, interruptible};
use crate::screen::{Answer, Screen};

/// How long to think where nobody can say that it is enough.
const UNWATCHED: Duration = Duration::from_secs(5);
/// The time between two drawings, at least.
const BETWEEN: Duration = Duration::from_millis(80);

pub(super) fn run(arguments: &Arguments, line: &Line, screen: Screen) -> anyhow::Result<Answer> {
    let board = line.board();
    if let Some(outcome) = line.outcome() {
        let text = if arguments.json {
            screen.json(&Facts {
                outcome: Some(outcome.to_string()),
                ..Facts::new(line)
            })?
        } else {
            screen.wrap(&format!("the game is over: {outcome}"), 2)
        };
        return Ok(text.into());
    }
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let is_live = screen.terminal && !is_dumb && !arguments.json;
    let limits = arguments.limits((!is_live).then_some(UNWATCHED));
    let signal = interruptible();
    let mut engine = arguments.engine()?;
    if !arguments.json {
        let title = format!("{} to move: {board}", board.turn());
        crate::print(&screen.wrap(&title, 2))?;
    }
    let mut drawn = Drawn::new(is_live);
    let mut told = None;
    let state = think(&mut engine, line, &limits, &signal, &mut |state| {
        let done = state.done(arguments.lines.into());
        if arguments.live && done.is_some() && done != told {
            told = done;
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &Facts::of(line, state))?;
            writeln!(out)?;
            out.flush()?;
        }
        drawn.update(|screen| state.table(screen, false))
    })?;
    drawn.erase()?;
    let text = if arguments.json {
        let facts = Facts::of(line, &state);
        if arguments.live {
            serde_json::to_string(&facts)? + "\n"
        } else {
            screen.json(&facts)?
        }
    } else {
        state.table(screen, true).join("\n") + "\n"
    };
    Ok(text.into())
}

/// The lines for programs.
pub(super) fn lines(state: &State) -> Vec<LineFacts> {
    let lines = state.lines.iter();
    lines.map(|info| LineFacts::of(state.board, info)).collect()
}

/// Thinks about a position that has legal moves, and tells how far it is.
pub(super) fn think<'a>(
    engine: &mut Engine,
    line: &'a Line,
    limits: &Limits,
    signal: &Signal,
    report: &mut dyn FnMut(&State) -> io::Result<()>,
) -> io::Result<State<'a>> {
    let mut state = State {
        board: line.board(),
        lines: Vec::new(),
        nodes: 0,
        time: Duration::ZERO,
        fullness: 0,
        trying: None,
    };
    let mut failure = Ok(());
    let thought = engine.think_until(line, limits, signal, &mut |news| {
        match news {
            News::Line(info) => state.add(info),
            News::Trying { mv, number, .. } => state.trying = Some((*mv, *number)),
        }
        if failure.is_ok() {
            failure = report(&state);
        }
        if failure.is_err() {
            // Nobody looks any longer.
            signal.stop();
        }
    });
    failure?;
    if let Some(thought) = thought {
        state.finish(&thought);
    }
    Ok(state)
}

/// All about a position, for programs.
#[derive(Serialize)]
struct Facts {
    fen: String,
    turn: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    nodes: u64,
    seconds: f64,
    lines: Vec<LineFacts>,
}

impl Facts {
    fn new(line: &Line) -> Self {
        Self {
            fen: line.board().to_string(),
            turn: color_name(line.board().turn()),
            outcome: None,
            depth: None,
            nodes: 0,
            seconds: 0.0,
            lines: Vec::new(),
        }
    }

    fn of(line: &Line, state: &State) -> Self {
        Self {
            depth: state.lines.first().map(|info| info.depth),
            nodes: state.nodes,
            seconds: state.time.as_secs_f64(),
            lines: lines(state),
            ..Self::new(line)
        }
    }
}

/// What is drawn on the terminal, to be drawn over.
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

    /// Draws something new, but not too often.
    fn update(&mut self, rows: impl FnOnce(Screen) -> Vec<String>) -> io::Result<()> {
        if !self.is_live || Instant::now() < self.next {
            return Ok(());
        }
        self.next = Instant::now() + BETWEEN;
        let mut rows = rows(Screen::of_stdout());
        // What has left the screen above cannot be drawn over.
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

    /// Takes it away.
    fn erase(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.is_live {
            self.go_back(&mut out)?;
        }
        out.flush()
    }

    fn go_back(&mut self, out: &mut impl Write) -> io::Result<()> {
        // To the start of the line even if there are no rows: a terminal shows ^C where it is pressed.
        queue!(out, MoveToColumn(0))?;
        if self.rows > 0 {
            queue!(out, MoveUp(self.rows))?;
        }
        self.rows = 0;
        queue!(out, Clear(ClearType::FromCursorDown))
    }
}
