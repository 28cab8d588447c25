//! The castling rule. Move generation, lookup by squares, explanations and boards without history all decide it by
//! [`obstacles`].

use crate::position::{CastlingSide, Position};
use crate::side::Side;
use crate::square::{File, Square};

/// The squares of the back rank that castling needs, as bits of files.
#[derive(Clone, Copy)]
struct Path {
    /// Must be empty: the squares that the king and the rook cross or end on, except their own.
    empty: u8,
    /// Must not be attacked: the king's square, those it crosses, and the one it ends on.
    safe: u8,
}

/// The path by castling side, king's file and rook's file.
static PATHS: [[[Path; 8]; 8]; 2] = {
    let mut table = [[[Path { empty: 0, safe: 0 }; 8]; 8]; 2];
    let mut i = 0;
    while i < 2 {
        let side = CastlingSide::ALL[i];
        let mut king = 0;
        while king < 8 {
            let mut rook = 0;
            while rook < 8 {
                let king_path = span(king, side.king_file().index());
                let rook_path = span(rook, side.rook_file().index());
                table[i][king][rook] = Path {
                    empty: (king_path | rook_path) & !(1 << king | 1 << rook),
                    safe: king_path,
                };
                rook += 1;
            }
            king += 1;
        }
        i += 1;
    }
    table
};

/// The files from one to another, both included.
const fn span(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((2_u32 << high) - (1 << low)) as u8
}

/// What prevents castling, as bits of files of the back rank.
#[derive(Clone, Copy)]
pub(crate) struct Obstacles {
    /// Occupied squares that must be empty.
    pub(crate) blocked: u8,
    /// Attacked squares that the king stands on, crosses or ends on.
    pub(crate) attacked: u8,
    /// The rook, if it is pinned. In Chess960 it may be all that shields the square where the king ends.
    pub(crate) pinned_rook: u8,
}

impl Obstacles {
    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.blocked | self.attacked | self.pinned_rook == 0
    }
}

/// The castling rule for a king and a rook (as the bit of its file) that have not moved. The other arguments are sets
/// of the back rank's files: occupied squares, squares that the enemy attacks, and pinned pieces.
#[inline(always)]
pub(crate) fn obstacles(
    side: CastlingSide,
    king: Square,
    rook: u8,
    occupied: u8,
    attacked: u8,
    pinned: u8,
) -> Obstacles {
    let path = PATHS[side as usize][king.index() & 7][rook.trailing_zeros() as usize & 7];
    Obstacles {
        blocked: path.empty & occupied,
        attacked: path.safe & attacked,
        pinned_rook: rook & pinned,
    }
}

/// Whether the side to move may castle now, given all occupied squares, all that the enemy attacks, and the pieces
/// pinned on a rank.
#[inline(always)]
pub(crate) fn is_legal<S: Side>(
    position: &Position,
    side: CastlingSide,
    occupied: u64,
    attacked: u64,
    pinned_on_rank: u64,
) -> bool {
    let king = position.kings[S::US];
    let rook = position.castling.rook(S::COLOR, king, side);
    let back_rank = |set: u64| (set >> S::BACK_RANK) as u8;
    rook != 0
        && obstacles(
            side,
            king,
            rook,
            back_rank(occupied),
            back_rank(attacked),
            back_rank(pinned_on_rank),
        )
        .is_empty()
}

/// The files of the squares from the king's to the one it ends on that are attacked.
pub(crate) fn attacked_files(
    side: CastlingSide,
    king: Square,
    is_attacked: impl Fn(Square) -> bool,
) -> u8 {
    let path = span(king.file().index(), side.king_file().index());
    File::ALL
        .into_iter()
        .filter(|file| path >> file.index() & 1 != 0)
        .filter(|&file| is_attacked(Square::new(file, king.rank())))
        .fold(0, |files, file| files | 1 << file.index())
}
