//! The conversation: what is printed, what is asked, what comes back.

use std::fmt;
use std::io::{self, BufRead, Write};

/// What is said about everything that is wrong, but for a column that there is not.
pub(super) const ERROR: &str = "Error. Try again";
/// More of a line than anyone would type is not kept.
const LONGEST: usize = 1000;

/// A reader and a writer, a terminal or a pipe.
pub(super) struct Console<I, O> {
    input: I,
    output: O,
    /// Whether what is typed does not show by itself, as in a pipe: then an answer's line break is printed, so that what
    /// comes out reads as it does on a terminal.
    silent: bool,
    ended: bool,
}

impl<I: BufRead, O: Write> Console<I, O> {
    pub(super) const fn new(input: I, output: O, silent: bool) -> Self {
        Self {
            input,
            output,
            silent,
            ended: false,
        }
    }

    /// Whether the input has come to its end, after which there is nothing to ask any more.
    pub(super) const fn ended(&self) -> bool {
        self.ended
    }

    /// Prints a line.
    pub(super) fn say(&mut self, line: impl fmt::Display) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// Sees to it that all that was printed can be read, before something that takes its time.
    pub(super) fn show(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Prints what is waited for, without a line break, and gives the answer without the spaces around it; nothing at the
    /// end of the input.
    pub(super) fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        if self.ended {
            return Ok(None);
        }
        write!(self.output, "{prompt}")?;
        self.output.flush()?;
        let answer = self.read_line()?;
        if self.silent || answer.is_none() {
            writeln!(self.output)?;
        }
        Ok(answer)
    }

    /// Asks until the answer is one that `read` understands. Nothing means that the person wants to leave, or is gone.
    pub(super) fn insist<T>(
        &mut self,
        prompt: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> io::Result<Option<T>> {
        loop {
            let Some(answer) = self.ask(prompt)? else {
                return Ok(None);
            };
            if let Some(understood) = read(&answer) {
                return Ok(Some(understood));
            }
            if is_quit(&answer) {
                return Ok(None);
            }
            self.say(ERROR)?;
        }
    }

    /// Asks a question that is answered by Y or N.
    pub(super) fn yes_or_no(&mut self, question: &str) -> io::Result<Option<bool>> {
        self.insist(question, |answer| match answer {
            "Y" | "y" => Some(true),
            "N" | "n" => Some(false),
            _ => None,
        })
    }

    /// The next line, whatever bytes it has.
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
            let kept = part.len().min(LONGEST - line.len());
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
            // Its start alone shall not be taken for an answer.
            text.push(char::REPLACEMENT_CHARACTER);
        }
        Ok(Some(text))
    }
}

/// Whether an answer leaves the game.
pub(super) fn is_quit(answer: &str) -> bool {
    answer.eq_ignore_ascii_case("q")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> Vec<String> {
        let mut console = Console::new(input, Vec::new(), true);
        std::iter::from_fn(|| console.ask("? ").unwrap()).collect()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(answers(b"e2\r\n\n e4 \nlast"), ["e2", "", "e4", "last"]);
        assert_eq!(answers(b""), [""; 0]);
        assert_eq!(answers(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}"]);
        let long = [b"e2", &[b' '; 5000][..], b"e4\nq\n"].concat();
        assert_eq!(answers(&long), ["e2\u{fffd}", "q"]);
    }

    #[test]
    fn after_the_end_nothing_is_asked() {
        let mut output = Vec::new();
        let mut console = Console::new(&b""[..], &mut output, false);
        assert_eq!(console.ask("? ").unwrap(), None);
        assert_eq!(console.ask("? ").unwrap(), None);
        assert!(console.ended());
        assert_eq!(output, b"? \n");
    }
}
