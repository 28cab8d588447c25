//! Random games from a fixed seed.

use tabiya_board::GameHistory;

/// Seeded random numbers (SplitMix64).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    /// Returns true once in `times` on average.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Plays random moves until the game ends or has this many plies.
pub(crate) fn random_line(rng: &mut Rng, plies: usize) -> GameHistory {
    let mut line = GameHistory::default();
    for _ in 0..plies {
        let moves = line.board().legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(rng.pick(&moves));
    }
    line
}
