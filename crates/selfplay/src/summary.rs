//! Counting games, results and scores.

use crate::game::{Termination, Wdl};

/// The lower ends of the score bands, and the greatest score. The first and the last band are mates.
const SCORE_BANDS: [i16; 12] = [
    i16::MIN,
    -29_000,
    -1000,
    -400,
    -150,
    -50,
    51,
    151,
    401,
    1001,
    29_000,
    i16::MAX,
];

/// Returns the band of a score.
fn band(score: i16) -> usize {
    let upper_ends = &SCORE_BANDS[1..SCORE_BANDS.len() - 1];
    upper_ends.iter().filter(|&&end| score >= end).count()
}

/// Returns the lowest and the highest score of a band of [`FileSummary::scores`].
pub fn score_band(band: usize) -> [i16; 2] {
    let last = band + 2 == SCORE_BANDS.len();
    [SCORE_BANDS[band], SCORE_BANDS[band + 1] - i16::from(!last)]
}

/// Counts of games, results and scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSummary {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// White's results: lost, drawn, won.
    pub results: [u64; 3],
    /// How games ended, in the order of [`Termination::ALL`].
    pub terminations: [u64; 8],
    /// The number of scores in each band.
    pub scores: [u64; SCORE_BANDS.len() - 1],
}

impl FileSummary {
    /// Counts a game.
    pub fn add_game(&mut self, result: Wdl, termination: Option<Termination>) {
        self.games += 1;
        self.results[result as usize] += 1;
        if let Some(termination) = termination {
            self.terminations[termination as usize] += 1;
        }
    }

    /// Counts a position by its score.
    pub fn add_score(&mut self, score: i16) {
        self.positions += 1;
        self.scores[band(score)] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_its_band() {
        assert_eq!(band(i16::MIN), 0);
        assert_eq!(band(-29_001), 0);
        assert_eq!(band(-29_000), 1);
        assert_eq!(band(-51), 4);
        for level in [-50, 0, 50] {
            assert_eq!(band(level), 5);
        }
        assert_eq!(band(51), 6);
        assert_eq!(band(28_999), 9);
        assert_eq!(band(29_000), 10);
        assert_eq!(band(i16::MAX), 10);
    }
}
