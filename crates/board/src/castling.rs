//! When a king may castle.

use crate::position::{CastlingSide, Position};
use crate::side::Side;

/// What castling asks of the squares of the back rank, as bits of files.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    /// Squares that must be empty: those that the king and the rook pass or end on, without their own.
    pub(crate) empty: u8,
    /// Squares that must not be attacked: those from the king's to where it ends.
    pub(crate) safe: u8,
}

/// The way by wing, the king's file and the rook's.
static WAYS: [[[Way; 8]; 8]; 2] = {
    let mut table = [[[Way { empty: 0, safe: 0 }; 8]; 8]; 2];
    let mut wing = 0;
    while wing < 2 {
        let side = CastlingSide::ALL[wing];
        let mut king = 0;
        while king < 8 {
            let mut rook = 0;
            while rook < 8 {
                let king_way = span(king, side.king_file().index());
                let rook_way = span(rook, side.rook_file().index());
                table[wing][king][rook] = Way {
                    empty: (king_way | rook_way) & !(1 << king | 1 << rook),
                    safe: king_way,
                };
                rook += 1;
            }
            king += 1;
        }
        wing += 1;
    }
    table
};

/// The files from one to another, both included.
const fn span(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((2_u32 << high) - (1 << low)) as u8
}

/// The way of a king and a rook on these files.
#[inline(always)]
pub(crate) fn way(wing: CastlingSide, king_file: usize, rook_file: usize) -> Way {
    WAYS[wing as usize][king_file & 7][rook_file & 7]
}

/// Whether a side that is not in check may castle to a wing: it has the right, the way is empty and safe, and the
/// rook is not pinned on the rank (in Chess960 it may be all that shields the square where the king ends).
#[inline(always)]
pub(crate) fn is_free<S: Side>(
    position: &Position,
    wing: CastlingSide,
    occupied: u64,
    attacked: u64,
    pinned_on_rank: u64,
) -> bool {
    let king = position.kings[S::US];
    let rook = position.castling.on_wing(S::COLOR, king, wing);
    if rook == 0 {
        return false;
    }
    let back_rank = |set: u64| (set >> S::BACK_RANK) as u8;
    let way = way(wing, king.index(), rook.trailing_zeros() as usize);
    way.empty & back_rank(occupied)
        | way.safe & back_rank(attacked)
        | rook & back_rank(pinned_on_rank)
        == 0
}
