//! What each byte of movetext can start.

/// What a byte can start in movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ByteClass {
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

pub(super) static CLASS: [ByteClass; 256] = {
    let mut table = [ByteClass::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\n' | b'\r' => ByteClass::NewLine,
            0..=b' ' | 0x7f => ByteClass::Space,
            b'a'..=b'h' => ByteClass::File,
            b'N' | b'B' | b'R' | b'Q' | b'K' => ByteClass::Piece,
            b'0'..=b'9' => ByteClass::Digit,
            b'O' => ByteClass::Castle,
            b'.' => ByteClass::Dot,
            b'{' => ByteClass::OpenBrace,
            b'}' => ByteClass::CloseBrace,
            b'(' => ByteClass::OpenParen,
            b')' => ByteClass::CloseParen,
            b'[' => ByteClass::OpenBracket,
            b';' => ByteClass::Semicolon,
            b'$' => ByteClass::Dollar,
            b'!' | b'?' => ByteClass::Exclamation,
            b'*' => ByteClass::Star,
            _ => ByteClass::Other,
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
        ByteClass::Space
            | ByteClass::NewLine
            | ByteClass::OpenBrace
            | ByteClass::CloseBrace
            | ByteClass::OpenParen
            | ByteClass::CloseParen
            | ByteClass::Semicolon
            | ByteClass::Dollar
            | ByteClass::Exclamation
            | ByteClass::Star
    )
}
