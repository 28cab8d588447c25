//! Repetitions that are one move away.
//!
//! Two positions that are one reversible move apart differ in their keys by the numbers of a piece on two squares and
//! of the turn. All such differences, 3,668 of them, lie in a table with two possible places for each: a cuckoo hash, as
//! Marcel van Kervinck has described it.

use std::sync::LazyLock;

use tabiya_board::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::Worker;

const SIZE: usize = 8192;

/// A reversible move in either direction; zero is no key of any.
#[derive(Clone, Copy)]
struct Step {
    key: u64,
    squares: [Square; 2],
}

const fn places(key: u64) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

static STEPS: LazyLock<Box<[Step]>> = LazyLock::new(|| {
    let empty = Step {
        key: 0,
        squares: [Square::A1; 2],
    };
    let mut table = vec![empty; SIZE].into_boxed_slice();
    for step in steps() {
        let mut step = step;
        let [mut place, _] = places(step.key);
        loop {
            std::mem::swap(&mut table[place], &mut step);
            if step.key == 0 {
                break;
            }
            // Whoever was there goes to its other place.
            let [first, second] = places(step.key);
            place = if place == first { second } else { first };
        }
    }
    table
});

/// All reversible moves on an empty board, each once.
fn steps() -> impl Iterator<Item = Step> {
    let start = Board::start();
    let turn = start.pass().map_or(0, |passed| passed.key() ^ start.key());
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
                .map(move |to| Step {
                    key: Board::piece_key(piece, from) ^ Board::piece_key(piece, to) ^ turn,
                    squares: [from, to],
                })
        })
    })
}

impl Worker {
    /// Whether the side to move can bring about a position that has been on the line that is being looked at.
    pub(super) fn can_repeat(&self, board: &Board) -> bool {
        let now = self.keys.len() - 1;
        let reversible = usize::from(board.halfmove_clock())
            .min(self.stack[self.ply].since_pass)
            .min(now)
            .min(self.ply.saturating_sub(1));
        (3..=reversible).step_by(2).any(|ago| {
            let difference = self.keys[now] ^ self.keys[now - ago];
            places(difference).into_iter().any(|place| {
                let step = &STEPS[place];
                let [a, b] = step.squares;
                let own = board.by_color(board.turn());
                step.key == difference
                    && !attacks::between(a, b).intersects(board.occupied())
                    && (own.contains(a) || own.contains(b))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::Misjudgement;
    use crate::tt::Table;

    #[test]
    fn every_step_is_found() {
        let mut count = 0;
        for step in steps() {
            let found = places(step.key)
                .into_iter()
                .filter(|&place| STEPS[place].key == step.key);
            assert_eq!(found.count(), 1);
            count += 1;
        }
        assert_eq!(count, 3668);
    }

    /// Whether a repetition is seen after moves from a position, the search having begun before the first of them.
    fn is_seen(fen: &str, moves: &[&str]) -> bool {
        let mut board: Board = fen.parse().unwrap();
        let table = Table::new(1).unwrap();
        let mut worker = Worker::new(true, None);
        let legal: Vec<_> = board.legal_moves().into_iter().collect();
        worker.prepare(&board.into(), &legal, Misjudgement::default());
        for name in moves {
            let legal = board.legal_moves();
            let mv = *legal.iter().find(|mv| mv.to_string() == *name).unwrap();
            board = worker.forward(&table, &board, mv);
        }
        worker.can_repeat(&board)
    }

    #[test]
    fn a_rook_can_go_back() {
        let fen = "r6k/8/8/8/8/8/6PP/R6K w - - 0 1";
        // Black may go back to b8, where the position after its first move comes again.
        assert!(is_seen(fen, &["h1g1", "a8b8", "a1b1", "b8c8", "b1a1"]));
        assert!(!is_seen(fen, &["h1g1", "a8b8", "a1b1", "b8c8", "b1c1"]));
        assert!(!is_seen(fen, &["h1g1", "a8b8", "g2g3"]));
        // The way back is blocked.
        assert!(!is_seen(
            "rn5k/8/8/8/8/8/6PP/R6K w - - 0 1",
            &["h1g1", "b8c6", "g1f1"]
        ));
    }
}
