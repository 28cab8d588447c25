//! What pawns become, for which C's `Move` has no place.
//!
//! The last move of each colour that was read on a thread is remembered by its address, so that reading "g8N" and making
//! that move gives a knight. All other pawns become queens.

use std::cell::Cell;

use tabiya_board::{Color, Role};

use crate::layout::Move;

thread_local! {
    /// The addresses of White's and Black's last move, and what their pawns become.
    static LAST: Cell<[Option<(usize, Role)>; 2]> = const { Cell::new([None; 2]) };
}

/// Remembers a move that has been written to an address.
pub(crate) fn remember(color: Color, address: *const Move, promotion: Option<Role>) {
    let mut last = LAST.get();
    last[color.index()] = promotion.map(|role| (address.addr(), role));
    LAST.set(last);
}

/// What a pawn becomes by the move at an address, should it reach the last row.
pub(crate) fn of(address: *const Move, mv: &Move) -> Role {
    let remembered = mv.piece().and_then(|piece| LAST.get()[piece.color.index()]);
    remembered
        .filter(|&(remembered, _)| remembered == address.addr())
        .map_or(Role::Queen, |(_, role)| role)
}
