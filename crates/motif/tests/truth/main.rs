//! Everything said about a move is true: by definitions written again in `oracle`, on known, random and generated
//! positions.

mod generated;
mod known;
mod oracle;
mod placing;
mod random;

use tabiya_board::{Board, Color, Move, Piece, Role, Setup, Square};

/// Numbers that look random and are the same every time (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn legal_move(&mut self, board: &Board) -> Option<Move> {
        let legal = board.legal_moves();
        (!legal.is_empty()).then(|| self.of(&legal))
    }

    /// A position with kings and these pieces on squares drawn at random; `None` if it is impossible.
    fn position(&mut self, pieces: &[Piece]) -> Option<Board> {
        let mut setup = Setup::default();
        let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
        for &piece in kings.iter().chain(pieces) {
            let square = Square::from_index(self.below(64))?;
            if setup.pieces.piece_at(square).is_some() {
                return None;
            }
            setup.pieces.put(square, piece);
        }
        setup.turn = self.of(&Color::ALL);
        Board::new(&setup).ok()
    }
}
