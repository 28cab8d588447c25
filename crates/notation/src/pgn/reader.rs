//! A pull parser over bytes.

mod class;
mod comments;
mod place;
mod tags;
mod words;

use memchr::memchr2;

use super::event::{Event, SanToken, SyntaxError};
use crate::GameResult;
use crate::san;
use crate::scan::{scan, scan_castle};
use class::{ByteClass, CLASS, ends_word};
use comments::short_comment;
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
    /// Where a game ends without a sign of it, after a comment that is not closed.
    Over,
}

/// Reads the events of any number of games from bytes.
///
/// ```
/// use tabiya_notation::pgn::{Event, Reader};
/// use tabiya_notation::GameResult;
///
/// let reader = Reader::new(b"[White \"Morphy\"]\n\n1. e4 {best by test} e5! 2. Nf3 *\n");
/// let mut moves = 0;
/// for event in reader {
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
    /// Where the `Event` tag of this game is.
    event_tag: usize,
    /// Whether the text ended inside a tag or a comment.
    pub(super) ran_out: bool,
    /// Where a comment ends that starts before: at a closing brace, or at the next game if there is none.
    comment_end: usize,
}

/// The start of a game.
const EVENT: &[u8] = b"[Event ";

/// The byte order mark at the start of some files; it may be anywhere in a file made of several.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The dots after a move number as one character.
const ELLIPSIS: &[u8] = "…".as_bytes();

/// A null move, as engines write it.
const NULL_MOVE: &[u8] = b"0000";

/// A move number without dots has no more digits than this. Years have more.
const MAX_DIGITS: usize = 3;

/// Whether an offset is at the start of a line.
#[inline(always)]
fn is_line_start(text: &[u8], at: usize) -> bool {
    at == 0 || matches!(text[at - 1], b'\n' | b'\r') || text[..at].ends_with(MARK)
}

