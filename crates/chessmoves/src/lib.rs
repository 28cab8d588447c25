//! `libchessmoves`: a chess game from notation, board by board, for C programs.
//!
//! `include/ChessMoves.h` is its contract. Here are the nine functions of it; what they do is written without `unsafe`
//! in `notation` and `moving`, and what they do with the memory of C in `rows` and `output`.
//!
//! Nothing here allocates but what the caller gets, and that with C's `malloc`: no memory is a NULL, never an abort.
#![allow(unsafe_code)]
#![allow(non_snake_case)]
#![deny(clippy::undocumented_unsafe_blocks)]

mod layout;
mod moving;
mod notation;
mod output;
mod promotion;
mod rows;

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use tabiya_board::{Board, Color};
use tabiya_chessmoves_core::{self as chessmoves, Replay};

use crate::layout::{Game, Location, Move};
use crate::rows::Rows;

/// Keeps a panic from crossing into C. There should be none; if there is, the caller gets what it would get for nothing.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// The text behind a pointer, if it is one.
///
/// # Safety
///
/// The pointer is NULL or leads to a string that ends in NUL and stays as it is for `'a`.
unsafe fn text<'a>(string: *const c_char) -> Option<&'a str> {
    if string.is_null() {
        return None;
    }
    // SAFETY: it is not NULL; the caller vouches for the rest.
    unsafe { CStr::from_ptr(string) }.to_str().ok()
}

/// A new board with the starting position.
#[unsafe(no_mangle)]
pub extern "C" fn createChessBoard() -> *mut *mut c_char {
    guarded(ptr::null_mut(), || {
        rows::create(&chessmoves::rows(&Board::start().placement()))
    })
}

/// Frees a board.
///
/// # Safety
///
/// The board is NULL, or an array of eight rows, all of them allocated with `malloc` or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn destroyChessBoard(board: *mut *mut c_char) -> *mut *mut c_char {
    // SAFETY: as the caller vouches.
    guarded((), || unsafe { rows::destroy(board) });
    ptr::null_mut()
}

/// Prints a board.
///
/// # Safety
///
/// The board is NULL, or an array of eight rows of eight characters, or with NULL among them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn printChessBoard(board: *mut *mut c_char) {
    guarded((), || {
        // SAFETY: as the caller vouches.
        if let Some(rows) = unsafe { Rows::of(board) } {
            output::print(&chessmoves::draw(&rows.letters()));
        }
    });
}

/// Plays a game and prints all its boards.
///
/// # Safety
///
/// The game is NULL, or its moves are NULL or an array of at least `numMoves` strings, or with NULL among them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playTheGame(g: *mut Game) -> *mut *mut c_char {
    guarded(ptr::null_mut(), || {
        // SAFETY: as the caller vouches.
        let Some(&Game { moves, numMoves }) = (unsafe { g.as_ref() }) else {
            return ptr::null_mut();
        };
        let mut game = Replay::new();
        let letters = |board: &Board| chessmoves::rows(&board.placement());
        let board = rows::create(&letters(game.board()));
        // SAFETY: it is NULL or was made just now.
        let Some(rows) = (unsafe { Rows::of(board) }) else {
            return ptr::null_mut();
        };
        output::print(&chessmoves::draw(&letters(game.board())));
        let count = if moves.is_null() { 0 } else { numMoves };
        for i in 0..usize::try_from(count).unwrap_or(0) {
            // SAFETY: the caller vouches for an array of that length, and for its strings.
            let Some(line) = (unsafe { text(*moves.add(i)) }) else {
                break;
            };
            let show = |board: &Board| output::print(&chessmoves::draw(&letters(board)));
            if game.play_line(line, show).is_err() {
                break;
            }
        }
        rows.put_all(&letters(game.board()));
        board
    })
}

/// Reads a line of notation.
///
/// # Safety
///
/// Each pointer is NULL or leads to what its type says: a string that ends in NUL, and two moves to be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn parseNotationString(
    str: *mut c_char,
    whiteMove: *mut Move,
    blackMove: *mut Move,
) {
    guarded((), || {
        // SAFETY: as the caller vouches.
        let Some(line) = unsafe { text(str) }.map(notation::read) else {
            return;
        };
        for (color, target) in [(Color::White, whiteMove), (Color::Black, blackMove)] {
            if let Some(written) = line[color.index()]
                && !target.is_null()
            {
                // SAFETY: it is not NULL; the caller vouches for the rest.
                unsafe { written.mv.store(target) };
                promotion::remember(color, target, written.promotion);
            }
        }
    });
}

/// Makes a move.
///
/// # Safety
///
/// The board is NULL, or an array of eight rows of eight characters, or with NULL among them. The move is NULL or leads
/// to a move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn movePiece(board: *mut *mut c_char, r#move: *mut Move) {
    guarded((), || {
        // SAFETY: as the caller vouches.
        let Some((rows, mv)) = (unsafe { board_and_move(board, r#move) }) else {
            return;
        };
        let promotion = promotion::of(r#move, &mv);
        if let Some((from, after)) = moving::play(&rows.pieces(), &mv, promotion) {
            rows.change_to(&after);
            // SAFETY: it is not NULL, and leads to a move as the caller vouches.
            unsafe { Location::from(from).store(&raw mut (*r#move).from_loc) };
        }
    });
}

/// Finds out where a piece comes from.
///
/// # Safety
///
/// As for [`movePiece`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn findFromLoc(board: *mut *mut c_char, r#move: *mut Move) {
    guarded((), || {
        // SAFETY: as the caller vouches.
        let Some((rows, mv)) = (unsafe { board_and_move(board, r#move) }) else {
            return;
        };
        if let Some(from) = moving::origin(&rows.pieces(), &mv) {
            // SAFETY: it is not NULL, and leads to a move as the caller vouches.
            unsafe { Location::from(from).store(&raw mut (*r#move).from_loc) };
        }
    });
}

/// What two of the functions are given, if it is all there.
///
/// # Safety
///
/// As for [`movePiece`].
unsafe fn board_and_move(board: *mut *mut c_char, mv: *const Move) -> Option<(Rows, Move)> {
    // SAFETY: as the caller vouches.
    let rows = unsafe { Rows::of(board) }?;
    // SAFETY: as the caller vouches.
    let mv = unsafe { mv.as_ref() }?;
    Some((rows, *mv))
}

/// How difficult it was, from 1.0 to 5.0.
#[unsafe(no_mangle)]
pub extern "C" fn difficultyRating() -> f64 {
    3.0
}

/// How many hours it took.
#[unsafe(no_mangle)]
pub extern "C" fn hoursSpent() -> f64 {
    12.0
}
