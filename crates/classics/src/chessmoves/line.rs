//! Lines of notation, taken apart.

use tabiya_board::Color;
use thiserror::Error;

/// A line of notation: `8. Nd4 Rd3`, `44. Qf1 1-0`.
///
/// The moves are words that nobody has looked at yet.
///
/// ```
/// use tabiya_board::Color;
/// use tabiya_classics::chessmoves::Line;
///
/// let line = Line::read("44. Qf1 1-0").unwrap();
/// assert_eq!(line.moves(), [Some("Qf1"), None]);
/// assert_eq!((line.starts, line.result), (Some(Color::White), Some("1-0")));
/// assert_eq!(Line::read("7... Nf6").unwrap().starts, Some(Color::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Line<'a> {
    /// Whose move comes first: `8.` says White's and `8...` Black's, and no number says nothing.
    pub starts: Option<Color>,
    /// The result, as it is written.
    pub result: Option<&'a str>,
    moves: [Option<&'a str>; 2],
}

/// Why a line cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LineError<'a> {
    /// A word more than there can be.
    #[error(
        "{} is one word too many: a line has a move by White, a move by Black and at the end the result",
        shown(word)
    )]
    TooMuch {
        /// The first that is too many.
        word: &'a str,
    },
    /// A number, and nothing behind it.
    #[error("there is no move behind the number")]
    OnlyNumber,
}

/// A word to be shown to people: nothing in it moves the cursor, and it is not too long.
pub(super) fn shown(word: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = word
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if word.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// The ways to write the result.
const RESULTS: [&str; 6] = ["1-0", "0-1", "0.5-0.5", "1/2-1/2", "½-½", "*"];

impl<'a> Line<'a> {
    /// Takes a line apart. One without any words is empty.
    pub fn read(line: &'a str) -> Result<Self, LineError<'a>> {
        let mut read = Self::default();
        let mut rest = line.trim();
        if !starts_with_result(rest) {
            (read.starts, rest) = number(rest);
        }
        let is_numbered = read.starts.is_some();
        if is_numbered && rest.is_empty() {
            return Err(LineError::OnlyNumber);
        }
        let most = if read.starts == Some(Color::Black) {
            1
        } else {
            2
        };
        let mut count = 0;
        while !rest.is_empty() {
            let word;
            (word, rest) = next_word(rest);
            if read.result.is_some() {
                return Err(LineError::TooMuch { word });
            } else if RESULTS.contains(&word) {
                read.result = Some(word);
            } else if count == most {
                return Err(LineError::TooMuch { word });
            } else {
                read.moves[count] = Some(word);
                count += 1;
            }
        }
        Ok(read)
    }

    /// The moves in their order.
    pub const fn moves(&self) -> [Option<&'a str>; 2] {
        self.moves
    }

    /// Whether there is nothing on the line.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn starts_with_result(text: &str) -> bool {
    RESULTS.contains(&text.split_whitespace().next().unwrap_or_default())
}

/// Whose move comes first by the number before it, and what comes behind: `8.`, `8...`, `8. ...`, or a mere `8`.
fn number(text: &str) -> (Option<Color>, &str) {
    let behind = text.trim_start_matches(|next: char| next.is_ascii_digit());
    let has_digits = behind.len() < text.len();
    let rest =
        behind.trim_start_matches(|next: char| matches!(next, '.' | '…') || next.is_whitespace());
    let between = &behind[..behind.len() - rest.len()];
    let ends_in_dots = between.contains("..") || between.contains(". .") || between.contains('…');
    if ends_in_dots || (between.contains('.') && !has_digits) {
        return (Some(Color::Black), rest);
    }
    let is_number = has_digits && (rest.is_empty() || !between.is_empty());
    if is_number {
        (Some(Color::White), rest)
    } else {
        (None, text)
    }
}

/// The first word and what comes behind it. The `e.p.` after a capture belongs to it.
fn next_word(text: &str) -> (&str, &str) {
    let end = |from: usize| {
        let length = text[from..].find(char::is_whitespace);
        length.map_or(text.len(), |length| from + length)
    };
    let first = end(0);
    let behind = text[first..].trim_start();
    let second = end(text.len() - behind.len());
    let is_mark = matches!(
        &behind[..behind.len() - (text.len() - second)],
        "e.p." | "e.p" | "ep"
    );
    let word = if is_mark { second } else { first };
    (&text[..word], text[word..].trim_start())
}
