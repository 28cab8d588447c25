//! Reading lines of any length and any bytes.

use std::io::{self, BufRead, Read};

use tabiya_notation::printable;

/// The longest line accepted. A position with the moves of the longest possible game fits several times.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// A line without its end. Invalid UTF-8 is replaced.
    Line(String),
    /// A line longer than [`MAX_LINE`], which was skipped.
    TooLong,
}

/// Reads the next line; `None` at the end.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let mut limited = Read::take(&mut *input, MAX_LINE as u64);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() == MAX_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(InputLine::TooLong));
    }
    Ok(Some(InputLine::Line(
        String::from_utf8_lossy(&bytes).trim().to_owned(),
    )))
}

/// Shortens a text for a message, and makes it printable.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_SHOWN: usize = 40;
    let mut short: String = printable(text).chars().take(MAX_SHOWN).collect();
    if text.chars().nth(MAX_SHOWN).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_texts_are_short_and_printable() {
        assert_eq!(shortened("a\u{1b}[2J\u{202e}b"), "a [2Jb");
        assert_eq!(shortened(&"x".repeat(100_000)).chars().count(), 41);
    }

    #[test]
    fn lines_of_any_length_and_bytes_are_read() {
        let mut text = b"uci\r\n\n\xff\xfe go\n".to_vec();
        text.extend(vec![b'x'; 3 * MAX_LINE]);
        text.extend(b"\nquit");
        let mut input = &text[..];
        let mut next = || read(&mut input).unwrap();
        let line = |text: &str| Some(InputLine::Line(text.to_owned()));
        assert_eq!(next(), line("uci"));
        assert_eq!(next(), line(""));
        assert_eq!(next(), line("\u{fffd}\u{fffd} go"));
        assert_eq!(next(), Some(InputLine::TooLong));
        assert_eq!(next(), line("quit"));
        assert_eq!(next(), None);
    }
}
