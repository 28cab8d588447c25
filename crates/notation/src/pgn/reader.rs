//! A pull parser over bytes.

mod class;
mod place;
mod tags;
mod words;

use memchr::{memchr2, memchr3};

use super::event::{Event, SanToken, SyntaxError};
use crate::GameResult;
use crate::san;
use crate::scan::{ONES, below, scan, scan_castle};
use class::{CLASS, Class, ends_word};
pub(crate) use place::{line_and_column, line_breaks};
pub(super) use tags::starts_game;

/// What the reader expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Between games.
    Outside,
    Tags,
    /// Tags, after an `Event` tag.
    EventTags,
    Moves,
}

/// Reads the events of any number of games from bytes.
///
/// ```
/// use tabiya_notation::pgn::{Event, Reader};
/// use tabiya_notation::GameResult;
///
/// let mut reader = Reader::new(b"[White \"Morphy\"]\n\n1. e4 {best by test} e5! 2. Nf3 *\n");
/// let mut moves = 0;
/// while let Some(event) = reader.next() {
///     match event {
///         Event::Move(_) => moves += 1,
///         Event::End(result) => assert_eq!(result, Some(GameResult::Unknown)),
///         _ => {}
///     }
/// }
/// assert_eq!(moves, 3);
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the last event started.
    event_at: usize,
    state: State,
    depth: usize,
    /// Whether the text ended inside a tag.
    pub(super) ran_out: bool,
}

/// The start of a game.
const EVENT: &[u8] = b"[Event ";

/// The byte order mark at the start of some files; it may be anywhere in a file made of several.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The dots after a move number as one character.
const ELLIPSIS: &[u8] = "…".as_bytes();

/// Whether an offset is at the start of a line.
#[inline(always)]
fn is_line_start(text: &[u8], at: usize) -> bool {
    at == 0 || matches!(text[at - 1], b'\n' | b'\r') || text[..at].ends_with(MARK)
}

