//! Tags, and what is between games.

use super::class::{ByteClass, CLASS};
use super::{EVENT, MARK, Reader, State, is_line_start, skip_blanks};
use crate::pgn::event::{Event, SyntaxError};
use crate::scan::{ONES, below};

/// The names of tags are shorter than this where one must be recognised behind moves.
const MAX_NAME: usize = 64;

/// How far to look for the end of a value that ends with a backslash, and for the tag below another.
const MAX_VALUE: usize = 1024;

/// Whether a game certainly starts here: at a line that starts with `[Event `, unless the line above ends like a tag,
/// because tags may be in any order.
pub(in crate::pgn) fn starts_game(text: &[u8], at: usize) -> bool {
    let above = &text[..at];
    let above = above.strip_suffix(b"\n").unwrap_or(above);
    let above = above.strip_suffix(b"\r").unwrap_or(above);
    let last = above.iter().rfind(|&&byte| !matches!(byte, b' ' | b'\t'));
    // Either the text or a line starts here.
    let is_line = above.is_empty() || above.len() < at;
    text[at..].starts_with(EVENT) && is_line && last != Some(&b']')
}

/// Whether there is nothing but spaces and tabs before an offset in its line.
fn is_first_in_line(text: &[u8], at: usize) -> bool {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let indent = text[..at].iter().rev().take_while(blank).count();
    is_line_start(text, at - indent)
}

