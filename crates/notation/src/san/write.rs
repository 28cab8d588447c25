//! Writing SAN.

use std::fmt;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, CastlingSide, Move, Role, Square};

/// Whether a move is a capture.
#[inline]
pub(super) fn is_capture(position: &Position, mv: Move) -> bool {
    mv.is_en_passant()
        || (!mv.is_castling() && position.by_color(!position.turn()).contains(mv.to()))
}

/// A move in SAN, without an allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SanText {
    len: u8,
    /// The longest is `Qa1xb2#` or `axb8=Q#`: seven characters; `O-O-O+` has six.
    text: [u8; 7],
}

impl SanText {
    const EMPTY: Self = Self {
        len: 0,
        text: [0; 7],
    };

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.text[self.len as usize] = byte;
        self.len += 1;
    }

    #[inline(always)]
    fn square(&mut self, square: Square) {
        self.push(square.file().char() as u8);
        self.push(square.rank().char() as u8);
    }

    /// Returns the text.
    #[inline]
    pub fn as_str(&self) -> &str {
        // It is all ASCII.
        std::str::from_utf8(&self.text[..self.len as usize]).unwrap_or_default()
    }
}

impl std::ops::Deref for SanText {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Writes a legal move in the standard spelling.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_notation::write_san;
///
/// let board: Board = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2".parse().unwrap();
/// let mv = board.legal_move(Square::D8, Square::H4, None).unwrap();
/// assert_eq!(write_san(&board, mv).as_str(), "Qh4#");
/// ```
pub fn write_san(position: &Position, mv: Move) -> SanText {
    let mut san = SanText::EMPTY;
    let (from, to) = (mv.from(), mv.to());
    if let Some(wing) = mv.castling_side() {
        for &byte in match wing {
            CastlingSide::KingSide => &b"O-O"[..],
            CastlingSide::QueenSide => b"O-O-O",
        } {
            san.push(byte);
        }
    } else {
        let capture = is_capture(position, mv);
        match mv.role() {
            Role::Pawn => {
                if capture {
                    san.push(from.file().char() as u8);
                }
            }
            role => {
                san.push(role.upper_char() as u8);
                disambiguate(&mut san, position, role, from, to);
            }
        }
        if capture {
            san.push(b'x');
        }
        san.square(to);
        if let Some(role) = mv.promotion() {
            san.push(b'=');
            san.push(role.upper_char() as u8);
        }
    }
    let mut after = *position;
    after.play_unchecked(mv);
    if after.is_check() {
        san.push(if after.has_legal_move() { b'+' } else { b'#' });
    }
    san
}

/// Writes the file, the rank or both if another piece of the same kind can legally make the move.
#[inline]
fn disambiguate(san: &mut SanText, position: &Position, role: Role, from: Square, to: Square) {
    // In most cases no other piece moves there at all, and the slower test for legal moves is not needed.
    let rivals = position.pseudo_legal_origins(role, to) - Bitboard::from(from);
    if rivals.is_empty() {
        return;
    }
    let rivals = position.legal_origins(role, to) - Bitboard::from(from);
    if rivals.is_empty() {
        return;
    }
    let same_file = rivals.intersects(Bitboard::file(from.file()));
    let same_rank = rivals.intersects(Bitboard::rank(from.rank()));
    if !same_file || same_rank {
        san.push(from.file().char() as u8);
    }
    if same_file {
        san.push(from.rank().char() as u8);
    }
}
