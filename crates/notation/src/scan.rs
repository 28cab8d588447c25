//! Reading moves as the standard writes them, at the speed of arithmetic.

use tabiya_board::{Role, Wing};

use crate::san::San;

/// The number with all bytes 1.
pub(crate) const ONES: u64 = u64::MAX / 0xff;
/// The number with the highest bit of every byte.
const HIGH_BITS: u64 = ONES * 0x80;

/// Marks the bytes of a word that are below a limit by their highest bit. Up to the first of them, that is: behind it
/// the borrow may mark others.
#[inline(always)]
pub(crate) const fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * limit as u64) & !word & HIGH_BITS
}

/// The number of a role by its letter, 0 for a file: a pawn; anything else starts no move.
static ROLE: [u8; 256] = {
    let mut table = [NO_ROLE; 256];
    let mut role = 1;
    while role < 6 {
        table[Role::ALL[role].upper_char() as usize] = role as u8;
        role += 1;
    }
    let mut file = 0;
    while file < 8 {
        table[b'a' as usize + file] = 0;
        file += 1;
    }
    table
};

const NO_ROLE: u8 = 0xff;
/// The number that stands for a file, rank or promotion that is not written.
const ABSENT: u32 = 8;

/// Reads a move as the standard writes it, with white space or an `!` behind it, and its length. Everything else is
/// left to the general reader.
///
/// What kind of move comes next cannot be foretold, so there is hardly a branch in it: the eight bytes from here are one
/// number, in which the end is found by arithmetic and the parts by their distance from it.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool)]
pub(crate) fn scan(text: &[u8]) -> Option<(San, usize)> {
    let word = match text.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => short_word(text),
    };
    // The first byte below a quotation mark: white space or an exclamation mark.
    let length = (below(word, b'"').trailing_zeros() / 8) as usize;
    // What stands before the end, the last byte at the top.
    let before = |end: usize| word << (64_usize.wrapping_sub(8 * end) & 63);
    let mut end = length;
    let mut tail = before(end);
    if matches!((tail >> 56) as u8, b'+' | b'#') {
        end = end.wrapping_sub(1);
        tail <<= 8;
    }
    let role = ROLE[(word & 0xff) as usize] as u32;
    let mut promotion = ABSENT;
    if (tail >> 48) as u8 == b'=' {
        promotion = ROLE[(tail >> 56) as usize] as u32;
        if role != 0 || !(1..=4).contains(&promotion) {
            return None;
        }
        end = end.wrapping_sub(2);
        tail <<= 16;
    }
    let rank = ((tail >> 56) as u32).wrapping_sub(b'1' as u32);
    let file = ((tail >> 48) as u32 & 0xff).wrapping_sub(b'a' as u32);
    let capture = ((tail >> 40) as u8 == b'x') as u32;
    let is_piece = (role != 0) as u32;
    // What is left between the piece and the target says where it comes from: nothing, or a file or a rank.
    let hints = (end as u32).wrapping_sub(2 + capture + is_piece);
    let hint = (word >> (8 * is_piece)) as u32 & 0xff;
    let hint_file = hint.wrapping_sub(b'a' as u32).min(ABSENT);
    let hint_rank = hint.wrapping_sub(b'1' as u32).min(ABSENT);
    let (from_file, from_rank) = if hints == 1 {
        (hint_file, hint_rank)
    } else {
        (ABSENT, ABSENT)
    };
    let is_move = (role != NO_ROLE as u32)
        & ((file | rank) < 8)
        & ((hints == 0) | (hints == 1) & (from_file != from_rank))
        // A pawn tells its file when it captures, and only then.
        & ((is_piece == 1) | (hints == capture) & (from_rank == ABSENT))
        & (length < 8);
    if !is_move {
        return None;
    }
    let to = rank << 3 | file;
    Some((
        San::packed(role, from_file, from_rank, to, promotion, capture),
        length,
    ))
}

/// Fewer than eight bytes as a number, with line breaks behind them.
#[inline(always)]
fn short_word(text: &[u8]) -> u64 {
    let length = text.len();
    // Two halves that overlap, instead of a loop or a call that copies so few bytes.
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

/// The same for `O-O` and `O-O-O`.
#[inline(always)]
pub(crate) fn scan_castle(text: &[u8]) -> Option<(San, usize)> {
    let (wing, mut length) = if text.starts_with(b"O-O-O") {
        (Wing::Queen, 5)
    } else if text.starts_with(b"O-O") {
        (Wing::King, 3)
    } else {
        return None;
    };
    if matches!(text.get(length), Some(b'+' | b'#')) {
        length += 1;
    }
    let ends = text.get(length).is_none_or(|&byte| byte < b'"');
    ends.then_some((San::castle(wing), length))
}