impl<'a> Reader<'a> {
    /// Returns the next tag; `None` where the moves begin or the text ends.
    pub(super) fn next_in_tags(&mut self) -> Option<Event<'a>> {
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                return self.end_of_text();
            };
            match CLASS[byte as usize] {
                ByteClass::Space | ByteClass::NewLine => self.at += 1,
                ByteClass::OpenBracket => {
                    self.event_at = self.at;
                    if self.text[self.at..].starts_with(EVENT) && self.next_game_starts() {
                        return Some(self.end(None));
                    }
                    return Some(self.tag());
                }
                ByteClass::Other if byte == b'%' && is_line_start(self.text, self.at) => {
                    self.skip_line();
                }
                ByteClass::Other if self.skip_text(MARK) => {}
                ByteClass::Semicolon | ByteClass::OpenBrace
                    if self.skip_comments_between_games() => {}
                _ => {
                    self.state = State::Moves;
                    return None;
                }
            }
        }
    }

    /// Whether an `Event` tag belongs to the next game, because this one has tags but no moves.
    #[cold]
    fn next_game_starts(&self) -> bool {
        matches!(self.state, State::Tags | State::EventTags) && starts_game(self.text, self.at)
    }

    /// Whether a second `Event` tag, right below the other tags, starts the next game. It does if it has a line of its
    /// own and the next tag is the one that also followed the first: two games without moves. Otherwise a game simply
    /// has two of them.
    #[cold]
    fn is_next_game(&mut self, second: usize) -> bool {
        if !is_first_in_line(self.text, second) {
            return false;
        }
        let (line, name) = self.next_tag_name(second);
        // The line, or the name, may continue after the end of the text.
        self.ran_out |= name.is_none() && self.text.len() - second < MAX_VALUE;
        let line = line.trim_ascii_end();
        let has_own_line = line.strip_suffix(b"]").unwrap_or(line).ends_with(b"\"")
            && memchr::memchr_iter(b'"', line).count() == 2;
        let (_, first) = self.next_tag_name(self.event_tag);
        has_own_line
            && first == name
            && first.is_some_and(|name| !name.is_empty() && name != b"Event")
    }

    /// Returns the rest of a line, and the name of the tag in the line below. It is empty if there is none, and `None`
    /// if the text ends in it or the line is very long.
    fn next_tag_name(&self, from: usize) -> (&'a [u8], Option<&'a [u8]>) {
        let rest = &self.text[from..self.text.len().min(from + MAX_VALUE)];
        let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else {
            return (rest, None);
        };
        let (line, next) = rest.split_at(end);
        let next = next.strip_prefix(b"\r").unwrap_or(next);
        let next = next.strip_prefix(b"\n").unwrap_or(next);
        let next = &next[skip_blanks(next, 0)..];
        let name = match next.first() {
            None => return (line, None),
            Some(b'[') => &next[1..],
            Some(_) => b"\n",
        };
        let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric());
        (line, end.map(|end| &name[..end]))
    }

    /// Whether the tags of a game start at a bracket behind moves: at the start of a line, or behind spaces if it looks
    /// like a tag, `[Name "`.
    #[cold]
    pub(super) fn tags_start(&self, at: usize) -> bool {
        let text = self.text;
        if is_line_start(text, at) {
            return true;
        }
        let letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let name = text[at + 1..].iter().take(MAX_NAME).take_while(letter);
        let name_end = at + 1 + name.count();
        let value = skip_blanks(text, name_end);
        is_first_in_line(text, at)
            && name_end > at + 1
            && value > name_end
            && text.get(value) == Some(&b'"')
    }

    /// Skips comments before the tags of a game and after the last game: they belong to no game.
    #[cold]
    fn skip_comments_between_games(&mut self) -> bool {
        if self.state != State::Outside {
            return false;
        }
        let mut ahead = self.clone();
        while let Some(&byte) = self.text.get(ahead.at) {
            match CLASS[byte as usize] {
                ByteClass::Space | ByteClass::NewLine => ahead.at += 1,
                ByteClass::Semicolon => ahead.skip_line(),
                ByteClass::OpenBrace if matches!(ahead.brace_comment(), Event::Comment(_)) => {}
                ByteClass::Other if byte == b'%' && is_line_start(self.text, ahead.at) => {
                    ahead.skip_line();
                }
                ByteClass::Other if ahead.skip_text(MARK) => {}
                ByteClass::OpenBracket => break,
                _ => return false,
            }
        }
        self.at = ahead.at;
        true
    }

    /// Reads `[Name "value"]`, even if the bracket at the end is missing.
    fn tag(&mut self) -> Event<'a> {
        if self.state == State::Outside {
            self.state = State::Tags;
        }
        let start = self.at;
        let rest = &self.text[start + 1..];
        if let Some((name, value)) = plain_tag(rest) {
            self.at = start + 1 + name.len() + 2 + value.len() + 2;
            return Event::Tag { name, value };
        }
        let name_at = rest
            .iter()
            .take_while(|&&byte| matches!(byte, b' ' | b'\t'))
            .count();
        let name = &rest[name_at..];
        let name = &name[..name
            .iter()
            .take_while(|&&byte| byte > b' ' && byte != b'"' && byte != b']')
            .count()];
        if name == b"Event" {
            // The name may continue after the end of the text.
            self.ran_out |= name_at + name.len() == rest.len();
            if self.state == State::EventTags && self.is_next_game(start) {
                return self.end(None);
            }
            if self.state != State::EventTags {
                (self.state, self.event_tag) = (State::EventTags, start);
            }
        }
        let mut at = name_at + name.len();
        while matches!(rest.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        if name.is_empty() || rest.get(at) != Some(&b'"') {
            return self.bad_tag(start);
        }
        let value_at = at + 1;
        let plain = value_at + plain_length(&rest[value_at..]);
        let end = match rest.get(plain) {
            Some(b'"') => plain,
            _ => {
                match self
                    .end_with_backslash(rest, value_at)
                    .or_else(|| self.end_of_value(rest, plain))
                {
                    Some(end) => end,
                    None => return self.bad_tag(start),
                }
            }
        };
        let value = &rest[value_at..end];
        let mut close = end + 1;
        while matches!(rest.get(close), Some(b' ' | b'\t')) {
            close += 1;
        }
        match rest.get(close) {
            Some(b']') => close += 1,
            None | Some(b'[' | b'\n' | b'\r') => {}
            // The value has a quotation mark that is not escaped.
            Some(_) => return self.bad_tag(start),
        }
        self.at = start + 1 + close;
        Event::Tag { name, value }
    }

    /// Finds the end of a value with escaped quotation marks or line breaks.
    #[cold]
    #[inline(never)]
    fn end_of_value(&mut self, rest: &[u8], mut end: usize) -> Option<usize> {
        loop {
            end += plain_length(&rest[end..]);
            match rest.get(end) {
                None => {
                    self.ran_out = true;
                    return None;
                }
                Some(b'"') => return Some(end),
                Some(b'\\') if matches!(rest.get(end + 1), Some(b'"' | b'\\')) => end += 2,
                Some(b'\n' | b'\r') => {
                    // It may continue on the next line, but not after an empty line or into the next tag.
                    end += 1 + rest[end..].starts_with(b"\r\n") as usize;
                    let line = &rest[end..];
                    let blank = line
                        .iter()
                        .take_while(|&&byte| matches!(byte, b' ' | b'\t'));
                    let next = line.get(blank.count());
                    self.ran_out |= next.is_none();
                    if matches!(next, None | Some(b'[' | b'\n' | b'\r')) {
                        return None;
                    }
                }
                Some(_) => end += 1,
            }
        }
    }

    /// Finds the end of a value that ends with a backslash, which should be escaped but is not: `[Site "C:\games\"]`.
    #[cold]
    fn end_with_backslash(&mut self, rest: &[u8], value_at: usize) -> Option<usize> {
        let value = &rest[value_at..rest.len().min(value_at + MAX_VALUE)];
        let line = match memchr::memchr2(b'\n', b'\r', value) {
            Some(end) => &value[..end],
            None if value.len() == MAX_VALUE => return None,
            None => {
                self.ran_out = true;
                value
            }
        };
        let value = line.trim_ascii_end().strip_suffix(b"]")?.trim_ascii_end();
        let value = value.strip_suffix(b"\"")?;
        let backslashes = value.iter().rev().take_while(|&&byte| byte == b'\\');
        if backslashes.count() % 2 == 0 {
            return None;
        }
        // Every other quotation mark in it is escaped.
        let mut before = None;
        let is_escaped = value.iter().all(|&byte| {
            let stray = byte == b'"' && before != Some(b'\\');
            before = Some(byte);
            !stray
        });
        is_escaped.then_some(value_at + value.len())
    }

    /// Skips a line that starts like a tag but is not one.
    #[cold]
    fn bad_tag(&mut self, start: usize) -> Event<'a> {
        self.skip_line();
        Event::Error(SyntaxError::Tag(&self.text[start..self.at]))
    }
}

/// The fast path: returns the name and the value of a tag in standard form after its `[`, unless it is `Event`.
#[inline(always)]
fn plain_tag(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut length = 0;
    let end = loop {
        let word = u64::from_le_bytes(*text[length..].first_chunk()?);
        let special = below(word, b'#') | below(word ^ ONES * b']' as u64, 1);
        if special != 0 {
            break length + special.trailing_zeros() as usize / 8;
        }
        length += 8;
    };
    let (name, rest) = text.split_at(end);
    let rest = rest.strip_prefix(b" \"")?;
    let (value, rest) = rest.split_at(plain_length(rest));
    let is_plain = rest.starts_with(b"\"]") && !name.is_empty() && name != b"Event";
    is_plain.then_some((name, value))
}

/// Returns the length of a text up to the first quotation mark, backslash or control character.
#[inline(always)]
fn plain_length(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(bytes) = text[length..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*bytes);
        let special = below(word, b' ')
            | below(word ^ ONES * b'"' as u64, 1)
            | below(word ^ ONES * b'\\' as u64, 1);
        if special != 0 {
            return length + special.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let is_plain = |byte: &&u8| **byte >= b' ' && !matches!(byte, b'"' | b'\\');
    length + text[length..].iter().take_while(is_plain).count()
}
