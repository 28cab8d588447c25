//! Where output goes, and how it is formatted for people or for programs.

use std::io::{self, IsTerminal};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use tabiya_board::unkeyed::Position;
use tabiya_display::diagram::{Diagram, DiagramStyle};
use tabiya_display::style::ReportStyle;

/// What a stream can show.
#[derive(Clone, Copy)]
pub(crate) struct Screen {
    /// Whether it shows colours.
    pub(crate) color: bool,
    /// Whether it is a terminal: a person reads it, not a program.
    pub(crate) terminal: bool,
    /// Its width, if known.
    pub(crate) columns: Option<usize>,
}

/// What a command returns: text for standard output, and the exit code.
#[derive(Default)]
pub(crate) struct CommandOutput {
    pub(crate) text: String,
    pub(crate) code: u8,
}

impl From<String> for CommandOutput {
    fn from(text: String) -> Self {
        Self { text, code: 0 }
    }
}

impl CommandOutput {
    /// An exit code, for a command that has already printed everything.
    pub(crate) const fn code(code: u8) -> Self {
        Self {
            text: String::new(),
            code,
        }
    }
}

impl Screen {
    pub(crate) fn of_stdout() -> Self {
        let stdout = io::stdout();
        Self {
            columns: terminal_size::terminal_size_of(&stdout).map(columns),
            ..Self::of(&stdout)
        }
    }

    pub(crate) fn of_stderr() -> Self {
        let stderr = io::stderr();
        Self {
            columns: terminal_size::terminal_size_of(&stderr).map(columns),
            ..Self::of(&stderr)
        }
    }

    fn of(stream: &(impl RawStream + IsTerminal)) -> Self {
        Self {
            color: AutoStream::choice(stream) != ColorChoice::Never,
            terminal: IsTerminal::is_terminal(stream),
            columns: None,
        }
    }

    /// JSON, indented on a terminal, on one line elsewhere.
    pub(crate) fn json(self, value: &impl Serialize) -> anyhow::Result<String> {
        let mut text = if self.terminal {
            serde_json::to_string_pretty(value)?
        } else {
            serde_json::to_string(value)?
        };
        text.push('\n');
        Ok(text)
    }

    /// A number, in groups of three digits on a terminal, plain elsewhere.
    pub(crate) fn number(self, number: u64) -> String {
        self.report_style().number(number)
    }

    /// A number of things: "1 game", "2 games".
    pub(crate) fn counted(self, count: u64, thing: &str) -> String {
        self.report_style().counted(count, thing)
    }

    /// A line of text without colours, broken between words to fit the screen. All lines but the first are indented.
    pub(crate) fn wrap(self, line: &str, indent: usize) -> String {
        self.report_style().wrap(line, indent)
    }

    /// Whether text can be redrawn in place.
    pub(crate) fn can_redraw(self) -> bool {
        self.terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }

    pub(crate) const fn report_style(self) -> ReportStyle {
        ReportStyle {
            color: self.color,
            columns: self.columns,
            grouped: self.terminal,
        }
    }

    /// A diagram in the style that suits the screen.
    pub(crate) fn diagram(self, position: &Position) -> Diagram<'_> {
        Diagram {
            style: DiagramStyle::for_screen(self.color, self.columns),
            ..Diagram::new(position)
        }
    }
}

fn columns((width, _): (terminal_size::Width, terminal_size::Height)) -> usize {
    usize::from(width.0)
}
