//! Boards in C's memory: an array of eight rows of eight characters, each allocated separately.

use std::ffi::{c_char, c_void};
use std::ptr;

use tabiya_board::{File, Placement, Rank, Square};
use tabiya_chessmoves_core::{BoardRows, letter, piece};

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
}

/// The rows of a board, none of them NULL.
pub(crate) struct Rows([*mut c_char; 8]);

/// Returns a new board with these letters, or NULL if there is not enough memory.
pub(crate) fn create(letters: &BoardRows) -> *mut *mut c_char {
    // SAFETY: malloc accepts any size.
    let board: *mut *mut c_char = unsafe { malloc(size_of::<[*mut c_char; 8]>()) }.cast();
    if board.is_null() {
        return board;
    }
    let mut is_complete = true;
    for i in 0..8 {
        // SAFETY: malloc accepts any size.
        let row: *mut c_char = unsafe { malloc(size_of::<[c_char; 8]>()) }.cast();
        is_complete &= !row.is_null();
        // SAFETY: the array has room for eight rows.
        unsafe { board.add(i).write(row) };
    }
    if !is_complete {
        // SAFETY: it was allocated above; each row is allocated or NULL.
        unsafe { destroy(board) };
        return ptr::null_mut();
    }
    // SAFETY: it was allocated above, with all its rows.
    if let Some(rows) = unsafe { Rows::of(board) } {
        rows.put_all(letters);
    }
    board
}

/// Frees a board.
///
/// # Safety
///
/// The board is NULL, or a `malloc`ed array of eight rows, each `malloc`ed or NULL.
pub(crate) unsafe fn destroy(board: *mut *mut c_char) {
    if board.is_null() {
        return;
    }
    for i in 0..8 {
        // SAFETY: the array has eight rows, and free accepts NULL.
        unsafe { free((*board.add(i)).cast()) };
    }
    // SAFETY: the caller guarantees it.
    unsafe { free(board.cast()) };
}

impl Rows {
    /// Returns the rows of a board, or `None` if it or one of them is NULL.
    ///
    /// # Safety
    ///
    /// The board is NULL, or an array of eight rows, each NULL or of eight characters, which stay valid as long as this
    /// value is in use.
    pub(crate) unsafe fn of(board: *mut *mut c_char) -> Option<Self> {
        if board.is_null() {
            return None;
        }
        // SAFETY: it is not NULL, and the caller guarantees the rest.
        let rows = unsafe { board.cast::<[*mut c_char; 8]>().read() };
        rows.iter().all(|row| !row.is_null()).then_some(Self(rows))
    }

    /// Returns all letters, valid or not.
    pub(crate) fn letters(&self) -> BoardRows {
        // SAFETY: each row has eight characters, as the caller of `of` guarantees.
        self.0.map(|row| unsafe { row.cast::<[u8; 8]>().read() })
    }

    /// Returns the pieces. Any other character counts as an empty square.
    pub(crate) fn pieces(&self) -> Placement {
        let mut pieces = Placement::EMPTY;
        for (row, rank) in self.letters().into_iter().zip(Rank::ALL.into_iter().rev()) {
            for (letter, file) in row.into_iter().zip(File::ALL) {
                if let Some(piece) = piece(letter) {
                    pieces.put(Square::new(file, rank), piece);
                }
            }
        }
        pieces
    }

    /// Writes all the letters.
    pub(crate) fn put_all(&self, letters: &BoardRows) {
        for (row, letters) in self.0.iter().zip(letters) {
            // SAFETY: as in `letters`.
            unsafe { row.cast::<[u8; 8]>().write(*letters) };
        }
    }

    /// Writes the letters of the squares that change, and leaves the rest alone.
    pub(crate) fn change_to(&self, after: &Placement) {
        let before = self.pieces();
        for square in Square::all().filter(|&at| before.piece_at(at) != after.piece_at(at)) {
            let letter = after.piece_at(square).map_or(b' ', letter);
            let (row, column) = (7 - square.rank().index(), square.file().index());
            // SAFETY: as in `letters`; row and column are below eight.
            unsafe { self.0[row].add(column).write(letter as c_char) };
        }
    }
}
