//! Lines and columns.

use memchr::memrchr2;

use super::MARK;

/// Returns the line and the column (in characters), both from 1, of an offset in a text.
pub(crate) fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let start = memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let line = &before[start..];
    let line = line.strip_prefix(MARK).unwrap_or(line);
    // Text that is not UTF-8 is Latin-1, one byte per character.
    let column = std::str::from_utf8(line).map_or(line.len(), |line| line.chars().count());
    // Between the two bytes of a line break, the line is still the old one.
    let half = (before.ends_with(b"\r") && text.get(before.len()) == Some(&b'\n')) as usize;
    (line_breaks(before) - half + 1, column + 1)
}

/// Counts the line breaks: `\n`, `\r` or both.
pub(crate) fn line_breaks(text: &[u8]) -> usize {
    let feeds = memchr::memchr_iter(b'\n', text).count();
    let returns = memchr::memchr_iter(b'\r', text)
        .filter(|&at| text.get(at + 1) != Some(&b'\n'))
        .count();
    feeds + returns
}
