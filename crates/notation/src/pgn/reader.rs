//! A pull parser over bytes.

use memchr::{memchr2, memchr3, memrchr2};

use super::event::{Event, GameResult, Problem, San};
use crate::san;
use crate::scan::{ONES, below, scan, scan_castle};

/// Where the reader is in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Between games.
    Outside,
    Tags,
    /// Among tags of which one is `Event`.
    EventTags,
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
    /// Whether the end of the text came before the end of a tag.
    pub(super) ran_out: bool,
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

/// The byte order mark, with which some programs begin a file. Files are often put together.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The dots behind a move number as one character.
const ELLIPSIS: &[u8] = "…".as_bytes();

/// Whether a place is at the start of a line.
#[inline(always)]
fn is_line_start(text: &[u8], at: usize) -> bool {
    at == 0 || matches!(text[at - 1], b'\n' | b'\r') || text[..at].ends_with(MARK)
}

/// Whether a game starts here for sure: at a line that starts with `[Event `, unless the line above ends like a tag.
/// Tags may stand in any order.
pub(super) fn starts_game(text: &[u8], at: usize) -> bool {
    let above = &text[..at];
    let above = above.strip_suffix(b"\n").unwrap_or(above);
    let above = above.strip_suffix(b"\r").unwrap_or(above);
    let last = above.iter().rfind(|&&byte| !matches!(byte, b' ' | b'\t'));
    // Either the text or a line starts here.
    let is_line = above.is_empty() || above.len() < at;
    text[at..].starts_with(EVENT) && is_line && last != Some(&b']')
}

impl<'a> Reader<'a> {
    /// Reads these bytes, which start with a game. Byte order marks before a game are skipped.
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

    /// All that is read.
    pub(super) const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The line and the column (in characters), both from 1, of a place in the text.
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

