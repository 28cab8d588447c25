//! How reports are printed.

use anstyle::Style;
use tabiya_display::text::{grouped, wrapped_with_indent};

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
    /// The style if colours are wanted, else none.
    pub(crate) const fn paint(self, style: Style) -> Style {
        if self.color { style } else { Style::new() }
    }

    pub(crate) fn wrap(self, line: &str, indent: usize) -> String {
        wrapped_with_indent(line, self.columns.unwrap_or(usize::MAX), indent)
    }

    pub(crate) fn number(self, number: u64) -> String {
        if self.grouped {
            grouped(number)
        } else {
            number.to_string()
        }
    }
}
