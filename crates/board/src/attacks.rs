//! The squares that pieces attack.
//!
//! ```
//! use tabiya_board::{Bitboard, Square, attacks};
//! assert_eq!(attacks::knight(Square::A1).len(), 2);
//! assert_eq!(attacks::queen(Square::D4, Bitboard::EMPTY).len(), 27);
//! ```
//!
//! Kings, knights and pawns have tables with one set for each square. Sliders follow eight rays to the nearest
//! obstacle: the lowest set bit on rays to higher squares, the highest on the others. A ray takes a handful of
//! instructions, and the whole table takes 4 KiB (`docs/move-generation.md` says what larger tables would gain).

use crate::bitboard::Bitboard;
use crate::piece::{Color, Role};
use crate::square::{File, Rank, Square};

/// The eight directions in which sliders move, as steps of (files, ranks).
///
/// The first four lead to higher square numbers, and each of the last four is the opposite of the one four places
/// before it. Directions 0, 1, 4 and 5 are straight, the others diagonal.
pub(crate) const DIRECTIONS: [(i8, i8); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (1, -1),
];

/// The eight jumps of a knight.
pub(crate) const JUMPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

pub(crate) const NOT_FILE_A: u64 = !Bitboard::file(File::A).0;
pub(crate) const NOT_FILE_H: u64 = !Bitboard::file(File::H).0;
pub(crate) const RANK_1: u64 = Bitboard::rank(Rank::First).0;
pub(crate) const RANK_8: u64 = Bitboard::rank(Rank::Eighth).0;

/// The squares that steps reach from each square.
const fn leaps<const N: usize>(steps: [(i8, i8); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = Square::wrapping(from as u32).offset(steps[i].0, steps[i].1) {
                table[from] |= 1 << to.index();
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The last entry is empty: the trailing zeros of an empty set lead to it.
pub(crate) static KNIGHT: [u64; 65] = {
    let mut table = [0; 65];
    let jumps = leaps(JUMPS);
    let mut square = 0;
    while square < 64 {
        table[square] = jumps[square];
        square += 1;
    }
    table
};
pub(crate) static KING: [u64; 64] = leaps(DIRECTIONS);
pub(crate) static PAWN: [[u64; 64]; 2] = [leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])];

/// The squares of the eight rays from each square, in the order of [`DIRECTIONS`]; a square's rays fill a cache line.
#[repr(align(64))]
pub(crate) struct Rays(pub(crate) [[u64; 8]; 64]);

pub(crate) static RAYS: Rays = Rays(RAY_SETS);

const RAY_SETS: [[u64; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = DIRECTIONS[direction];
            let mut square = Square::wrapping(from as u32);
            while let Some(next) = square.offset(files, ranks) {
                table[from][direction] |= 1 << next.index();
                square = next;
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

/// The rank and file of a square, and its diagonals, without the square itself.
pub(crate) static STRAIGHT_LINES: [u64; 64] = lines([0, 1, 4, 5]);
pub(crate) static DIAGONALS: [u64; 64] = lines([2, 3, 6, 7]);

const fn lines(directions: [usize; 4]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            table[square] |= RAY_SETS[square][directions[i]];
            i += 1;
        }
        square += 1;
    }
    table
}

/// The whole line through two squares; empty if they share none.
static LINE: [[u64; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut axis = 0;
        while axis < 4 {
            let line = RAY_SETS[a][axis] | RAY_SETS[a][axis + 4];
            let mut b = 0;
            while b < 64 {
                if line >> b & 1 != 0 {
                    table[a][b] = line | 1 << a;
                }
                b += 1;
            }
            axis += 1;
        }
        a += 1;
    }
    table
};

/// A ray to higher squares, up to and including the first obstacle.
#[inline(always)]
const fn upward(ray: u64, occupied: u64) -> u64 {
    let obstacles = ray & occupied;
    ray & (obstacles ^ obstacles.wrapping_sub(1))
}

/// A ray to lower squares, up to and including the first obstacle.
#[inline(always)]
const fn downward(ray: u64, occupied: u64) -> u64 {
    // An obstacle on a1 keeps the shift in range and blocks nothing too early.
    let nearest = (ray & occupied | 1).ilog2();
    ray & (!0 << nearest)
}

/// Returns the squares that a rook attacks, up to and including the first piece in each direction.
///
/// ```
/// use tabiya_board::{attacks, Bitboard, Square};
/// let occupied = Bitboard::from(Square::A3) | Bitboard::from(Square::C1);
/// assert_eq!(attacks::rook(Square::A1, occupied).len(), 4); // a2 a3 b1 c1
/// ```
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS.0[square.index()];
    Bitboard(
        upward(rays[0], occupied.0)
            | upward(rays[1], occupied.0)
            | downward(rays[4], occupied.0)
            | downward(rays[5], occupied.0),
    )
}

/// Returns the squares that a bishop attacks, up to and including the first piece in each direction.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS.0[square.index()];
    Bitboard(
        upward(rays[2], occupied.0)
            | upward(rays[3], occupied.0)
            | downward(rays[6], occupied.0)
            | downward(rays[7], occupied.0),
    )
}

