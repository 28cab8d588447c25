//! What the screen of a report can show.

use anstyle::Style;

use crate::text::{grouped, wrapped_with_indent};

/// What the reader of a report sees: a terminal with colours, or plain text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReportStyle {
    /// Whether to use colours.
    pub color: bool,
    /// The width of the screen; `None` for unlimited.
    pub columns: Option<usize>,
    /// Whether to group the digits of large numbers: 1,234,567.
    pub grouped: bool,
}

impl ReportStyle {
    /// Returns the style if colours are wanted, else none.
    #[must_use]
    pub const fn paint(self, style: Style) -> Style {
        if self.color { style } else { Style::new() }
    }

    /// Breaks a line of text without colours between words to fit the screen. All lines but the first are indented.
    pub fn wrap(self, line: &str, indent: usize) -> String {
        wrapped_with_indent(line, self.columns.unwrap_or(usize::MAX), indent)
    }

    /// Writes a number of things: `1 game`, `2 games`.
    pub fn counted(self, count: u64, thing: &str) -> String {
        let plural = if count == 1 { "" } else { "s" };
        format!("{} {thing}{plural}", self.number(count))
    }

    /// Writes a number, with its digits grouped if that is wanted.
    pub fn number(self, number: u64) -> String {
        if self.grouped {
            grouped(number)
        } else {
            number.to_string()
        }
    }
}
