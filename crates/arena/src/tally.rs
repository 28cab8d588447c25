//! What the results of many games are worth.

/// The results of pairs of games of one opening with both colours, as the first engine sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// How many pairs gave no, half a, one, one and a half, and two points.
    pub pairs: [u32; 5],
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The most likely one.
    pub value: f64,
    /// The real one is closer than this in nineteen of twenty cases; infinite where all games ended alike.
    pub error: f64,
}

/// A sequential test between two differences in strength: it ends as soon as the games decide for one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference that means no gain.
    pub none: f64,
    /// The difference that means a gain.
    pub gain: f64,
}

impl Sprt {
    /// Where the test ends, for errors of one in twenty.
    pub const BOUND: f64 = 2.944_438_979_166_440_3;
}

/// The score that a difference in strength leads to.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

impl Tally {
    /// Counts a pair of games by their results in half-points.
    pub fn add_pair(&mut self, first: u32, second: u32) {
        self.add_game(first);
        self.add_game(second);
        self.pairs[(first + second).min(4) as usize] += 1;
    }

    /// Counts a game that has no partner.
    pub fn add_game(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// How many games there are.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// The mean of the pairs and its variance, in shares of the points. Games of one opening are not independent, but
    /// pairs are.
    fn mean_and_variance(&self) -> (f64, f64) {
        let pairs: u32 = self.pairs.iter().sum();
        let each = self
            .pairs
            .map(|count| f64::from(count) / f64::from(pairs.max(1)));
        let mean: f64 = (0..5).map(|i| each[i] * i as f64 / 4.0).sum();
        let variance = (0..5)
            .map(|i| each[i] * (i as f64 / 4.0 - mean).powi(2))
            .sum::<f64>();
        (mean, variance / f64::from(pairs.max(1)))
    }

    /// The difference in strength.
    pub fn elo(&self) -> Elo {
        let (mean, variance) = self.mean_and_variance();
        let margin = 1.96 * variance.sqrt();
        let value = elo(self.score());
        let (low, high) = (mean - margin, mean + margin);
        let error = if variance == 0.0 || low <= 0.0 || high >= 1.0 {
            f64::INFINITY
        } else {
            (elo(high) - elo(low)) / 2.0
        };
        Elo { value, error }
    }

    /// The logarithm of how much more likely the results are with a gain than without.
    pub fn likelihood_ratio(&self, test: Sprt) -> f64 {
        let (mean, variance) = self.mean_and_variance();
        if variance == 0.0 {
            return 0.0;
        }
        let (none, gain) = (expected(test.none), expected(test.gain));
        (gain - none) * (2.0 * mean - none - gain) / (2.0 * variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u32; 5]) -> Tally {
        let mut tally = Tally::default();
        for (points, count) in pairs.into_iter().enumerate() {
            let points = points as u32;
            for _ in 0..count {
                tally.add_pair(points / 2, points - points / 2);
            }
        }
        tally
    }

    #[test]
    fn equal_results_are_no_difference() {
        let elo = tally([10, 20, 40, 20, 10]).elo();
        assert!(elo.value.abs() < 1e-9);
        // 100 pairs with a standard deviation of 0.274 of their points: 19.7 is what the formula gives by hand.
        let by_hand = 1.96 * (0.075_f64 / 100.0).sqrt() * 400.0 * 4.0 / 10_f64.ln();
        assert!((elo.error - by_hand).abs() < 0.5, "{elo:?} {by_hand}");
    }

    #[test]
    fn a_score_of_three_quarters_is_191_points() {
        let elo = tally([0, 5, 20, 45, 30]).elo();
        assert!((elo.value - 190.8).abs() < 0.1, "{elo:?}");
    }

    #[test]
    fn a_test_decides_for_what_is_likely() {
        let test = Sprt {
            none: 0.0,
            gain: 10.0,
        };
        assert!(tally([50, 150, 400, 260, 140]).likelihood_ratio(test) > Sprt::BOUND);
        assert!(tally([140, 260, 400, 150, 50]).likelihood_ratio(test) < -Sprt::BOUND);
        assert!(tally([0, 0, 7, 0, 0]).likelihood_ratio(test).abs() < 1e-9);
    }

    #[test]
    fn a_clean_sweep_has_no_error_bar() {
        assert!(tally([0, 0, 0, 0, 9]).elo().error.is_infinite());
        assert!(Tally::default().elo().error.is_infinite());
    }
}
