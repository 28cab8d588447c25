//! Splitting a line of notation into its parts.

use tabiya_board::Color;
use thiserror::Error;

/// A line of notation, such as `8. Nd4 Rd3` or `44. Qf1 1-0`.
///
/// The moves are text: parsing a line does not check them.
///
/// ```
/// use tabiya_board::Color;
/// use tabiya_chessmoves_core::NotationLine;
///
/// let line = NotationLine::parse("44. Qf1 1-0").unwrap();
/// assert_eq!(line.moves(), [Some("Qf1"), None]);
/// assert_eq!((line.first_to_move, line.result), (Some(Color::White), Some("1-0")));
/// assert_eq!(NotationLine::parse("7... Nf6").unwrap().first_to_move, Some(Color::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NotationLine<'a> {
    /// The side that makes the first move on the line: White after `8.`, Black after `8...`, unknown without a number.
    pub first_to_move: Option<Color>,
    /// The result as written.
    pub result: Option<&'a str>,
    moves: [Option<&'a str>; 2],
}

/// Why a line cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LineError<'a> {
    /// The line has too many words.
    #[error(
        "{} is one word too many: a line has a move by White, a move by Black and at the end the result",
        printable(word)
    )]
    TooManyWords {
        /// The first extra word.
        word: &'a str,
    },
    /// The line has a move number and no move.
    #[error("there is no move after the number")]
    NoMove,
}

/// Makes a word safe to print: escapes control characters and cuts it to a reasonable length.
pub(crate) fn printable(word: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut text: String = word
        .chars()
        .take(MAX_CHARS)
        .flat_map(char::escape_debug)
        .collect();
    if word.chars().nth(MAX_CHARS).is_some() {
        text.push_str("...");
    }
    text
}

/// Every accepted spelling of a result.
const RESULTS: [&str; 6] = ["1-0", "0-1", "0.5-0.5", "1/2-1/2", "½-½", "*"];

impl<'a> NotationLine<'a> {
    /// Splits a line into its parts. A blank line parses as an empty one.
    pub fn parse(line: &'a str) -> Result<Self, LineError<'a>> {
        let mut read = Self::default();
        let mut rest = line.trim();
        if !starts_with_result(rest) {
            (read.first_to_move, rest) = read_number(rest);
        }
        let is_numbered = read.first_to_move.is_some();
        if is_numbered && rest.is_empty() {
            return Err(LineError::NoMove);
        }
        let most = if read.first_to_move == Some(Color::Black) {
            1
        } else {
            2
        };
        let mut count = 0;
        while !rest.is_empty() {
            let word;
            (word, rest) = next_word(rest);
            if read.result.is_some() {
                return Err(LineError::TooManyWords { word });
            } else if RESULTS.contains(&word) {
                read.result = Some(word);
            } else if count == most {
                return Err(LineError::TooManyWords { word });
            } else {
                read.moves[count] = Some(word);
                count += 1;
            }
        }
        Ok(read)
    }

    /// Returns the moves in the order they are written.
    pub const fn moves(&self) -> [Option<&'a str>; 2] {
        self.moves
    }

    /// Returns whether the line is blank.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn starts_with_result(text: &str) -> bool {
    RESULTS.contains(&text.split_whitespace().next().unwrap_or_default())
}

/// Reads a move number (`8.`, `8...`, `8. ...` or just `8`). Returns the side it gives the move to, and the rest.
fn read_number(text: &str) -> (Option<Color>, &str) {
    let after = text.trim_start_matches(|next: char| next.is_ascii_digit());
    let has_digits = after.len() < text.len();
    let rest =
        after.trim_start_matches(|next: char| matches!(next, '.' | '…') || next.is_whitespace());
    let between = &after[..after.len() - rest.len()];
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

/// Splits off the first word. A separate `e.p.` after a capture counts as part of it.
fn next_word(text: &str) -> (&str, &str) {
    let end = |from: usize| {
        let length = text[from..].find(char::is_whitespace);
        length.map_or(text.len(), |length| from + length)
    };
    let first = end(0);
    let after = text[first..].trim_start();
    let second = end(text.len() - after.len());
    let is_mark = matches!(
        &after[..after.len() - (text.len() - second)],
        "e.p." | "e.p" | "ep"
    );
    let word = if is_mark { second } else { first };
    (&text[..word], text[word..].trim_start())
}
