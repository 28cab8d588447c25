//! Detects repetitions one move ahead.
//!
//! Two positions that are one reversible move apart differ in their keys by a piece on two squares and the side to
//! move. All 3,668 such differences are in a cuckoo hash table with two possible places for each, as Marcel van
//! Kervinck described it.

use std::sync::LazyLock;

use tabiya_board::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::Worker;
use super::draw::turn_key;

const SIZE: usize = 8192;

/// A reversible move in either direction. No move has the key zero.
#[derive(Clone, Copy)]
struct ReversibleMove {
    key: u64,
    squares: [Square; 2],
}

const fn places(key: u64) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

static CUCKOO: LazyLock<Box<[ReversibleMove]>> = LazyLock::new(|| {
    let empty = ReversibleMove {
        key: 0,
        squares: [Square::A1; 2],
    };
    let mut table = vec![empty; SIZE].into_boxed_slice();
    for mut new in reversible_moves() {
        let [mut place, _] = places(new.key);
        loop {
            std::mem::swap(&mut table[place], &mut new);
            if new.key == 0 {
                break;
            }
            // The old entry moves to its other place.
            let [first, second] = places(new.key);
            place = if place == first { second } else { first };
        }
    }
    table
});

/// Returns all reversible moves on an empty board, each once.
fn reversible_moves() -> impl Iterator<Item = ReversibleMove> {
    let turn = turn_key();
    let pieces = Color::ALL.into_iter().flat_map(|color| {
        let roles = Role::ALL.into_iter().filter(|&role| role != Role::Pawn);
        roles.map(move |role| Piece::new(color, role))
    });
    pieces.flat_map(move |piece| {
        Square::all().flat_map(move |from| {
            let reached = attacks::of(piece.role, piece.color, from, Bitboard::EMPTY);
            reached
                .into_iter()
                .filter(move |&to| from < to)
                .map(move |to| ReversibleMove {
                    key: Board::piece_key(piece, from) ^ Board::piece_key(piece, to) ^ turn,
                    squares: [from, to],
                })
        })
    })
}

impl Worker {
    /// Returns whether the side to move can reach a position that is already on the searched line.
    pub(super) fn has_upcoming_repetition(&self, board: &Board) -> bool {
        let now = self.keys.len() - 1;
        let reversible = usize::from(board.halfmove_clock())
            .min(self.stack[self.ply].plies_since_null)
            .min(now)
            .min(self.ply.saturating_sub(1));
        let mut theirs = 0;
        let line = &self.keys[now - reversible..];
        for (pair, ago) in line.rchunks_exact(2).zip((1..).step_by(2)) {
            // What the opponent's moves have changed. Mostly something, so that no move of ours can repeat the position.
            theirs ^= pair[0] ^ pair[1] ^ self.turn_key;
            if theirs == 0 && ago > 1 && is_move_away(board, self.keys[now] ^ pair[0]) {
                return true;
            }
        }
        false
    }
}

/// Returns whether a move of the side to move makes this difference between keys.
fn is_move_away(board: &Board, difference: u64) -> bool {
    places(difference).into_iter().any(|place| {
        let found = &CUCKOO[place];
        let [a, b] = found.squares;
        let own = board.by_color(board.turn());
        found.key == difference
            && !attacks::between(a, b).intersects(board.occupied())
            && (own.contains(a) || own.contains(b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Network;
    use crate::strength::EvalNoise;
    use crate::tt::TranspositionTable;

    #[test]
    fn table_holds_every_reversible_move_once() {
        let mut count = 0;
        for mv in reversible_moves() {
            let found = places(mv.key)
                .into_iter()
                .filter(|&place| CUCKOO[place].key == mv.key);
            assert_eq!(found.count(), 1);
            count += 1;
        }
        assert_eq!(count, 3668);
    }

    /// Starts a search in a position, makes moves, and returns whether a repetition is possible then.
    fn detects(fen: &str, moves: &[&str]) -> bool {
        let mut board: Board = fen.parse().unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let mut worker = Worker::new(true, Network::embedded());
        let legal: Vec<_> = board.legal_moves().into_iter().collect();
        worker.prepare(&board.into(), &legal, EvalNoise::default());
        for name in moves {
            let legal = board.legal_moves();
            let mv = *legal.iter().find(|mv| mv.to_string() == *name).unwrap();
            board = worker.make(&table, &board, mv);
        }
        worker.has_upcoming_repetition(&board)
    }

    #[test]
    fn rook_can_return_to_a_former_square() {
        let fen = "r6k/8/8/8/8/8/6PP/R6K w - - 0 1";
        // Black can play Rb8, which repeats the position after its first move.
        assert!(detects(fen, &["h1g1", "a8b8", "a1b1", "b8c8", "b1a1"]));
        assert!(!detects(fen, &["h1g1", "a8b8", "a1b1", "b8c8", "b1c1"]));
        assert!(!detects(fen, &["h1g1", "a8b8", "g2g3"]));
        let blocked = "rn5k/8/8/8/8/8/6PP/R6K w - - 0 1";
        assert!(!detects(blocked, &["h1g1", "b8c6", "g1f1"]));
    }
}
