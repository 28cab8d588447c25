//! The text of tags and comments.

use std::borrow::Cow;

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

/// Replaces line breaks by spaces: in PGN they mean the same.
pub(super) fn in_one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}