impl<'a> Reader<'a> {
    /// Reads these bytes, which must not start in the middle of a game.
    pub fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            event_at: 0,
            state: State::Outside,
            depth: 0,
            ran_out: false,
        }
    }

    /// Returns the offset of the last event.
    #[inline]
    pub const fn event_offset(&self) -> usize {
        self.event_at
    }

    /// Returns the number of bytes read.
    #[inline]
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the whole text.
    pub(super) const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns the line and the column (in characters), both from 1, of an offset.
    #[inline]
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        line_and_column(self.text, offset)
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        match self.text.get(at) {
            Some(&byte) => byte,
            None => b'\n',
        }
    }

    /// Returns the next event; `None` at the end of the text.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Option<Event<'a>> {
        if self.state == State::Moves
            && let Some(event) = self.usual()
        {
            return Some(event);
        }
        // A copy, because a call forces its receiver into memory: `usual` keeps all of it in registers.
        let mut reader = self.clone();
        let event = reader.any();
        *self = reader;
        event
    }

    /// The fast path: returns the next event if it is a common one (a move or a short comment). Skips what comes before
    /// it in any case.
    ///
    /// [`any`](Self::any) reads all of this too. There is a branch where the outcome is predictable, such as the space
    /// after a move, and none where it is not.
    #[inline(always)]
    fn usual(&mut self) -> Option<Event<'a>> {
        let text = self.text;
        loop {
            let rest = text.get(self.at..)?;
            let byte = *rest.first()?;
            if byte == b' ' {
                self.at += 1;
                continue;
            }
            match CLASS[byte as usize] {
                Class::File | Class::Piece => {
                    let (san, length) = scan(rest)?;
                    self.event_at = self.at;
                    self.at += length;
                    let text = &rest[..length];
                    return Some(Event::Move(SanToken { san, text }));
                }
                Class::Digit => {
                    let mut end = 1;
                    while rest.get(end)?.is_ascii_digit() {
                        end += 1;
                    }
                    if rest[end] != b'.' || byte == b'0' {
                        return None;
                    }
                    while *rest.get(end)? == b'.' {
                        end += 1;
                    }
                    self.at += end;
                }
                Class::OpenBrace => {
                    let length = short_comment(&rest[1..])?;
                    self.event_at = self.at;
                    self.at += length + 2;
                    return Some(Event::Comment(&rest[1..=length]));
                }
                Class::NewLine if rest.get(1) != Some(&b'%') => self.at += 1,
                _ => return None,
            }
        }
    }

    /// Returns the next event of any kind.
    #[inline(never)]
    fn any(&mut self) -> Option<Event<'a>> {
        if self.state != State::Moves {
            let event = self.next_in_tags();
            if self.state != State::Moves {
                return event;
            }
        }
        self.next_in_moves()
    }

    /// Skips a text if it comes next.
    fn skip(&mut self, wanted: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    fn end_of_text(&mut self) -> Option<Event<'a>> {
        self.event_at = self.at;
        if self.state == State::Outside {
            return None;
        }
        Some(self.end(None))
    }

    /// Ends the game, after an error if a variation is still open.
    #[inline]
    fn end(&mut self, result: Option<GameResult>) -> Event<'a> {
        if self.depth > 0 {
            self.depth = 0;
            // The next event is the end, read again from the same place.
            self.at = self.event_at;
            return Event::Error(SyntaxError::UnclosedVariation);
        }
        self.state = State::Outside;
        Event::End(result)
    }

    #[inline(never)]
    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    fn next_in_moves(&mut self) -> Option<Event<'a>> {
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                return self.end_of_text();
            };
            match CLASS[byte as usize] {
                Class::Space | Class::Dot => self.at += 1,
                Class::NewLine => {
                    self.at += 1;
                    if self.byte(self.at) == b'%' {
                        self.skip_line();
                    }
                }
                Class::Digit => {
                    if let Some(event) = self.digit(byte) {
                        return Some(event);
                    }
                }
                Class::File | Class::Piece => return Some(self.san(scan(&self.text[self.at..]))),
                Class::Castle => return Some(self.san(scan_castle(&self.text[self.at..]))),
                Class::OpenBrace => return Some(self.brace_comment()),
                Class::Semicolon => {
                    self.event_at = self.at;
                    self.skip_line();
                    return Some(Event::Comment(&self.text[self.event_at + 1..self.at]));
                }
                Class::Dollar => return Some(self.dollar()),
                Class::Exclamation => return Some(self.exclamation()),
                Class::OpenParen => {
                    self.event_at = self.at;
                    self.at += 1;
                    self.depth += 1;
                    return Some(Event::VariationStart);
                }
                Class::CloseParen => {
                    self.event_at = self.at;
                    self.at += 1;
                    if self.depth == 0 {
                        return Some(Event::Error(SyntaxError::Unopened(byte)));
                    }
                    self.depth -= 1;
                    return Some(Event::VariationEnd);
                }
                Class::CloseBrace => {
                    self.event_at = self.at;
                    self.at += 1;
                    return Some(Event::Error(SyntaxError::Unopened(byte)));
                }
                Class::Star => {
                    self.event_at = self.at;
                    self.at += 1;
                    return Some(self.result(GameResult::Unknown));
                }
                Class::OpenBracket | Class::Other => {
                    if let Some(event) = self.other(byte) {
                        return Some(event);
                    }
                }
            }
        }
    }

    /// Reads what is rare in movetext.
    #[cold]
    #[inline(never)]
    fn other(&mut self, byte: u8) -> Option<Event<'a>> {
        if self.skip(MARK) || self.skip(ELLIPSIS) {
            return None;
        }
        self.event_at = self.at;
        if byte == b'[' && is_line_start(self.text, self.at) {
            // The tags of the next game: this one has no result.
            return Some(self.end(None));
        }
        Some(self.word())
    }

    /// Returns a move that was scanned, or reads a word.
    fn san(&mut self, scanned: Option<(san::San, usize)>) -> Event<'a> {
        self.event_at = self.at;
        let Some((san, length)) = scanned else {
            return self.word();
        };
        let text = &self.text[self.at..self.at + length];
        self.at += length;
        Event::Move(SanToken { san, text })
    }

    /// A result inside a variation is a comment, not the end of the game.
    fn result(&mut self, result: GameResult) -> Event<'a> {
        if self.depth > 0 && !self.game_ends_here() {
            return Event::Comment(result.as_str().as_bytes());
        }
        self.end(Some(result))
    }

    /// Whether only white space comes before the next game or the end.
    fn game_ends_here(&self) -> bool {
        let blank = self.text[self.at..]
            .iter()
            .take_while(|&&byte| byte <= b' ');
        let next = self.at + blank.count();
        match self.text.get(next) {
            None => true,
            Some(&byte) => byte == b'[' && is_line_start(self.text, next),
        }
    }

    /// Skips a move number, or reads a result or castling with zeros.
    fn digit(&mut self, byte: u8) -> Option<Event<'a>> {
        let mut end = self.at + 1;
        while self.byte(end).is_ascii_digit() {
            end += 1;
        }
        let next = self.byte(end);
        if byte == b'0' || matches!(next, b'-' | b'/' | b':') {
            return self.result_or_castle(end);
        }
        if CLASS[next as usize] == Class::Other {
            return self.odd_number(end);
        }
        self.number(end);
        None
    }

    /// Skips a move number, whose digits end here, and its dots.
    fn number(&mut self, mut end: usize) {
        while self.byte(end) == b'.' {
            end += 1;
        }
        self.at = end;
    }

    #[cold]
    #[inline(never)]
    fn odd_number(&mut self, end: usize) -> Option<Event<'a>> {
        if CLASS[self.byte(end) as usize] != Class::Other {
            self.number(end);
            return None;
        }
        if self.text[end..].starts_with(ELLIPSIS) {
            self.at = end;
            return None;
        }
        self.event_at = self.at;
        Some(self.word())
    }

    #[cold]
    #[inline(never)]
    fn result_or_castle(&mut self, end: usize) -> Option<Event<'a>> {
        self.event_at = self.at;
        let rest = &self.text[self.at..];
        let results: [(&[u8], GameResult); 7] = [
            (b"1/2-1/2", GameResult::Draw),
            (b"0.5-0.5", GameResult::Draw),
            (b"1/2", GameResult::Draw),
            (b"1-0", GameResult::WhiteWins),
            (b"0-1", GameResult::BlackWins),
            (b"1:0", GameResult::WhiteWins),
            (b"0:1", GameResult::BlackWins),
        ];
        for (text, result) in results {
            if rest.starts_with(text) && ends_word(self.byte(self.at + text.len())) {
                self.at += text.len();
                return Some(self.result(result));
            }
        }
        self.odd_number(end)
    }

    fn brace_comment(&mut self) -> Event<'a> {
        self.event_at = self.at;
        let rest = &self.text[self.at + 1..];
        let mut end = 0;
        // One search for both the end and line breaks: `[Event ` after a line break shows that the comment is not
        // closed.
        while let Some(found) = memchr3(b'}', b'\n', b'\r', &rest[end..]) {
            end += found;
            if rest[end] == b'}' {
                self.at += end + 2;
                return Event::Comment(&rest[..end]);
            }
            end += 1;
            if rest[end..].starts_with(EVENT) {
                return self.unclosed_comment(end);
            }
        }
        self.unclosed_comment(rest.len())
    }

    /// Ends a comment that is not closed before the next game, or at the end of the text.
    #[cold]
    #[inline(never)]
    fn unclosed_comment(&mut self, length: usize) -> Event<'a> {
        self.at += 1 + length;
        self.depth = 0;
        Event::Error(SyntaxError::UnclosedComment)
    }

    #[inline(never)]
    fn dollar(&mut self) -> Event<'a> {
        self.event_at = self.at;
        self.at += 1;
        let mut nag = 0_u32;
        let start = self.at;
        while self.byte(self.at).is_ascii_digit() {
            nag = nag
                .saturating_mul(10)
                .saturating_add(u32::from(self.byte(self.at) - b'0'));
            self.at += 1;
        }
        match u8::try_from(nag) {
            Ok(nag) if self.at > start => Event::Nag(nag),
            _ => Event::Error(SyntaxError::Word(&self.text[self.event_at..self.at])),
        }
    }

    #[inline(never)]
    fn exclamation(&mut self) -> Event<'a> {
        self.event_at = self.at;
        let first = self.byte(self.at);
        let second = self.byte(self.at + 1);
        let (nag, length) = match (first, second) {
            (b'!', b'!') => (3, 2),
            (b'?', b'?') => (4, 2),
            (b'!', b'?') => (5, 2),
            (b'?', b'!') => (6, 2),
            (b'!', _) => (1, 1),
            _ => (2, 1),
        };
        self.at += length;
        Event::Nag(nag)
    }

    /// Skips the rest of the game: the next event is its end.
    #[inline(always)]
    pub fn skip_game(&mut self) {
        // A copy, as in `next`.
        let mut reader = self.clone();
        reader.go_to_end_of_game();
        *self = reader;
    }

    fn go_to_end_of_game(&mut self) {
        while self.state != State::Outside {
            // The fast path never reads an end.
            while self.state == State::Moves && self.usual().is_some() {}
            let before = self.clone();
            if let Some(Event::End(_)) | None = self.any() {
                *self = before;
                return;
            }
        }
    }
}

/// Returns the length of a short comment on one line.
#[inline(always)]
fn short_comment(text: &[u8]) -> Option<usize> {
    let mut length = 0;
    while length < 64 {
        let word = u64::from_le_bytes(*text[length..].first_chunk()?);
        let special = below(word, b' ') | below(word ^ ONES * b'}' as u64, 1);
        if special != 0 {
            length += special.trailing_zeros() as usize / 8;
            return (text[length] == b'}').then_some(length);
        }
        length += 8;
    }
    None
}

#[cfg(test)]
mod tests;
