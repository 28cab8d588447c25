//! Files of positions, line by line.

use std::io::{self, BufReader};

use tabiya_notation::pgn::decode;
use tabiya_notation::{Epd, EpdError};
use thiserror::Error;

use crate::input::{read_line_rest, read_line_start};

/// Reads a file of positions, in EPD or FEN, one line at a time.
///
/// Empty lines and lines that start with `#` or `%` have no position.
///
/// ```
/// use tabiya_games::EpdLines;
///
/// let text = "# one\n8/8/8/4k3/8/8/3QK3/8 w - - bm Qd3;\nnonsense\n";
/// let mut lines = EpdLines::new(text.as_bytes(), 1000);
/// let mut found = Vec::new();
/// while lines.read()? {
///     if let Some(position) = lines.position() {
///         found.push((lines.number(), position.is_ok()));
///     }
/// }
/// assert_eq!(found, [(2, true), (3, false)]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct EpdLines<R> {
    reader: BufReader<R>,
    max_line: usize,
    line: Vec<u8>,
    number: usize,
    /// Whether the reader is at the start of a line, not inside one that is too long.
    at_start: bool,
}

/// A line of a file of positions cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EpdLineError {
    /// The line is too long.
    #[error("the line is longer than {} MB", limit.div_ceil(1_000_000))]
    TooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The line is not a position.
    #[error(transparent)]
    Epd(#[from] EpdError),
}

impl<R: io::Read> EpdLines<R> {
    /// Reads positions, but no line of more bytes than `max_line`.
    pub fn new(input: R, max_line: usize) -> Self {
        Self {
            reader: BufReader::new(input),
            max_line,
            line: Vec::new(),
            number: 0,
            at_start: true,
        }
    }

    /// Goes to the next line. Returns false at the end.
    pub fn read(&mut self) -> io::Result<bool> {
        if !self.at_start {
            read_line_rest(&mut self.reader, |_| Ok::<_, io::Error>(()))?;
        }
        self.number += 1;
        let read = read_line_start(&mut self.reader, self.max_line, &mut self.line)?;
        self.at_start = read != Some(false);
        Ok(read.is_some())
    }

    /// The number of the line, from 1.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns the position of the line, if it has one.
    pub fn position(&self) -> Option<Result<Epd, EpdLineError>> {
        let text = decode(&self.line);
        let text = text.trim_matches(|letter: char| letter <= ' ' || letter == '\u{feff}');
        if text.is_empty() || text.starts_with(['#', '%']) {
            return None;
        }
        if !self.at_start {
            let limit = self.max_line;
            return Some(Err(EpdLineError::TooLong { limit }));
        }
        Some(text.parse().map_err(EpdLineError::Epd))
    }

    /// Copies the line, byte for byte, with its line break and however long it is.
    pub fn copy<E: From<io::Error>>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        write(&self.line)?;
        if !self.at_start {
            read_line_rest(&mut self.reader, write)?;
            self.at_start = true;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1";

    #[test]
    fn a_long_line_is_an_error_and_the_next_one_is_read() {
        let long = "x".repeat(100);
        let text = format!("{long}\n{FEN}\n#{long}\n\n{long}");
        let mut lines = EpdLines::new(text.as_bytes(), FEN.len() + 1);
        let mut found = Vec::new();
        while lines.read().unwrap() {
            found.push(lines.position().map(|position| position.map(drop)));
        }
        let limit = FEN.len() + 1;
        let too_long = Some(Err(EpdLineError::TooLong { limit }));
        assert_eq!(
            found,
            [too_long.clone(), Some(Ok(())), None, None, too_long]
        );
    }

    #[test]
    fn copies_are_the_same_byte_for_byte() {
        let text = format!("\u{feff}{FEN}\r\n\n% {}\n\tlast", "y".repeat(70_000));
        for limit in [1, 8, 70_000, 1_000_000] {
            let mut lines = EpdLines::new(text.as_bytes(), limit);
            let mut copy = Vec::new();
            while lines.read().unwrap() {
                let taken = lines.copy(|bytes| {
                    copy.extend_from_slice(bytes);
                    Ok::<_, io::Error>(())
                });
                taken.unwrap();
            }
            assert_eq!(copy, text.as_bytes(), "{limit}");
        }
    }
}