/// Returns the squares that a queen attacks: those of a rook and a bishop.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// Returns the squares that a knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// Returns the squares that a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// Returns the one or two squares that a pawn attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.index()])
}

/// Returns the squares that a piece of a role and colour attacks.
#[inline]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// Returns the whole line (rank, file or diagonal, edge to edge) through two squares; empty if they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

/// Returns the squares strictly between two squares on one line; empty if they share none.
///
/// ```
/// use tabiya_board::{attacks, Square};
/// assert_eq!(attacks::between(Square::A1, Square::D4).len(), 2); // b2 c3
/// assert!(attacks::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    // The squares of their line from the lower to below the higher one, less the lowest.
    let span = u64::MAX << a.index() ^ u64::MAX << b.index();
    let line = LINE[a.index()][b.index()] & span;
    Bitboard(line & line.wrapping_sub(1))
}

/// Returns the empty squares to which a pawn can be pushed: one square ahead, or two from its starting rank.
///
/// ```
/// use tabiya_board::{Bitboard, Color, Square, attacks};
/// assert_eq!(attacks::pawn_pushes(Color::White, Square::E2, Bitboard::EMPTY).len(), 2);
/// ```
#[inline]
pub fn pawn_pushes(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let ahead = |set: u64| match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    };
    let single = ahead(1 << square.index()) & !occupied.0;
    let mut steps = single;
    if square.rank() == color.relative_rank(Rank::Second) {
        steps |= ahead(single) & !occupied.0;
    }
    Bitboard(steps)
}

/// Returns the squares that all pawns of a set attack together.
#[inline]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let (west, east) = (pawns.0 & NOT_FILE_A, pawns.0 & NOT_FILE_H);
    Bitboard(match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares that a slider reaches, found square by square.
    fn walk(from: Square, directions: &[usize], occupied: Bitboard) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for &direction in directions {
            let (files, ranks) = DIRECTIONS[direction];
            let mut square = from;
            while let Some(next) = square.offset(files, ranks) {
                reached.insert(next);
                if occupied.contains(next) {
                    break;
                }
                square = next;
            }
        }
        reached
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..2000 {
            let mut occupied = !0;
            for _ in 0..round % 6 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                occupied &= random;
            }
            let occupied = Bitboard(occupied);
            for square in Square::all() {
                assert_eq!(
                    rook(square, occupied),
                    walk(square, &[0, 1, 4, 5], occupied)
                );
                assert_eq!(
                    bishop(square, occupied),
                    walk(square, &[2, 3, 6, 7], occupied)
                );
            }
        }
    }

    #[test]
    fn lines_and_what_lies_between() {
        assert_eq!(line(Square::A1, Square::C3), line(Square::H8, Square::E5));
        assert_eq!(line(Square::A1, Square::A2), Bitboard::file(File::A));
        assert!(line(Square::A1, Square::B3).is_empty());
        for a in Square::all() {
            for b in Square::all() {
                let ends = Bitboard::from(a) | Bitboard::from(b);
                let expected = if line(a, b).is_empty() {
                    Bitboard::EMPTY
                } else {
                    queen(a, ends) & queen(b, ends) & line(a, b)
                };
                assert_eq!(between(a, b), expected, "{a} {b}");
            }
        }
    }
}