    /// The next event; nothing at the end of the text.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Option<Event<'a>> {
        if self.state == State::Moves
            && let Some(event) = self.usual()
        {
            return Some(event);
        }
        // On a copy, since what a function is called on has to be in memory: `usual` has it all in registers.
        let mut reader = self.clone();
        let event = reader.any();
        *self = reader;
        event
    }

    /// The next event among the moves if it is one of those that nearly all are. What comes before it is skipped in any
    /// case.
    ///
    /// Nothing in here is not in [`any`](Self::any) too. Where something is likely, like a space behind a move, there is
    /// a branch, so that the processor goes on there before it is seen; where it is not, there is none.
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
                    return Some(Event::Move(San { san, text }));
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

    /// The next event, whatever it is.
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

    /// The next tag, or nothing where the moves begin or the text ends.
    fn next_in_tags(&mut self) -> Option<Event<'a>> {
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                return self.end_of_text();
            };
            match CLASS[byte as usize] {
                Class::Space | Class::NewLine => self.at += 1,
                Class::OpenBracket => {
                    self.event_at = self.at;
                    if self.text[self.at..].starts_with(EVENT) && self.next_game_starts() {
                        return Some(self.end(None));
                    }
                    return Some(self.tag());
                }
                Class::Other if byte == b'%' && is_line_start(self.text, self.at) => {
                    self.skip_line();
                }
                Class::Other if self.skip(MARK) => {}
                Class::Semicolon | Class::OpenBrace if self.skip_comments_between_games() => {}
                _ => {
                    self.state = State::Moves;
                    return None;
                }
            }
        }
    }

    /// Whether an `Event` belongs to the next game already, though there was nothing but tags in this one.
    #[cold]
    fn next_game_starts(&self) -> bool {
        matches!(self.state, State::Tags | State::EventTags) && starts_game(self.text, self.at)
    }

    /// Skips this text if it comes next.
    fn skip(&mut self, wanted: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    /// Skips comments before the tags of a game and behind the last game: they belong to none.
    #[cold]
    fn skip_comments_between_games(&mut self) -> bool {
        if self.state != State::Outside {
            return false;
        }
        let mut ahead = self.clone();
        while let Some(&byte) = self.text.get(ahead.at) {
            match CLASS[byte as usize] {
                Class::Space | Class::NewLine => ahead.at += 1,
                Class::Semicolon => ahead.skip_line(),
                Class::OpenBrace if matches!(ahead.brace_comment(), Event::Comment(_)) => {}
                Class::Other if byte == b'%' && is_line_start(self.text, ahead.at) => {
                    ahead.skip_line();
                }
                Class::Other if ahead.skip(MARK) => {}
                Class::OpenBracket => break,
                _ => return false,
            }
        }
        self.at = ahead.at;
        true
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
            // At the end, the name may go on.
            self.ran_out |= name_at + name.len() == rest.len();
            // No game has two: this one is the next game's.
            if self.state == State::EventTags {
                return self.end(None);
            }
            self.state = State::EventTags;
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
            _ => match self.end_of_value(rest, plain) {
                Some(end) => end,
                None => return self.bad_tag(start),
            },
        };
        let value = &rest[value_at..end];
        let mut close = end + 1;
        while matches!(rest.get(close), Some(b' ' | b'\t')) {
            close += 1;
        }
        match rest.get(close) {
            Some(b']') => close += 1,
            None | Some(b'[' | b'\n' | b'\r') => {}
            // As behind a quotation mark inside the value that is not escaped.
            Some(_) => return self.bad_tag(start),
        }
        self.at = start + 1 + close;
        Event::Tag { name, value }
    }

    /// The end of a value with quotation marks or line breaks in it, if it has one.
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
                    // It may go on in the next line, but not behind an empty one or into the next tag.
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

    /// A line that starts like a tag and is none.
    #[cold]
    fn bad_tag(&mut self, start: usize) -> Event<'a> {
        self.skip_line();
        Event::Problem(Problem::Tag(&self.text[start..self.at]))
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

    /// What is rare among moves.
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

    /// A move that was scanned, or else a word.
    fn san(&mut self, scanned: Option<(san::San, usize)>) -> Event<'a> {
        self.event_at = self.at;
        let Some((san, length)) = scanned else {
            return self.word();
        };
        let text = &self.text[self.at..self.at + length];
        self.at += length;
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
        let blank = self.text[self.at..]
            .iter()
            .take_while(|&&byte| byte <= b' ');
        let next = self.at + blank.count();
        match self.text.get(next) {
            None => true,
            Some(&byte) => byte == b'[' && is_line_start(self.text, next),
        }
    }

    /// Move numbers are skipped; results and castling with zeros are not.
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

    /// Skips a move number, of which the digits end here, and its dots.
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
        // One search for both the end and the line breaks, behind which a comment that was never closed shows.
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
        let rest = &self.text[self.at..];
        let end = rest.iter().take_while(|&&byte| !ends_word(byte)).count();
        let (word, read) = read_word(&rest[..end.max(1)]);
        let (word, read) = match read {
            // `bxa8(Q)` and `bxa8 =Q` go on behind what ends other words.
            Some(san) if san.lacks_promotion() => {
                let (longer, promoted) = read_word(&rest[..end + promotion_length(&rest[end..])]);
                if promoted.is_some() {
                    (longer, promoted)
                } else {
                    (word, read)
                }
            }
            _ => (word, read),
        };
        self.at += word.len();
        match read {
            Some(san::San::NULL) => Event::NullMove,
            Some(san) => Event::Move(San { san, text: word }),
            None => match word {
                b"e.p." | b"e.p" | b"ep" => Event::Comment(word),
                // Opinions like `+-` and `=`.
                _ if word.iter().all(|byte| b"+-=/".contains(byte)) => Event::Comment(word),
                _ => Event::Problem(Problem::Word(word)),
            },
        }
    }

    /// Goes to the end of the game, of which the next event is then the end.
    #[inline(always)]
    pub fn skip_game(&mut self) {
        // On a copy, as in `next`.
        let mut reader = self.clone();
        reader.go_to_end_of_game();
        *self = reader;
    }

    fn go_to_end_of_game(&mut self) {
        while self.state != State::Outside {
            // What is usual is not the end.
            while self.state == State::Moves && self.usual().is_some() {}
            let before = self.clone();
            if let Some(Event::End(_)) | None = self.any() {
                *self = before;
                return;
            }
        }
    }
}

