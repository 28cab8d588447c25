//! The en passant rule. Move generation, lookup by squares, explanations and boards without history all decide it here.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::placement::Placement;
use crate::position::{PAWNS, Position};
use crate::side::{Side, by_side};
use crate::square::{Rank, Square};

/// The square of the captured pawn: beside the capturing one, on the file where that ends.
#[inline(always)]
pub(crate) const fn victim(from: Square, to: Square) -> Square {
    Square::wrapping((from.index() & 0o70 | to.index() & 0o07) as u32)
}

/// Whether a pawn of a colour may just have passed over a square: the square is empty and the pawn is right behind it.
pub(crate) fn may_be_en_passant_square(pieces: &Placement, color: Color, square: Square) -> bool {
    let pawn = Square::new(square.file(), color.relative_rank(Rank::Fourth));
    square.rank() == color.relative_rank(Rank::Third)
        && pieces.pieces(color, Role::Pawn).contains(pawn)
        && !pieces.occupied().contains(square)
}

impl Position {
    /// The pawns of the side to move that may capture en passant on a square if their king allows it.
    #[inline(always)]
    pub(crate) fn en_passant_capturers<S: Side>(&self, to: Square) -> Bitboard {
        if self.en_passant() == Some(to) {
            Bitboard(attacks::PAWN[S::THEM][to.index()] & self.movers[PAWNS] & self.colors[S::US])
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether a pseudo-legal pawn move is a capture en passant.
    #[inline(always)]
    pub(crate) fn is_en_passant(&self, from: Square, to: Square) -> bool {
        self.en_passant() == Some(to) && from.file() != to.file()
    }

    /// The pieces that would give check after a capture en passant; the capture is legal if there are none.
    ///
    /// Two pawns leave their squares at once, perhaps on one rank with the king, so masks of pinned pieces do not tell.
    #[inline(always)]
    pub(crate) fn checkers_after_en_passant<S: Side>(&self, from: Square, to: Square) -> Bitboard {
        let gone = Bitboard::from_square(from) | Bitboard::from_square(victim(from, to));
        let occupied = self.occupied() - gone | Bitboard::from_square(to);
        self.attackers(self.kings[S::US], S::Other::COLOR, occupied)
    }

    /// Whether a capture en passant is legal.
    pub(crate) fn has_legal_en_passant(&self) -> bool {
        let mut is_legal = false;
        by_side!(self.turn(), S => self.for_each_en_passant::<S>(|_, _| is_legal = true));
        is_legal
    }

    /// Calls a function with the two squares of each legal capture en passant.
    #[inline(always)]
    pub(crate) fn for_each_en_passant<S: Side>(&self, mut capture: impl FnMut(Square, Square)) {
        let Some(to) = self.en_passant() else {
            return;
        };
        for from in self.en_passant_capturers::<S>(to) {
            if self.checkers_after_en_passant::<S>(from, to).is_empty() {
                capture(from, to);
            }
        }
    }
}
