//! Words that are not in standard form.

use super::Reader;
use super::class::ends_word;
use crate::pgn::event::{Event, SanToken, SyntaxError};
use crate::san;

impl<'a> Reader<'a> {
    /// Reads a word: another spelling of a move, a null move, or an error.
    #[cold]
    #[inline(never)]
    pub(super) fn word(&mut self) -> Event<'a> {
        let rest = &self.text[self.at..];
        let end = rest.iter().take_while(|&&byte| !ends_word(byte)).count();
        let (word, read) = read_word(&rest[..end.max(1)]);
        let (word, read) = match read {
            // `bxa8(Q)` and `bxa8 =Q` contain characters that end other words.
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
                // Assessments such as `+-` and `=`.
                _ if word.iter().all(|byte| b"+-=/".contains(byte)) => Event::Comment(word),
                _ => Event::Error(SyntaxError::Word(word)),
            },
        }
    }
}

/// Returns a word, and the move it spells in any way.
fn read_word(word: &[u8]) -> (&[u8], Option<san::San>) {
    let text = std::str::from_utf8(word).ok();
    let read = text.and_then(|text| san::San::parse(text, san::Dialect::Import).ok());
    (word, read)
}

/// Returns the length of a promotion that is separate from its move, as in `bxa8(Q)` or `bxa8 =Q+`, or 0.
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
