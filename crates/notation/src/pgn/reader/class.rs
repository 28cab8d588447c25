//! What each byte of movetext can start.

/// What a byte can start in movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
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

pub(super) static CLASS: [Class; 256] = {
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
pub(super) fn ends_word(byte: u8) -> bool {
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
