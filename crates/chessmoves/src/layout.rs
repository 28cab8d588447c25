//! The types of `ChessMoves.h`, with C's memory layout.

use std::ffi::{c_char, c_int, c_short, c_uint};

use tabiya_board::{Bitboard, Color, File, Piece, Rank, Role, Square};

/// A game as lines of notation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Game {
    /// The lines.
    pub moves: *mut *mut c_char,
    /// How many there are.
    pub numMoves: c_int,
}

/// A square, which may be partly unknown.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Location {
    /// `a` to `h`, or `x` if unknown.
    pub col: c_char,
    /// 1 to 8, or -1 if unknown.
    pub row: c_int,
}

/// A move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Move {
    /// The square it comes from, as far as it is known.
    pub from_loc: Location,
    /// The square it goes to.
    pub to_loc: Location,
    /// The capital letter of the piece.
    pub piece: c_char,
    /// 1 for a capture.
    pub isCapture: c_short,
    /// 0 for Black, 1 for White. C code may put any number here.
    pub color: c_uint,
}

const BLACK: c_uint = 0;
const WHITE: c_uint = 1;

/// The values for an unknown column and row.
const ANY_COLUMN: u8 = b'x';
const ANY_ROW: c_int = -1;

impl Location {
    /// Returns a square of which the file, the rank or both may be unknown.
    pub(crate) fn partial(file: Option<File>, rank: Option<Rank>) -> Self {
        Self {
            col: file.map_or(ANY_COLUMN, |file| file.char() as u8) as c_char,
            row: rank.map_or(ANY_ROW, |rank| rank.index() as c_int + 1),
        }
    }

    /// Returns the squares that this may mean: none if it is invalid.
    pub(crate) fn squares(self) -> Bitboard {
        let files = match self.col as u8 {
            ANY_COLUMN => Bitboard::FULL,
            column @ b'a'..=b'h' => Bitboard::file(File::ALL[usize::from(column - b'a')]),
            _ => Bitboard::EMPTY,
        };
        let ranks = match self.row {
            ANY_ROW => Bitboard::FULL,
            row @ 1..=8 => Bitboard::rank(Rank::ALL[row as usize - 1]),
            _ => Bitboard::EMPTY,
        };
        files & ranks
    }

    /// Returns the square, if it is fully known.
    pub(crate) fn square(self) -> Option<Square> {
        let squares = self.squares();
        squares.first().filter(|_| !squares.more_than_one())
    }

    pub(crate) fn has_column(self) -> bool {
        self.col as u8 != ANY_COLUMN
    }

    /// Writes the fields to C's memory, as [`Move::store`] does.
    ///
    /// # Safety
    ///
    /// The target is a valid `Location`.
    pub(crate) unsafe fn store(self, target: *mut Self) {
        // SAFETY: the caller guarantees it.
        unsafe {
            (*target).col = self.col;
            (*target).row = self.row;
        }
    }
}

impl From<Square> for Location {
    fn from(square: Square) -> Self {
        Self::partial(Some(square.file()), Some(square.rank()))
    }
}

impl Move {
    pub(crate) fn new(piece: Piece, from_loc: Location, to: Square, is_capture: bool) -> Self {
        Self {
            from_loc,
            to_loc: to.into(),
            piece: piece.role.upper_char() as c_char,
            isCapture: c_short::from(is_capture),
            color: match piece.color {
                Color::Black => BLACK,
                Color::White => WHITE,
            },
        }
    }

    /// Returns the piece that moves, if its letter and colour are valid.
    pub(crate) fn piece(&self) -> Option<Piece> {
        let color = match self.color {
            BLACK => Color::Black,
            WHITE => Color::White,
            _ => return None,
        };
        Some(Piece::new(
            color,
            Role::from_char(self.piece as u8 as char)?,
        ))
    }

    /// Writes the fields to C's memory one by one. The padding between them keeps its value, for callers who compare
    /// whole structs.
    ///
    /// # Safety
    ///
    /// The target is a valid `Move`.
    pub(crate) unsafe fn store(self, target: *mut Self) {
        // SAFETY: the caller guarantees it.
        unsafe {
            self.from_loc.store(&raw mut (*target).from_loc);
            self.to_loc.store(&raw mut (*target).to_loc);
            (*target).piece = self.piece;
            (*target).isCapture = self.isCapture;
            (*target).color = self.color;
        }
    }
}