/// Returns the offset of the first byte that is neither a space nor a tab.
fn skip_blanks(text: &[u8], at: usize) -> usize {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    at + text[at..].iter().take_while(blank).count()
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
            event_tag: 0,
            ran_out: false,
            comment_end: 0,
        }
    }

    /// Reads these bytes from an offset between two games on.
    pub fn resume(text: &'a [u8], at: usize) -> Self {
        Self {
            at,
            event_at: at,
            ..Self::new(text)
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
                ByteClass::File | ByteClass::Piece => {
                    let (san, length) = scan(rest)?;
                    self.event_at = self.at;
                    self.at += length;
                    let text = &rest[..length];
                    return Some(Event::Move(SanToken { san, text }));
                }
                ByteClass::Digit => {
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
                ByteClass::OpenBrace => {
                    let length = short_comment(&rest[1..])?;
                    self.event_at = self.at;
                    self.at += length + 2;
                    return Some(Event::Comment(&rest[1..=length]));
                }
                ByteClass::NewLine if rest.get(1) != Some(&b'%') => self.at += 1,
                _ => return None,
            }
        }
    }

    /// Returns the next event of any kind.
    #[inline(never)]
    fn any(&mut self) -> Option<Event<'a>> {
        if self.state == State::Over {
            self.event_at = self.at;
            return Some(self.end(None));
        }
        if self.state != State::Moves {
            let event = self.next_in_tags();
            if self.state != State::Moves {
                return event;
            }
        }
        self.next_in_moves()
    }

    /// Skips a text if it comes next.
    fn skip_text(&mut self, wanted: &[u8]) -> bool {
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
                ByteClass::Space | ByteClass::Dot => self.at += 1,
                ByteClass::NewLine => {
                    self.at += 1;
                    if self.byte(self.at) == b'%' {
                        self.skip_line();
                    }
                }
                ByteClass::Digit => {
                    if let Some(event) = self.digit(byte) {
                        return Some(event);
                    }
                }
                ByteClass::File | ByteClass::Piece => {
                    return Some(self.san(scan(&self.text[self.at..])));
                }
                ByteClass::Castle => return Some(self.san(scan_castle(&self.text[self.at..]))),
                ByteClass::OpenBrace => return Some(self.brace_comment()),
                ByteClass::Semicolon => {
                    self.event_at = self.at;
                    self.skip_line();
                    return Some(Event::Comment(&self.text[self.event_at + 1..self.at]));
                }
                ByteClass::Dollar => return Some(self.dollar()),
                ByteClass::Exclamation => return Some(self.exclamation()),
                ByteClass::OpenParen => {
                    self.event_at = self.at;
                    self.at += 1;
                    self.depth += 1;
                    return Some(Event::VariationStart);
                }
                ByteClass::CloseParen => {
                    self.event_at = self.at;
                    self.at += 1;
                    if self.depth == 0 {
                        return Some(Event::Error(SyntaxError::Unopened(byte)));
                    }
                    self.depth -= 1;
                    return Some(Event::VariationEnd);
                }
                ByteClass::CloseBrace => {
                    self.event_at = self.at;
                    self.at += 1;
                    return Some(Event::Error(SyntaxError::Unopened(byte)));
                }
                ByteClass::Star => {
                    self.event_at = self.at;
                    self.at += 1;
                    return Some(self.result(GameResult::Unknown));
                }
                ByteClass::OpenBracket | ByteClass::Other => {
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
        if self.skip_text(MARK) || self.skip_text(ELLIPSIS) {
            return None;
        }
        self.event_at = self.at;
        if byte == b'[' && self.tags_start(self.at) {
            // The tags of the next game: this one has no result.
            return Some(self.end(None));
        }
        if byte == b'\\' && self.byte(self.at + 1) == b'$' {
            // Some programs escape the sign: `\$14`.
            self.at += 1;
            return None;
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
            Some(&byte) => byte == b'[' && self.tags_start(next),
        }
    }

    /// Skips a move number, or reads a result, castling with zeros, or a null move.
    fn digit(&mut self, byte: u8) -> Option<Event<'a>> {
        let mut end = self.at + 1;
        while self.byte(end).is_ascii_digit() {
            end += 1;
        }
        let next = self.byte(end);
        if byte == b'0' || matches!(next, b'-' | b'/' | b':') {
            return self.result_or_castle(end);
        }
        match CLASS[next as usize] {
            ByteClass::Dot => {
                self.skip_number(end);
                None
            }
            ByteClass::Other => self.odd_number(end),
            _ => self.bare_number(end),
        }
    }

    /// Skips a move number, whose digits end here, and its dots.
    fn skip_number(&mut self, mut end: usize) {
        while self.byte(end) == b'.' {
            end += 1;
        }
        self.at = end;
    }

    /// Reads a number without dots. It is a move number if something follows that a move number can stand before: a
    /// move, an annotation of one, or the result. Every other number is an error, such as a year or a rating: who skips
    /// it would also skip a null move, `0000`, and read White's moves as Black's.
    #[inline(never)]
    fn bare_number(&mut self, end: usize) -> Option<Event<'a>> {
        let digits = &self.text[self.at..end];
        let blank = self.text[end..].iter().take_while(|&&byte| byte <= b' ');
        let follows = end + blank.count();
        let is_number = match CLASS[self.byte(follows) as usize] {
            ByteClass::Dot => true,
            _ if digits[0] == b'0' || digits.len() > MAX_DIGITS => false,
            ByteClass::File
            | ByteClass::Piece
            | ByteClass::Castle
            | ByteClass::Other
            | ByteClass::Star
            | ByteClass::OpenBrace
            | ByteClass::Semicolon
            | ByteClass::OpenParen => true,
            // Castling with zeros, a null move or a result: not one more number.
            ByteClass::Digit => matches!(
                self.text[follows..],
                [b'0', b'-' | b'0', ..] | [b'0' | b'1', b'-' | b'/' | b':', ..]
            ),
            _ => false,
        };
        if is_number && follows < self.text.len() {
            self.at = end;
            return None;
        }
        self.event_at = self.at;
        self.at = end;
        Some(Event::Error(SyntaxError::Word(digits)))
    }

    #[cold]
    #[inline(never)]
    fn odd_number(&mut self, end: usize) -> Option<Event<'a>> {
        match CLASS[self.byte(end) as usize] {
            ByteClass::Dot => {
                self.skip_number(end);
                return None;
            }
            ByteClass::Other => {}
            _ => return self.bare_number(end),
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
        if rest.starts_with(NULL_MOVE) && ends_word(self.byte(self.at + NULL_MOVE.len())) {
            self.at += NULL_MOVE.len();
            return Some(Event::NullMove);
        }
        self.odd_number(end)
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

impl<'a> Iterator for Reader<'a> {
    type Item = Event<'a>;

    /// Returns the next event; `None` at the end of the text.
    #[inline(always)]
    fn next(&mut self) -> Option<Event<'a>> {
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
}

impl std::iter::FusedIterator for Reader<'_> {}

#[cfg(test)]
mod tests;
