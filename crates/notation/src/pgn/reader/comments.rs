//! Comments, closed or not, and comments in comments.

use memchr::{memchr, memchr3};

use super::class::{ByteClass, CLASS};
use super::{Reader, State, skip_blanks};
use crate::pgn::event::{Event, SyntaxError};
use crate::scan::{HIGH_BITS, ONES, below};

/// How far to look for the end of a comment in which comments begin.
const NESTED: usize = 1024;

impl<'a> Reader<'a> {
    pub(super) fn brace_comment(&mut self) -> Event<'a> {
        self.event_at = self.at;
        if self.at < self.comment_end {
            return self.unusual_comment(self.comment_end - self.at - 1);
        }
        let rest = &self.text[self.at + 1..];
        let mut end = 0;
        // One search for both the end and line breaks: a tag after a line break shows that the comment is not closed.
        while let Some(found) = memchr3(b'}', b'\n', b'\r', &rest[end..]) {
            end += found;
            if rest[end] == b'}' {
                if memchr(b'{', &rest[..end]).is_some() {
                    return self.unusual_comment(end);
                }
                self.at += end + 2;
                return Event::Comment(&rest[..end]);
            }
            end += 1;
            if matches!(rest.get(end), Some(b'[' | b' ' | b'\t'))
                && self.next_game_in_comment(self.at + 1 + end)
            {
                return self.unusual_comment(end);
            }
        }
        self.ran_out = true;
        self.unusual_comment(rest.len())
    }

    /// Whether a line in a comment is the start of the next game: an `Event` tag, or another tag after an empty line.
    #[cold]
    fn next_game_in_comment(&self, line: usize) -> bool {
        let at = skip_blanks(self.text, line);
        let text = &self.text[at..];
        text.starts_with(b"[Event ")
            || text.first() == Some(&b'[')
                && self.tags_start(at)
                && is_after_empty_line(self.text, line)
    }

    /// Reads a comment that has an opening brace in it, or that ends at the next game or at the end of the text because
    /// there is no closing brace.
    #[cold]
    #[inline(never)]
    fn unusual_comment(&mut self, end: usize) -> Event<'a> {
        let rest = &self.text[self.at + 1..];
        let is_closed = rest.get(end) == Some(&b'}');
        if is_closed && memchr(b'{', &rest[..end]).is_none() {
            self.at += end + 2;
            return Event::Comment(&rest[..end]);
        }
        if let Some(start) = next_game_without_tags(&rest[..end]) {
            // A comment of that game need not look for its end again.
            self.comment_end = self.at + 1 + end;
            let unclosed = self.unclosed_comment(start);
            self.state = State::Over;
            return unclosed;
        }
        if is_closed {
            self.comment_with_brace(end)
        } else {
            self.unclosed_comment(end)
        }
    }

    /// Reads a comment up to its first closing brace, before which there is another opening one.
    ///
    /// Comments do not nest, so this is the end, unless that makes the rest of an outer comment movetext.
    fn comment_with_brace(&mut self, mut end: usize) -> Event<'a> {
        let rest = &self.text[self.at + 1..];
        let mut open = memchr::memchr_iter(b'{', &rest[..end]).count();
        let limit = end + NESTED;
        let is_text = !could_be_movetext(&rest[end + 1..]);
        let mut at = end + 1;
        while open > 0 {
            match rest.get(at) {
                Some(b'}') => {
                    open -= 1;
                    end = at;
                }
                // Unless it is text between two inner comments, the next comment starts here.
                Some(b'{') if is_text && at < limit => open += 1,
                Some(b'{') => break,
                None => {
                    self.ran_out = true;
                    break;
                }
                Some(b';') if !is_text => {
                    at += memchr::memchr2(b'\n', b'\r', &rest[at..]).unwrap_or(rest.len() - at);
                    continue;
                }
                Some(b'\n' | b'\r') => {
                    let line = skip_blanks(rest, at + 1);
                    if matches!(rest.get(line), Some(b'[' | b'%')) {
                        break;
                    }
                }
                Some(_) => {}
            }
            at += 1;
        }
        // Inner comments that are not closed make the first closing brace the end after all.
        if open > 0 {
            end = memchr(b'}', rest).unwrap_or(rest.len());
        }
        self.at += end + 2;
        Event::Comment(&rest[..end])
    }

    /// Ends a comment that is not closed before the next game, or at the end of the text.
    fn unclosed_comment(&mut self, length: usize) -> Event<'a> {
        self.at += 1 + length;
        self.depth = 0;
        Event::Error(SyntaxError::UnclosedComment)
    }
}

/// Whether the line above a line is empty.
fn is_after_empty_line(text: &[u8], line: usize) -> bool {
    let above = &text[..line];
    let above = above.strip_suffix(b"\n").unwrap_or(above);
    let above = above.strip_suffix(b"\r").unwrap_or(above);
    let last = above.iter().rfind(|&&byte| !matches!(byte, b' ' | b'\t'));
    matches!(last, Some(b'\n' | b'\r'))
}

/// Finds, in a comment that contains the start of another one or has no end, a game without tags: a first move after a
/// result and an empty line.
fn next_game_without_tags(comment: &[u8]) -> Option<usize> {
    let mut lines = memchr::memchr2_iter(b'\n', b'\r', comment).map(|at| at + 1);
    lines.find(|&line| {
        let follows_result = || {
            let before = comment[..line].trim_ascii_end();
            let results = [&b"*"[..], b"1-0", b"0-1", b"1/2"];
            results.iter().any(|result| before.ends_with(result))
        };
        // In this order: blanks before a first move are looked at once.
        comment[line..].starts_with(b"1.") && is_after_empty_line(comment, line) && follows_result()
    })
}

/// Whether text can go on with a move, an annotation or a result rather than with a word.
fn could_be_movetext(text: &[u8]) -> bool {
    let blank = text.iter().take_while(|&&byte| byte <= b' ').count();
    let Some(&byte) = text.get(blank) else {
        return true;
    };
    match CLASS[byte as usize] {
        ByteClass::File | ByteClass::Piece | ByteClass::Castle => {
            let length = text[blank..].iter().take_while(|&&byte| byte > b' ');
            let word = &text[blank..blank + length.take(16).count()];
            let word = std::str::from_utf8(word).unwrap_or_default();
            crate::San::parse(word, crate::Dialect::Import).is_ok()
        }
        ByteClass::Other | ByteClass::CloseBrace => false,
        _ => true,
    }
}

/// Returns the length of a short comment on one line.
#[inline(always)]
pub(super) fn short_comment(text: &[u8]) -> Option<usize> {
    let mut length = 0;
    while length < 64 {
        let word = u64::from_le_bytes(*text[length..].first_chunk()?);
        let special = below(word, b' ') | braces(word);
        if special != 0 {
            length += special.trailing_zeros() as usize / 8;
            return (text[length] == b'}').then_some(length);
        }
        length += 8;
    }
    None
}

/// Marks the braces in a word, and the few characters after `z`, by their highest bit. The carry of a byte that is not
/// ASCII may mark a `z` behind it: then the general reader reads the comment.
#[inline(always)]
const fn braces(word: u64) -> u64 {
    word.wrapping_add(ONES * (0x80 - b'{') as u64) & !word & HIGH_BITS
}
