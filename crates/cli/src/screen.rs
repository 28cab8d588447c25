//! What is printed, and what it is printed on.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

/// What is known about the place where the output goes.
#[derive(Clone, Copy)]
pub(crate) struct Screen {
    /// Whether it shows colours.
    pub(crate) color: bool,
    /// Whether a person is looking, not a program.
    pub(crate) terminal: bool,
    /// How wide it is, if that is known.
    pub(crate) columns: Option<usize>,
}

/// What a command has to say: the text for standard output, and the exit code.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) code: u8,
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self { text, code: 0 }
    }
}

impl Screen {
    /// The place where standard output goes.
    pub(crate) fn of_stdout() -> Self {
        let stdout = io::stdout();
        Self {
            color: AutoStream::choice(&stdout) != ColorChoice::Never,
            terminal: stdout.is_terminal(),
            columns: terminal_size::terminal_size_of(&stdout)
                .map(|(width, _)| usize::from(width.0)),
        }
    }

    /// The place where standard error goes.
    pub(crate) fn of_stderr() -> Self {
        let stderr = io::stderr();
        Self {
            color: AutoStream::choice(&stderr) != ColorChoice::Never,
            terminal: stderr.is_terminal(),
            columns: terminal_size::terminal_size_of(&stderr)
                .map(|(width, _)| usize::from(width.0)),
        }
    }

    /// JSON: indented for people, on one line for programs.
    pub(crate) fn json(self, value: &impl Serialize) -> anyhow::Result<String> {
        let mut text = if self.terminal {
            serde_json::to_string_pretty(value)?
        } else {
            serde_json::to_string(value)?
        };
        text.push('\n');
        Ok(text)
    }

    /// A number: in groups of three digits for people, plain for programs.
    pub(crate) fn number(self, number: u64) -> String {
        let digits = number.to_string();
        if !self.terminal {
            return digits;
        }
        let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped
    }

    /// A line of text without colours, broken between words where the screen is too narrow for it. The lines after
    /// the first are indented.
    pub(crate) fn wrap(self, line: &str, indent: usize) -> String {
        let columns = self.columns.unwrap_or(usize::MAX);
        let mut wrapped = String::with_capacity(line.len() + 1);
        let mut column = 0;
        for (i, word) in line.split(' ').enumerate() {
            let width = word.chars().count();
            if i > 0 && column + 1 + width > columns {
                wrapped.push('\n');
                wrapped.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            } else if i > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped.push_str(word);
            column += width;
        }
        wrapped.push('\n');
        wrapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn terminal(columns: usize) -> Screen {
        Screen {
            color: false,
            terminal: true,
            columns: Some(columns),
        }
    }

    #[test]
    fn numbers_are_grouped_for_people_only() {
        for (number, grouped) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (119_060_324, "119,060,324"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(terminal(80).number(number), grouped);
            let pipe = Screen {
                terminal: false,
                ..terminal(80)
            };
            assert_eq!(pipe.number(number), number.to_string());
        }
    }

    #[test]
    fn lines_break_between_words() {
        let line = "Ng1: f3 h3 xe2";
        assert_eq!(terminal(80).wrap(line, 2), "Ng1: f3 h3 xe2\n");
        assert_eq!(terminal(10).wrap(line, 2), "Ng1: f3 h3\n  xe2\n");
        assert_eq!(terminal(9).wrap(line, 5), "Ng1: f3\n     h3\n     xe2\n");
        // A word that fits nowhere stays whole.
        assert_eq!(terminal(2).wrap("a checkmate", 0), "a\ncheckmate\n");
    }
}
