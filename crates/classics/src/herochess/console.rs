//! Printing lines, asking questions and reading answers.

use std::fmt;
use std::io::{self, BufRead, Write};

/// The reply to every mistake except a column that doesn't exist.
pub(super) const ERROR: &str = "Error. Try again";
/// How much of a line is kept, in bytes.
const MAX_LINE: usize = 1000;

/// A terminal or a pair of pipes.
pub(super) struct HerochessConsole<I, O> {
    input: I,
    output: O,
    /// Whether typed answers don't show in the output, as in a pipe. Then we print their line breaks, so that the
    /// output reads the same as on a terminal.
    no_echo: bool,
    ended: bool,
}

impl<I: BufRead, O: Write> HerochessConsole<I, O> {
    pub(super) const fn new(input: I, output: O, no_echo: bool) -> Self {
        Self {
            input,
            output,
            no_echo,
            ended: false,
        }
    }

    /// Returns whether the input has ended.
    pub(super) const fn ended(&self) -> bool {
        self.ended
    }

    /// Prints a line.
    pub(super) fn print_line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Makes everything printed so far visible.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Prints a prompt and returns the answer without surrounding spaces, or `None` at the end of the input.
    pub(super) fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        if self.ended {
            return Ok(None);
        }
        write!(self.output, "{prompt}")?;
        self.output.flush()?;
        let answer = self.read_line()?;
        if self.no_echo || answer.is_none() {
            writeln!(self.output)?;
        }
        Ok(answer)
    }

    /// Asks until `read` accepts the answer. Returns `None` if the person quits or the input ends.
    pub(super) fn ask_until<T>(
        &mut self,
        prompt: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> io::Result<Option<T>> {
        loop {
            let Some(answer) = self.ask(prompt)? else {
                return Ok(None);
            };
            if let Some(value) = read(&answer) {
                return Ok(Some(value));
            }
            if is_quit(&answer) {
                return Ok(None);
            }
            self.print_line(ERROR)?;
        }
    }

    /// Asks a yes-or-no question.
    pub(super) fn yes_or_no(&mut self, question: &str) -> io::Result<Option<bool>> {
        self.ask_until(question, |answer| match answer {
            "Y" | "y" => Some(true),
            "N" | "n" => Some(false),
            _ => None,
        })
    }

    /// Reads the next line. It may contain any bytes.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut is_whole = true;
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                if line.is_empty() {
                    self.ended = true;
                    return Ok(None);
                }
                break;
            }
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let kept = part.len().min(MAX_LINE - line.len());
            is_whole &= kept == part.len();
            line.extend_from_slice(&part[..kept]);
            let read = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(read);
            if end.is_some() {
                break;
            }
        }
        let mut text = String::from_utf8_lossy(&line).trim().to_owned();
        if !is_whole {
            // Make sure that the start of an overlong line is never taken for an answer.
            text.push(char::REPLACEMENT_CHARACTER);
        }
        Ok(Some(text))
    }
}

/// Returns whether an answer quits the game.
pub(super) fn is_quit(answer: &str) -> bool {
    answer.eq_ignore_ascii_case("q")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> Vec<String> {
        let mut console = HerochessConsole::new(input, Vec::new(), true);
        std::iter::from_fn(|| console.ask("? ").unwrap()).collect()
    }

    #[test]
    fn reads_any_kind_of_line() {
        assert_eq!(answers(b"e2\r\n\n e4 \nlast"), ["e2", "", "e4", "last"]);
        assert_eq!(answers(b""), [""; 0]);
        assert_eq!(answers(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}"]);
        let long = [b"e2", &[b' '; 5000][..], b"e4\nq\n"].concat();
        assert_eq!(answers(&long), ["e2\u{fffd}", "q"]);
    }

    #[test]
    fn asks_nothing_after_end_of_input() {
        let mut output = Vec::new();
        let mut console = HerochessConsole::new(&b""[..], &mut output, false);
        assert_eq!(console.ask("? ").unwrap(), None);
        assert_eq!(console.ask("? ").unwrap(), None);
        assert!(console.ended());
        assert_eq!(output, b"? \n");
    }
}
