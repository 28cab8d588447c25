//! Promotions, for which C's `Move` has no field.
//!
//! Each thread remembers the address of the last move of each colour that it parsed. So parsing "g8N" and playing that
//! move gives a knight. All other pawns become queens.

use std::cell::Cell;

use tabiya_board::{Color, Role};

use crate::layout::Move;

thread_local! {
    /// The addresses of White's and Black's last moves, and their promotions.
    static LAST: Cell<[Option<(usize, Role)>; 2]> = const { Cell::new([None; 2]) };
}

/// Remembers the promotion of the move at an address.
pub(crate) fn remember(color: Color, address: *const Move, promotion: Option<Role>) {
    let mut last = LAST.get();
    last[color.index()] = promotion.map(|role| (address.addr(), role));
    LAST.set(last);
}

/// Returns the piece that a pawn becomes if the move at this address takes it to the last row.
pub(crate) fn of(address: *const Move, mv: &Move) -> Role {
    let remembered = mv.piece().and_then(|piece| LAST.get()[piece.color.index()]);
    remembered
        .filter(|&(remembered, _)| remembered == address.addr())
        .map_or(Role::Queen, |(_, role)| role)
}
