//! Planes: sets of squares, or numbers, as eight times eight cells.

use tabiya_board::unkeyed::Position;
use tabiya_board::{CastlingSide, Color, Role};

use super::positions::{PAST, Seen};

/// The planes of Leela Chess Zero.
pub(super) const LC0: usize = 112;
/// A position's planes there: pieces of both sides, and whether it repeats.
const LC0_POSITION: usize = 13;

/// Twelve sets of squares: White's pawns, knights, bishops, rooks, queens and kings, then Black's.
pub(super) fn sets(position: &Position) -> [u64; 12] {
    let mut sets = [0; 12];
    for color in Color::ALL {
        for role in Role::ALL {
            sets[color.index() * 6 + role.index()] = position.pieces(color, role).0;
        }
    }
    sets
}

/// The cells of planes, in the array's type.
pub(super) struct Cells<'a> {
    bytes: &'a mut [u8],
    is_float: bool,
}

impl<'a> Cells<'a> {
    pub(super) const fn new(bytes: &'a mut [u8], is_float: bool) -> Self {
        Self { bytes, is_float }
    }

    fn set(&mut self, plane: usize, square: usize, value: u8) {
        let cell = plane * 64 + square;
        if self.is_float {
            let value = f32::from(value).to_ne_bytes();
            self.bytes[cell * 4..cell * 4 + 4].copy_from_slice(&value);
        } else {
            self.bytes[cell] = value;
        }
    }

    fn set_squares(&mut self, plane: usize, mut squares: u64) {
        while squares != 0 {
            self.set(plane, squares.trailing_zeros() as usize, 1);
            squares &= squares - 1;
        }
    }

    fn fill(&mut self, plane: usize, value: u8) {
        if value != 0 {
            for square in 0..64 {
                self.set(plane, square, value);
            }
        }
    }

    /// Writes the planes of the pieces, and, if they are wanted, those of castling, turn and en passant.
    pub(super) fn write(&mut self, position: &Position, count: usize) {
        for (plane, squares) in sets(position).into_iter().enumerate() {
            self.set_squares(plane, squares);
        }
        if count == 12 {
            return;
        }
        for color in Color::ALL {
            for (index, side) in CastlingSide::ALL.into_iter().enumerate() {
                let may = position.castling_rook(color, side).is_some();
                self.fill(12 + 2 * color.index() + index, u8::from(may));
            }
        }
        self.fill(16, u8::from(position.turn().is_white()));
        if let Some(square) = position.en_passant() {
            self.set(17, square.index(), 1);
        }
    }

    /// Writes Leela Chess Zero's planes, as the side to move sees them. The position is the last one.
    pub(super) fn write_lc0(&mut self, past: &[Seen]) {
        let Some(now) = past.last().map(|seen| &seen.position) else {
            return;
        };
        let us = now.turn();
        for back in 0..PAST {
            // The oldest position stands for those before it, except where a game begins.
            let is_known = back < past.len();
            let seen = if is_known {
                &past[past.len() - 1 - back]
            } else if is_standard_start(&past[0].position) {
                break;
            } else {
                &past[0]
            };
            let plane = back * LC0_POSITION;
            for color in [us, !us] {
                for role in Role::ALL {
                    let mut squares = seen.position.pieces(color, role).0;
                    if !is_known && role == Role::Pawn {
                        squares = before_double_step(&seen.position, color, squares);
                    }
                    let squares = seen_by(us, squares);
                    let side = if color == us { 0 } else { 6 };
                    self.set_squares(plane + side + role.index(), squares);
                }
            }
            self.fill(plane + 12, u8::from(seen.is_repeated));
        }
        let rest = PAST * LC0_POSITION;
        for (index, color) in [us, !us].into_iter().enumerate() {
            let may = |side| u8::from(now.castling_rook(color, side).is_some());
            self.fill(rest + 2 * index, may(CastlingSide::QueenSide));
            self.fill(rest + 2 * index + 1, may(CastlingSide::KingSide));
        }
        self.fill(rest + 4, u8::from(!us.is_white()));
        self.fill(rest + 5, now.halfmove_clock().min(255) as u8);
        // The next plane once had the number of the move.
        self.fill(rest + 7, 1);
    }
}

/// Squares as a side sees them: Black turns the board upside down.
pub(super) const fn seen_by(color: Color, squares: u64) -> u64 {
    if color.is_white() {
        squares
    } else {
        squares.swap_bytes()
    }
}

fn is_standard_start(position: &Position) -> bool {
    let start = tabiya_board::Board::start();
    position.turn().is_white()
        && sets(position) == sets(&start)
        && position.castling_rooks() == start.castling_rooks()
}

/// The pawns of a colour before the double step that allows en passant, so that the network sees it.
fn before_double_step(position: &Position, color: Color, pawns: u64) -> u64 {
    match position.en_passant() {
        Some(passed) if color != position.turn() => {
            let passed = 1 << passed.index();
            let (from, to) = if color.is_white() {
                (passed >> 8, passed << 8)
            } else {
                (passed << 8, passed >> 8)
            };
            pawns & !to | from
        }
        _ => pawns,
    }
}