/// The length of a comment that is closed soon, in the same line.
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

/// The name and the value of a tag that is written by the standard, behind its `[`. `Event` is not among them.
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

/// The length of a text up to the first quotation mark, backslash or control character.
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

/// A word, and the move that it is in any spelling.
fn read_word(word: &[u8]) -> (&[u8], Option<san::San>) {
    let text = std::str::from_utf8(word).ok();
    let read = text.and_then(|text| san::San::read(text, san::Dialect::Import).ok());
    (word, read)
}

/// The length of a promotion that stands apart from its move, as in `bxa8(Q)` or `bxa8 =Q+`, or 0.
fn promotion_length(text: &[u8]) -> usize {
    let blank = text.iter().take_while(|&&byte| byte == b' ').count();
    let open = (text.get(blank) == Some(&b'(')) as usize;
    let sign = matches!(text.get(blank + open), Some(b'=' | b'/')) as usize;
    let role = blank + open + sign;
    let mut end = role + 1 + open;
    let is_promotion = matches!(text.get(role), Some(b'Q' | b'R' | b'B' | b'N'))
        && (open == 0 || text.get(role + 1) == Some(&b')'));
    while matches!(text.get(end), Some(b'+' | b'#')) {
        end += 1;
    }
    let ends = text.get(end).is_none_or(|&byte| ends_word(byte));
    if is_promotion && ends { end } else { 0 }
}

/// The line and the column (in characters), both from 1, of a place in a text.
pub(crate) fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let start = memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let line = &before[start..];
    let line = line.strip_prefix(MARK).unwrap_or(line);
    // What is not UTF-8 is Latin-1, in which every byte is a character.
    let column = std::str::from_utf8(line).map_or(line.len(), |line| line.chars().count());
    // A line break of two bytes counts when it is complete.
    let half = (before.ends_with(b"\r") && text.get(before.len()) == Some(&b'\n')) as usize;
    (line_breaks(before) - half + 1, column + 1)
}

/// The number of line breaks: `\n`, `\r` or both.
pub(super) fn line_breaks(text: &[u8]) -> usize {
    let feeds = memchr::memchr_iter(b'\n', text).count();
    let returns = memchr::memchr_iter(b'\r', text)
        .filter(|&at| text.get(at + 1) != Some(&b'\n'))
        .count();
    feeds + returns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All events with their places, with or without the way for what is usual.
    fn events(text: &[u8], with_usual: bool) -> Vec<(usize, Event<'_>)> {
        let mut reader = Reader::new(text);
        let mut events = Vec::new();
        while let Some(event) = if with_usual {
            reader.next()
        } else {
            reader.any()
        } {
            events.push((reader.event_offset(), event));
        }
        events
    }

    /// Pieces of games, whole and broken.
    const PIECES: [&str; 42] = [
        "1.",
        "12...",
        "7",
        "0",
        "1-0",
        "0-1",
        "1/2-1/2",
        "*",
        "e4",
        "exd5",
        "Nf3",
        "Nbd2+",
        "R1xa3#",
        "e8",
        "e8=Q",
        "bxa8=N+",
        "=Q",
        "(Q)",
        "O-O",
        "O-O-O+",
        "0-0",
        "--",
        "{ [%clk 0:05:00] }",
        "{",
        "}",
        "{a\nb}",
        "(",
        ")",
        ";",
        "%",
        "$1",
        "!",
        "?!",
        "\n",
        "\r\n",
        " ",
        "\0",
        "…",
        "[Event \"x\"]\n",
        "[White \"a\\\"b\"]\n",
        "[FEN",
        "]",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_usual_way_leads_to_the_same_events(
            pieces in prop::collection::vec((prop::sample::select(&PIECES[..]), 0..3_usize), 0..60),
        ) {
            let text: String = pieces
                .into_iter()
                .flat_map(|(piece, spaces)| [piece, &"  "[..spaces.min(2)]])
                .collect();
            prop_assert_eq!(events(text.as_bytes(), true), events(text.as_bytes(), false));
        }
    }
}
