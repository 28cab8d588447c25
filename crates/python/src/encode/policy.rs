//! Moves as numbers, for networks that choose among them.

use std::sync::LazyLock;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Color, Move, Role, Square};

use crate::chess_move::{KEYS, object_key, possible_moves};

/// The moves that a piece can make on some board.
pub(super) const POLICY: usize = 1968;
/// The moves that Leela Chess Zero numbers: those of the side to move, seen from its side.
pub(super) const LC0_POLICY: usize = 1858;

const NONE: u16 = u16::MAX;

/// The number of each move by its key, and the other way round.
struct Numbers {
    numbers: Vec<u16>,
    moves: Vec<(Square, Square, Option<Role>)>,
}

impl Numbers {
    fn new(moves: Vec<(Square, Square, Option<Role>)>) -> Self {
        let mut numbers = vec![NONE; KEYS];
        for (number, &(from, to, promotion)) in moves.iter().enumerate() {
            numbers[crate::chess_move::key(from, to, promotion)] = number as u16;
        }
        Self { numbers, moves }
    }

    fn get(&self, key: usize) -> Option<u16> {
        let number = self.numbers.get(key).copied();
        number.filter(|&number| number != NONE)
    }
}

/// By starting square, target and promotion.
static ALL: LazyLock<Numbers> = LazyLock::new(|| {
    let mut moves: Vec<_> = possible_moves().collect();
    moves.sort_unstable();
    Numbers::new(moves)
});

/// By starting square and target; then White's promotions to queen, rook and bishop, by starting and target file. A
/// promotion to a knight is an ordinary move.
static LC0: LazyLock<Numbers> = LazyLock::new(|| {
    let (mut moves, promotions): (Vec<_>, Vec<_>) =
        possible_moves().partition(|(_, _, role)| role.is_none());
    moves.sort_unstable();
    let mut promotions: Vec<_> = promotions
        .into_iter()
        .filter(|&(from, to, role)| from < to && role != Some(Role::Knight))
        .collect();
    promotions.sort_unstable_by_key(|&(from, to, role)| (from, to, std::cmp::Reverse(role)));
    moves.extend(promotions);
    Numbers::new(moves)
});

/// The number of a move, by its key, among all moves.
pub(super) fn number(key: usize) -> Option<u16> {
    ALL.get(key)
}

/// The move of a number.
pub(super) fn of_number(number: usize) -> Option<(Square, Square, Option<Role>)> {
    ALL.moves.get(number).copied()
}

/// The number of a legal move among this many, or `None` if it has none.
pub(super) fn legal_number(position: &Position, mv: Move, count: usize) -> Option<u16> {
    if count == POLICY {
        number(usize::from(object_key(position, mv, false)))
    } else {
        lc0_number(position, mv)
    }
}

/// The number that Leela Chess Zero gives to a legal move. Castling takes the king to its rook.
pub(super) fn lc0_number(position: &Position, mv: Move) -> Option<u16> {
    let us = position.turn();
    let rook = mv
        .castling_side()
        .and_then(|side| position.castling_rook(us, side));
    let seen = |square: Square| match us {
        Color::White => square,
        Color::Black => square.flip(),
    };
    let promotion = mv.promotion().filter(|&role| role != Role::Knight);
    let key = crate::chess_move::key(seen(mv.from()), seen(rook.unwrap_or(mv.to())), promotion);
    LC0.get(key)
}
