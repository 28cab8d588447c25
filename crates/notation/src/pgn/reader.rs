//! A pull parser over bytes.

use memchr::{memchr2, memchr3};

use crate::san;
use crate::scan::{scan, scan_castle};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl GameResult {
    /// As PGN writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

/// Something that comes next in a PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// A tag. The value is as it stands between the quotation marks: [`tag_value`] decodes it.
    Tag {
        /// Its name.
        name: &'a [u8],
        /// Its value.
        value: &'a [u8],
    },
    /// A move.
    Move(San<'a>),
    /// `--` or `Z0`: nobody moves.
    NullMove,
    /// A numeric annotation glyph; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    Nag(u8),
    /// A comment, without its braces or its semicolon.
    Comment(&'a [u8]),
    /// `(`
    VariationStart,
    /// `)`
    VariationEnd,
    /// Something that cannot be read. Reading goes on behind it.
    Problem(Problem<'a>),
    /// The end of a game: it comes once for each. Without a result if the text has none.
    End(Option<GameResult>),
}

/// A move as it stands in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San<'a> {
    /// The move that is meant.
    pub san: san::San,
    /// How it is written, with its `+` or `#`.
    pub text: &'a [u8],
}

/// What is wrong in a PGN, as syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem<'a> {
    /// A word that is no move and nothing else that can stand there.
    Word(&'a [u8]),
    /// A tag that is not `[Name "value"]`.
    Tag(&'a [u8]),
    /// A comment that is not closed before the next game.
    UnclosedComment,
    /// A variation that is not closed before the game ends.
    UnclosedVariation,
    /// A `)` or `}` that closes nothing.
    Unopened(u8),
}

/// Where the reader is in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Between games.
    Outside,
    Tags,
    Moves,
}

/// Pulls events out of the bytes of any number of games.
///
/// ```
/// use tabiya_notation::pgn::{Event, GameResult, Reader};
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
    /// Where the last event starts.
    event_at: usize,
    state: State,
    depth: usize,
}

/// What a byte can start in movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    /// White space and control characters.
    Space,
    /// The end of a line.
    NewLine,
    File,
    Piece,
    Digit,
    Castle,
    Dot,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    OpenBracket,
    Semicolon,
    Dollar,
    Exclamation,
    Star,
    Other,
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\n' | b'\r' => Class::NewLine,
            0..=b' ' | 0x7f => Class::Space,
            b'a'..=b'h' => Class::File,
            b'N' | b'B' | b'R' | b'Q' | b'K' => Class::Piece,
            b'0'..=b'9' => Class::Digit,
            b'O' => Class::Castle,
            b'.' => Class::Dot,
            b'{' => Class::OpenBrace,
            b'}' => Class::CloseBrace,
            b'(' => Class::OpenParen,
            b')' => Class::CloseParen,
            b'[' => Class::OpenBracket,
            b';' => Class::Semicolon,
            b'$' => Class::Dollar,
            b'!' | b'?' => Class::Exclamation,
            b'*' => Class::Star,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

/// Whether a byte ends a word.
#[inline(always)]
fn ends_word(byte: u8) -> bool {
    matches!(
        CLASS[byte as usize],
        Class::Space
            | Class::NewLine
            | Class::OpenBrace
            | Class::CloseBrace
            | Class::OpenParen
            | Class::CloseParen
            | Class::Semicolon
            | Class::Dollar
            | Class::Exclamation
            | Class::Star
    )
}

/// The line that starts a game, behind its line break.
const EVENT: &[u8] = b"[Event ";

impl<'a> Reader<'a> {
    /// Reads these bytes, which start with a game. A byte order mark before it is skipped.
    pub fn new(text: &'a [u8]) -> Self {
        let at = if text.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Self {
            text,
            at,
            event_at: at,
            state: State::Outside,
            depth: 0,
        }
    }

    /// The number of bytes before the last event.
    #[inline]
    pub const fn event_offset(&self) -> usize {
        self.event_at
    }

    /// The number of bytes read.
    #[inline]
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// The line and the column (in characters), both from 1, of a place in the text.
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

    /// Whether a place is at the start of a line.
    #[inline(always)]
    fn is_line_start(&self, at: usize) -> bool {
        at == 0 || matches!(self.text[at - 1], b'\n' | b'\r')
    }

    /// The next event; nothing at the end of the text.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Option<Event<'a>> {
        if self.state != State::Moves {
            let event = self.next_in_tags();
            if self.state != State::Moves {
                return event;
            }
        }
        self.next_in_moves()
    }

    /// The next tag, or nothing where the moves begin or the text ends.
    #[inline(never)]
    fn next_in_tags(&mut self) -> Option<Event<'a>> {
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                return self.end_of_text();
            };
            match CLASS[byte as usize] {
                Class::Space | Class::NewLine => self.at += 1,
                Class::OpenBracket => {
                    self.event_at = self.at;
                    self.state = State::Tags;
                    return Some(self.tag());
                }
                Class::Other if byte == b'%' && self.is_line_start(self.at) => self.skip_line(),
                _ => {
                    self.state = State::Moves;
                    return None;
                }
            }
        }
    }

    fn end_of_text(&mut self) -> Option<Event<'a>> {
        self.event_at = self.at;
        if self.state == State::Outside {
            return None;
        }
        Some(self.end(None))
    }

    /// Ends the game, after a complaint about a variation that is still open.
    #[inline]
    fn end(&mut self, result: Option<GameResult>) -> Event<'a> {
        if self.depth > 0 {
            self.depth = 0;
            // The end comes again, from the same place, once the complaint is heard.
            self.at = self.event_at;
            return Event::Problem(Problem::UnclosedVariation);
        }
        self.state = State::Outside;
        Event::End(result)
    }

    #[inline(never)]
    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    /// `[Name "value"]`, generous about what is missing.
    fn tag(&mut self) -> Event<'a> {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let name_at = rest
            .iter()
            .take_while(|&&byte| matches!(byte, b' ' | b'\t'))
            .count();
        let name = &rest[name_at..];
        let name = &name[..name
            .iter()
            .take_while(|&&byte| byte > b' ' && byte != b'"' && byte != b']')
            .count()];
        let mut at = name_at + name.len();
        while matches!(rest.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        if name.is_empty() || rest.get(at) != Some(&b'"') {
            return self.bad_tag(start);
        }
        let value_at = at + 1;
        let mut end = value_at;
        loop {
            let Some(found) = memchr3(b'"', b'\\', b'\n', &rest[end..]) else {
                return self.bad_tag(start);
            };
            end += found;
            match rest[end] {
                b'"' => break,
                b'\\' => end = (end + 2).min(rest.len()),
                // A value may go on in the next line, but not into the next game.
                _ if rest[end + 1..].starts_with(EVENT) => return self.bad_tag(start),
                _ => end += 1,
            }
        }
        let value = &rest[value_at..end];
        let mut close = end + 1;
        while matches!(rest.get(close), Some(b' ' | b'\t')) {
            close += 1;
        }
        if rest.get(close) == Some(&b']') {
            close += 1;
        }
        self.at = start + 1 + close;
        Event::Tag { name, value }
    }

    /// A line that starts like a tag and is none.
    #[cold]
    fn bad_tag(&mut self, start: usize) -> Event<'a> {
        self.skip_line();
        Event::Problem(Problem::Tag(&self.text[start..self.at]))
    }

    #[inline(always)]
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
                        return Some(Event::Problem(Problem::Unopened(byte)));
                    }
                    self.depth -= 1;
                    return Some(Event::VariationEnd);
                }
                Class::CloseBrace => {
                    self.event_at = self.at;
                    self.at += 1;
                    return Some(Event::Problem(Problem::Unopened(byte)));
                }
                Class::OpenBracket if self.is_line_start(self.at) => {
                    // The tags of the next game: this one has no result.
                    self.event_at = self.at;
                    return Some(self.end(None));
                }
                Class::Star => {
                    self.event_at = self.at;
                    self.at += 1;
                    return Some(self.result(GameResult::Unknown));
                }
                Class::OpenBracket | Class::Other => {
                    self.event_at = self.at;
                    return Some(self.word());
                }
            }
        }
    }

    /// A move that was scanned, or else a word.
    #[inline(always)]
    fn san(&mut self, scanned: Option<(san::San, usize)>) -> Event<'a> {
        self.event_at = self.at;
        let Some((san, length)) = scanned else {
            return self.word();
        };
        let text = &self.text[self.at..self.at + length];
        self.at += length;
        // Nearly always a single space follows.
        self.at += (self.byte(self.at) == b' ') as usize;
        Event::Move(San { san, text })
    }

    /// A result in a variation is an opinion, not the end of the game.
    fn result(&mut self, result: GameResult) -> Event<'a> {
        if self.depth > 0 && !self.game_ends_here() {
            return Event::Comment(result.as_str().as_bytes());
        }
        self.end(Some(result))
    }

    /// Whether nothing but white space comes before the next game or the end.
    fn game_ends_here(&self) -> bool {
        let rest = &self.text[self.at..];
        let blank = rest.iter().take_while(|&&byte| byte <= b' ').count();
        rest.len() == blank || rest[blank..].starts_with(EVENT)
    }

    /// Move numbers are skipped; results and castling with zeros are not.
    #[inline(always)]
    fn digit(&mut self, byte: u8) -> Option<Event<'a>> {
        let mut end = self.at + 1;
        while self.byte(end).is_ascii_digit() {
            end += 1;
        }
        if matches!(self.byte(end), b'-' | b'/') || (byte == b'0' && self.byte(end) != b'.') {
            return self.result_or_castle();
        }
        let next = self.byte(end);
        if next == b'.' || ends_word(next) || CLASS[next as usize] != Class::Other {
            while self.byte(end) == b'.' {
                end += 1;
            }
            self.at = end + (self.byte(end) == b' ') as usize;
            return None;
        }
        self.event_at = self.at;
        Some(self.word())
    }

    #[cold]
    #[inline(never)]
    fn result_or_castle(&mut self) -> Option<Event<'a>> {
        self.event_at = self.at;
        let rest = &self.text[self.at..];
        let results: [(&[u8], GameResult); 6] = [
            (b"1/2-1/2", GameResult::Draw),
            (b"0.5-0.5", GameResult::Draw),
            (b"1/2", GameResult::Draw),
            (b"1-0", GameResult::WhiteWins),
            (b"0-1", GameResult::BlackWins),
            (b"1:0", GameResult::WhiteWins),
        ];
        for (text, result) in results {
            if rest.starts_with(text) && ends_word(self.byte(self.at + text.len())) {
                self.at += text.len();
                return Some(self.result(result));
            }
        }
        if rest.iter().all(u8::is_ascii_digit) || ends_word(self.byte(self.at + 1)) {
            self.at += 1;
            return None;
        }
        Some(self.word())
    }

    #[inline(always)]
    fn brace_comment(&mut self) -> Event<'a> {
        self.event_at = self.at;
        let rest = &self.text[self.at + 1..];
        let mut end = 0;
        // One search for both the end and the line breaks, behind which a comment that was never closed shows.
        while let Some(found) = memchr3(b'}', b'\n', b'\r', &rest[end..]) {
            end += found;
            if rest[end] == b'}' {
                self.at += end + 2;
                self.at += (self.byte(self.at) == b' ') as usize;
                return Event::Comment(&rest[..end]);
            }
            end += 1;
            if rest[end..].starts_with(EVENT) {
                return self.unclosed_comment(end);
            }
        }
        self.unclosed_comment(rest.len())
    }

    /// A comment that would swallow the next game ends before it; one that is never closed ends with the text.
    #[cold]
    #[inline(never)]
    fn unclosed_comment(&mut self, length: usize) -> Event<'a> {
        self.at += 1 + length;
        self.depth = 0;
        Event::Problem(Problem::UnclosedComment)
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
            _ => Event::Problem(Problem::Word(&self.text[self.event_at..self.at])),
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

    /// Anything that is not written by the standard: other spellings of moves, null moves, and what is none of these.
    #[cold]
    #[inline(never)]
    fn word(&mut self) -> Event<'a> {
        let start = self.at;
        let rest = &self.text[start..];
        let mut end = rest.iter().take_while(|&&byte| !ends_word(byte)).count();
        // `bxa8(Q)` and `bxa8 =Q` go on behind what ends other words.
        let tail = &rest[end..];
        for form in [
            &b"(Q)"[..],
            b"(R)",
            b"(B)",
            b"(N)",
            b"(=Q)",
            b"(=R)",
            b"(=B)",
            b"(=N)",
        ] {
            if tail.starts_with(form) {
                end += form.len();
            }
        }
        end = end.max(1);
        self.at = start + end;
        let word = &rest[..end];
        match std::str::from_utf8(word)
            .ok()
            .map(|text| san::San::read(text, san::Dialect::Import))
        {
            Some(Ok(san::San::NULL)) => Event::NullMove,
            Some(Ok(san)) => Event::Move(San { san, text: word }),
            _ if word
                .iter()
                .all(|&byte| matches!(byte, b'+' | b'-' | b'=' | b'/')) =>
            {
                // Opinions like `+-` and `=`.
                Event::Comment(word)
            }
            _ if word == "…".as_bytes() => Event::Comment(b""),
            _ => Event::Problem(Problem::Word(word)),
        }
    }

    /// Goes to the end of the game, of which the next event is then the end.
    pub fn skip_game(&mut self) {
        while self.state != State::Outside {
            let before = self.clone();
            if let Some(Event::End(_)) | None = self.next() {
                *self = before;
                return;
            }
        }
    }
}

/// The line and the column (in characters), both from 1, of a place in a text.
pub(crate) fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let feeds = memchr::memchr_iter(b'\n', before).count();
    let returns = memchr::memchr_iter(b'\r', before)
        .filter(|&at| text.get(at + 1) != Some(&b'\n'))
        .count();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    // Bytes that continue a character do not count.
    let column = before[start..]
        .iter()
        .filter(|&&byte| byte & 0xc0 != 0x80)
        .count();
    (feeds + returns + 1, column + 1)
}
