//! Positions from random games, and random positions with few pieces. They are the same in every run.

use tabiya_board::{Board, Color, Piece, Role, Setup, Square};

/// A random number generator with a seed (SplitMix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Returns one position from each of `count` games of random moves.
pub(crate) fn from_random_games(seed: u64, count: usize) -> impl Iterator<Item = Board> {
    let mut rng = Rng(seed);
    (0..count).map(move |_| {
        let mut board = Board::start();
        for _ in 0..10 + rng.below(140) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(rng.pick(&moves));
        }
        board
    })
}

/// Returns `count` positions with the kings, up to `most` pieces for the side to move, and fewer for the opponent.
pub(crate) fn few_pieces(seed: u64, count: usize, most: usize) -> impl Iterator<Item = Board> {
    let mut rng = Rng(seed);
    std::iter::repeat_with(move || {
        let mut setup = Setup {
            turn: rng.pick(&Color::ALL),
            ..Setup::default()
        };
        let mut put = |rng: &mut Rng, color, role| {
            let square = Square::from_index(rng.below(64)).expect("64 squares");
            setup.pieces.put(square, Piece::new(color, role));
        };
        for _ in 0..=rng.below(most) {
            let role = rng.pick(&[
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
                Role::Rook,
                Role::Queen,
            ]);
            put(&mut rng, setup.turn, role);
        }
        for _ in 0..rng.below(most) {
            let role = rng.pick(&[Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop]);
            put(&mut rng, !setup.turn, role);
        }
        for color in Color::ALL {
            put(&mut rng, color, Role::King);
        }
        Board::new(&setup).ok()
    })
    .flatten()
    .take(count)
}
