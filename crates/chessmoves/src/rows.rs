//! Boards in the memory of C: an array of eight rows of eight characters, each allocated by itself.

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

/// A new board with these letters, or NULL if there is not enough memory.
pub(crate) fn create(letters: &BoardRows) -> *mut *mut c_char {
    // SAFETY: malloc takes any size.
    let board: *mut *mut c_char = unsafe { malloc(size_of::<[*mut c_char; 8]>()) }.cast();
    if board.is_null() {
        return board;
    }
    let mut is_complete = true;
    for i in 0..8 {
        // SAFETY: malloc takes any size.
        let row: *mut c_char = unsafe { malloc(size_of::<[c_char; 8]>()) }.cast();
        is_complete &= !row.is_null();
        // SAFETY: the array has room for eight rows.
        unsafe { board.add(i).write(row) };
    }
    if !is_complete {
        // SAFETY: it was made here, each row allocated or NULL.
        unsafe { destroy(board) };
        return ptr::null_mut();
    }
    // SAFETY: it was made here.
    if let Some(rows) = unsafe { Rows::of(board) } {
        rows.put_all(letters);
    }
    board
}

/// Frees a board.
///
/// # Safety
///
/// The board is NULL, or an array of eight rows, allocated like its rows with `malloc`; rows may be NULL.
pub(crate) unsafe fn destroy(board: *mut *mut c_char) {
    if board.is_null() {
        return;
    }
    for i in 0..8 {
        // SAFETY: the array has eight rows, and free takes NULL.
        unsafe { free((*board.add(i)).cast()) };
    }
    // SAFETY: as the caller vouches.
    unsafe { free(board.cast()) };
}

impl Rows {
    /// The rows of a board; nothing if it or one of them is NULL.
    ///
    /// # Safety
    ///
    /// The board is NULL, or an array of eight rows, each NULL or of eight characters, which stay where they are as
    /// long as this is in use.
    pub(crate) unsafe fn of(board: *mut *mut c_char) -> Option<Self> {
        if board.is_null() {
            return None;
        }
        // SAFETY: it is not NULL; the caller vouches for the rest.
        let rows = unsafe { board.cast::<[*mut c_char; 8]>().read() };
        rows.iter().all(|row| !row.is_null()).then_some(Self(rows))
    }

    /// All the letters, whatever they are.
    pub(crate) fn letters(&self) -> BoardRows {
        // SAFETY: each row has eight characters, as the maker of this has vouched.
        self.0.map(|row| unsafe { row.cast::<[u8; 8]>().read() })
    }

    /// The pieces. A character that is none is an empty square.
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
            // SAFETY: as for reading them.
            unsafe { row.cast::<[u8; 8]>().write(*letters) };
        }
    }

    /// Writes the letters of the squares on which the pieces become others, and leaves the rest alone.
    pub(crate) fn change_to(&self, after: &Placement) {
        let before = self.pieces();
        for square in Square::all().filter(|&at| before.piece_at(at) != after.piece_at(at)) {
            let letter = after.piece_at(square).map_or(b' ', letter);
            let (row, column) = (7 - square.rank().index(), square.file().index());
            // SAFETY: as for reading them; both numbers are below eight.
            unsafe { self.0[row].add(column).write(letter as c_char) };
        }
    }
}
