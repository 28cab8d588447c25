//! Words that are not written by the standard.

use super::Reader;
use super::class::ends_word;
use crate::pgn::event::{Event, SanToken, SyntaxError};
use crate::san;

impl<'a> Reader<'a> {
    /// Anything that is not written by the standard: other spellings of moves, null moves, and what is none of these.
    #[cold]
    #[inline(never)]
    pub(super) fn word(&mut self) -> Event<'a> {
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
            Some(san) => Event::Move(SanToken { san, text: word }),
            None => match word {
                b"e.p." | b"e.p" | b"ep" => Event::Comment(word),
                // Opinions like `+-` and `=`.
                _ if word.iter().all(|byte| b"+-=/".contains(byte)) => Event::Comment(word),
                _ => Event::Error(SyntaxError::Word(word)),
            },
        }
    }
}

/// A word, and the move that it is in any spelling.
fn read_word(word: &[u8]) -> (&[u8], Option<san::San>) {
    let text = std::str::from_utf8(word).ok();
    let read = text.and_then(|text| san::San::parse(text, san::Dialect::Import).ok());
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
