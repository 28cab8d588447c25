//! Random games, the same in every run.

use tabiya_board::Line;

/// Random numbers that are the same for the same seed (SplitMix64).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A game of so many random moves, or fewer if it ends.
pub(crate) fn random_line(rng: &mut Rng, plies: usize) -> Line {
    let mut line = Line::default();
    for _ in 0..plies {
        let moves = line.board().legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(rng.pick(&moves));
    }
    line
}
