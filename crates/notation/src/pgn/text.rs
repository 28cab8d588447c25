//! The text of tags and comments.

use std::borrow::Cow;

use crate::result::{GameResult, ParseResultError};

/// Decodes bytes as UTF-8, or as Latin-1 if they are not UTF-8, as in older files.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| byte as char).collect()),
    }
}

/// Decodes the value of a tag, without the backslashes of escaped quotation marks.
pub fn decode_tag(value: &[u8]) -> Cow<'_, str> {
    let value = decode(value);
    if !value.contains('\\') {
        return value;
    }
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(escaped @ ('"' | '\\')) => plain.push(escaped),
                Some(other) => plain.extend(['\\', other]),
                None => plain.push('\\'),
            },
            _ => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// Returns the result that a `Result` tag gives; `None` if it says nothing. Anything else in it is an error.
///
/// ```
/// use tabiya_notation::GameResult;
/// use tabiya_notation::pgn::result_in_tag;
///
/// assert_eq!(result_in_tag("1/2"), Ok(Some(GameResult::Draw)));
/// assert_eq!(result_in_tag("*"), Ok(None));
/// assert!(result_in_tag("White won").is_err());
/// ```
pub fn result_in_tag(value: &str) -> Result<Option<GameResult>, ParseResultError> {
    let value = value.trim();
    match value {
        "1/2" | "½-½" | "½" => Ok(Some(GameResult::Draw)),
        _ if value.trim_matches(['?', '*']).is_empty() => Ok(None),
        _ => value.parse().map(Some),
    }
}

/// Replaces line breaks by spaces: in PGN they mean the same.
pub(super) fn in_one_line(text: &str) -> String {
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}
