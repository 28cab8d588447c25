//! The fast path for moves in standard form: arithmetic instead of branches.

use tabiya_board::{CastlingSide, Role};

use crate::san::San;

/// A word with all bytes 1.
pub(crate) const ONES: u64 = u64::MAX / 0xff;
/// A word with the highest bit of every byte.
pub(crate) const HIGH_BITS: u64 = ONES * 0x80;

/// Marks the bytes of a word that are below a limit by their highest bit. Only the first mark is reliable: the borrow
/// may mark bytes above it.
#[inline(always)]
pub(crate) const fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * limit as u64) & !word & HIGH_BITS
}

/// What the byte right before the target says about the origin, as the bits of a [`San`] without target, with the kind
/// of the byte above them.
static LAST: [u32; 256] = {
    let mut table = [INVALID; 256];
    table[0] = San::packed(0, ABSENT, ABSENT).bits();
    let mut i = 0;
    while i < 8 {
        table[b'a' as usize + i] = FILE | San::packed(0, i as u32, ABSENT).bits();
        table[b'1' as usize + i] = RANK | San::packed(0, ABSENT, i as u32).bits();
        i += 1;
    }
    let mut role = 1;
    while role < 6 {
        let letter = Role::ALL[role].upper_char() as usize;
        table[letter] = PIECE | San::packed(role as u32, ABSENT, ABSENT).bits();
        role += 1;
    }
    table
};

/// The same for the byte one further left, which can only be a piece.
static LAST_BUT_ONE: [u32; 256] = {
    let mut table = [INVALID; 256];
    table[0] = 0;
    let mut role = 1;
    while role < 6 {
        let letter = Role::ALL[role].upper_char() as usize;
        table[letter] = PIECE_FIRST | San::packed(role as u32, 0, 0).bits();
        role += 1;
    }
    table
};

/// The value of a file or rank that is not given.
const ABSENT: u32 = 8;

/// The kinds of the last byte (0 is nothing), whether there is a piece before it, and what is not a move.
const PIECE: u32 = 1 << KIND;
const FILE: u32 = 2 << KIND;
const RANK: u32 = 3 << KIND;
const PIECE_FIRST: u32 = 4 << KIND;
const INVALID: u32 = 8 << KIND;
const KIND: u32 = 24;

/// Sets of the kinds that make a move, together with a capture (16) and a target on the first or last rank (32): one
/// set for moves without promotion, one for promotions.
const PLAIN: u64 = kinds(false);
const PROMOTING: u64 = kinds(true);

const fn kinds(promoting: bool) -> u64 {
    let mut set = 0;
    let mut kinds = 0;
    while kinds < 64 {
        let capture = kinds & 16 != 0;
        let at_end = kinds & 32 != 0;
        let is_move = match (kinds & 15) << KIND {
            // A pawn gives its file if and only if it captures. A missing promotion may be a separate word: the general
            // reader looks for it.
            0 => !capture && (promoting || !at_end),
            FILE => capture && (promoting || !at_end),
            PIECE => !promoting,
            kind => (kind == PIECE_FIRST | FILE || kind == PIECE_FIRST | RANK) && !promoting,
        };
        set |= (is_move as u64) << kinds;
        kinds += 1;
    }
    set
}

/// Reads a move in standard form, followed by white space or `!`, and returns its length. Everything else is left to
/// the general reader.
///
/// The kind of the next move is not predictable, so there are hardly any branches: the next eight bytes are one number,
/// in which the end is found by arithmetic, and the parts are taken off from the end.
#[inline(always)]
pub(crate) fn scan(text: &[u8]) -> Option<(San, usize)> {
    let word = match text.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => short_word(text),
    };
    // The first byte below a quotation mark: white space or an exclamation mark.
    let end = below(word, b'"').trailing_zeros();
    let length = (end / 8) as usize;
    if length.wrapping_sub(1) >= 7 {
        return None;
    }
    // Only the move: its last byte at the top, zeros below its first.
    let mut rest = word << (71_u32.wrapping_sub(end) & 63);
    let has_sign = top(rest) >> 24 & !(b'+' ^ b'#') as u32 == b'#' as u32;
    rest <<= 8 * has_sign as u32;
    let san = if top(rest) >> 16 & 0xff == b'=' as u32 {
        promotion(rest)?
    } else {
        finish(rest, PLAIN)?
    };
    Some((san, length))
}

/// Returns the last four bytes of the rest of a move.
#[inline(always)]
const fn top(rest: u64) -> u32 {
    (rest >> 32) as u32
}

/// Reads a move from its end, where the target is.
#[inline(always)]
fn finish(mut rest: u64, kinds: u64) -> Option<San> {
    let target = (top(rest) >> 16).wrapping_sub(u16::from_le_bytes(*b"a1") as u32);
    let to = (target >> 5 | target) & 63;
    let capture = (top(rest) >> 8 & 0xff == b'x' as u32) as u32;
    rest <<= 16 + 8 * capture;
    let from = LAST[(rest >> 56) as usize] | LAST_BUT_ONE[(rest >> 48) as usize & 0xff];
    let at_end = ((to + 8 & 63) < 16) as u32;
    let kind = from >> KIND | capture << 4 | at_end << 5;
    let is_square = target & !0x0707 == 0;
    // Nothing comes before the piece.
    let is_all = rest << 16 == 0;
    (kinds >> kind & 1 != 0 && is_square && is_all).then_some(San::scanned(from, to, capture))
}

/// Reads a move that ends with `=` and a letter.
#[cold]
#[inline(never)]
fn promotion(rest: u64) -> Option<San> {
    let letter = (rest >> 56) as u8 as char;
    let role = Role::PROMOTIONS
        .into_iter()
        .find(|role| role.upper_char() == letter)?;
    Some(finish(rest << 16, PROMOTING)?.promoting(role))
}

/// Returns fewer than eight bytes as a word, with line breaks after them.
#[inline(always)]
fn short_word(text: &[u8]) -> u64 {
    let length = text.len();
    // Two overlapping halves are faster than a loop or a call to copy a few bytes.
    let word = if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>())
    {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        u64::from(first) | u64::from(last) << ((length - 4) * 8 & 63)
    } else if let (Some(first), Some(last)) = (text.first_chunk::<2>(), text.last_chunk::<2>()) {
        let (first, last) = (u16::from_le_bytes(*first), u16::from_le_bytes(*last));
        u64::from(first) | u64::from(last) << ((length - 2) * 8 & 63)
    } else {
        text.first().map_or(0, |&byte| u64::from(byte))
    };
    word | (ONES * b'\n' as u64) << (length * 8 & 63)
}

/// Reads `O-O` or `O-O-O` in the same way.
#[inline(always)]
pub(crate) fn scan_castle(text: &[u8]) -> Option<(San, usize)> {
    let (wing, mut length) = if text.starts_with(b"O-O-O") {
        (CastlingSide::QueenSide, 5)
    } else if text.starts_with(b"O-O") {
        (CastlingSide::KingSide, 3)
    } else {
        return None;
    };
    if matches!(text.get(length), Some(b'+' | b'#')) {
        length += 1;
    }
    let ends = text.get(length).is_none_or(|&byte| byte < b'"');
    ends.then_some((San::castle(wing), length))
}
