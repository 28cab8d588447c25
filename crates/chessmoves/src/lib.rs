//! `libchessmoves`: plays chess games from notation, board by board, for C programs.
//!
//! `include/ChessMoves.h` is its contract and declares the nine functions below. `notation` and `moving` hold the safe
//! code behind them; `rows` and `output` deal with C's memory and C's `stdout`.
//!
//! The library allocates only the boards that it returns, with C's `malloc`. When memory runs out it returns NULL and
//! never aborts.
#![allow(unsafe_code)]
#![allow(non_snake_case)]

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
use tabiya_chessmoves_core::{self as chessmoves, GameReplay};

use crate::layout::{Game, Location, Move};
use crate::rows::Rows;

/// Keeps a panic from crossing into C. None is expected; if one happens, returns `otherwise`.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// Returns the text that a pointer leads to, if it is valid UTF-8.
///
/// # Safety
///
/// The pointer is NULL, or leads to a NUL-terminated string that doesn't change during `'a`.
unsafe fn text<'a>(string: *const c_char) -> Option<&'a str> {
    if string.is_null() {
        return None;
    }
    // SAFETY: it is not NULL, and the caller guarantees the rest.
    unsafe { CStr::from_ptr(string) }.to_str().ok()
}

/// Returns a new board with the starting position.
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
/// The board is NULL, or a `malloc`ed array of eight rows, each `malloc`ed or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn destroyChessBoard(board: *mut *mut c_char) -> *mut *mut c_char {
    // SAFETY: the caller guarantees it.
    guarded((), || unsafe { rows::destroy(board) });
    ptr::null_mut()
}

/// Prints a board.
///
/// # Safety
///
/// The board is NULL, or an array of eight rows, each of eight characters or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn printChessBoard(board: *mut *mut c_char) {
    guarded((), || {
        // SAFETY: the caller guarantees it.
        if let Some(rows) = unsafe { Rows::of(board) } {
            output::print(&chessmoves::draw(&rows.letters()));
        }
    });
}

/// Plays a game, prints every board and returns the last.
///
/// # Safety
///
/// The game is NULL, or its moves are NULL or an array of at least `numMoves` strings, any of which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn playTheGame(g: *mut Game) -> *mut *mut c_char {
    guarded(ptr::null_mut(), || {
        // SAFETY: the caller guarantees it.
        let Some(&Game { moves, numMoves }) = (unsafe { g.as_ref() }) else {
            return ptr::null_mut();
        };
        let mut game = GameReplay::new();
        let letters = |board: &Board| chessmoves::rows(&board.placement());
        let board = rows::create(&letters(game.board()));
        // SAFETY: it is NULL or a new board.
        let Some(rows) = (unsafe { Rows::of(board) }) else {
            return ptr::null_mut();
        };
        output::print(&chessmoves::draw(&letters(game.board())));
        let count = if moves.is_null() { 0 } else { numMoves };
        for i in 0..usize::try_from(count).unwrap_or(0) {
            // SAFETY: the caller guarantees the length of the array and its strings.
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
/// Each pointer is NULL, or leads to what its type says: a NUL-terminated string and two writable moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn parseNotationString(
    str: *mut c_char,
    whiteMove: *mut Move,
    blackMove: *mut Move,
) {
    guarded((), || {
        // SAFETY: the caller guarantees it.
        let Some(line) = unsafe { text(str) }.map(notation::parse_line) else {
            return;
        };
        for (color, target) in [(Color::White, whiteMove), (Color::Black, blackMove)] {
            if let Some(parsed) = line[color.index()]
                && !target.is_null()
            {
                // SAFETY: it is not NULL, and the caller guarantees the rest.
                unsafe { parsed.mv.store(target) };
                promotion::remember(color, target, parsed.promotion);
            }
        }
    });
}

/// Plays a move.
///
/// # Safety
///
/// The board is NULL, or an array of eight rows, each of eight characters or NULL. The move is NULL or leads to a move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn movePiece(board: *mut *mut c_char, r#move: *mut Move) {
    guarded((), || {
        // SAFETY: the caller guarantees it.
        let Some((rows, mv)) = (unsafe { board_and_move(board, r#move) }) else {
            return;
        };
        let promotion = promotion::of(r#move, &mv);
        if let Some((from, after)) = moving::play(&rows.pieces(), &mv, promotion) {
            rows.change_to(&after);
            // SAFETY: it is not NULL, and the caller guarantees that it leads to a move.
            unsafe { Location::from(from).store(&raw mut (*r#move).from_loc) };
        }
    });
}

/// Finds the square that the piece comes from.
///
/// # Safety
///
/// As for [`movePiece`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn findFromLoc(board: *mut *mut c_char, r#move: *mut Move) {
    guarded((), || {
        // SAFETY: the caller guarantees it.
        let Some((rows, mv)) = (unsafe { board_and_move(board, r#move) }) else {
            return;
        };
        if let Some(from) = moving::origin(&rows.pieces(), &mv) {
            // SAFETY: it is not NULL, and the caller guarantees that it leads to a move.
            unsafe { Location::from(from).store(&raw mut (*r#move).from_loc) };
        }
    });
}

/// Returns the board and the move, unless something is NULL.
///
/// # Safety
///
/// As for [`movePiece`].
unsafe fn board_and_move(board: *mut *mut c_char, mv: *const Move) -> Option<(Rows, Move)> {
    // SAFETY: the caller guarantees it.
    let rows = unsafe { Rows::of(board) }?;
    // SAFETY: the caller guarantees it.
    let mv = unsafe { mv.as_ref() }?;
    Some((rows, *mv))
}

/// Returns how difficult the task was, from 1.0 to 5.0.
#[unsafe(no_mangle)]
pub extern "C" fn difficultyRating() -> f64 {
    3.0
}

/// Returns how many hours it took.
#[unsafe(no_mangle)]
pub extern "C" fn hoursSpent() -> f64 {
    12.0
}
