//! Statistics of match results.
//!
//! The formulas are those of fastchess, based on pairs of games: two games with the same opening are not independent,
//! but pairs are.

/// The results of games from one side's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u32; 5],
}

/// An Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The most likely difference; infinite if one side has all points, NaN without pairs.
    pub value: f64,
    /// Half the width of the 95 % confidence interval; infinite if the results do not determine it.
    pub error: f64,
}

/// The 95 % confidence interval in standard deviations to each side.
pub(crate) const CONFIDENCE: f64 = 1.959_963_984_540_054;

/// Normalised Elo per standard deviation of a game.
pub(crate) const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// Returns the expected score for an Elo difference.
pub(crate) fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the mean and the variance of the score of a pair with these probabilities of 0, ¼, ½, ¾ and 1.
pub(crate) fn mean_and_variance(each: &[f64; 5]) -> (f64, f64) {
    let quarters = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean: f64 = each.iter().zip(quarters).map(|(p, x)| p * x).sum();
    let squares = each
        .iter()
        .zip(quarters)
        .map(|(p, x)| p * (x - mean).powi(2));
    (mean, squares.sum())
}

/// Returns the cumulative distribution function of the standard normal distribution.
fn normal_cdf(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    // The series x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …, times the density.
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

impl Tally {
    /// Counts a game with these half-points.
    pub fn add_game(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a pair by the half-points of both games. Its games must be counted as well.
    pub fn add_pair(&mut self, half_points: u32) {
        self.pairs[half_points.min(4) as usize] += 1;
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (sum, count) in self.pairs.iter_mut().zip(other.pairs) {
            *sum += count;
        }
    }

    /// Returns the number of games.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Returns the score between 0 and 1; a half without games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / f64::from(games),
        }
    }

    fn pair_count(&self) -> f64 {
        f64::from(self.pairs.iter().sum::<u32>())
    }

    /// Returns the mean of the pairs, their variance, and the variance of the mean.
    fn moments(&self) -> (f64, f64, f64) {
        let number = self.pair_count();
        let each = self.pairs.map(|count| f64::from(count) / number);
        let (mean, variance) = mean_and_variance(&each);
        (mean, variance, variance / number)
    }

    /// Returns the Elo difference.
    pub fn elo(&self) -> Elo {
        let (mean, variance, of_mean) = self.moments();
        let margin = CONFIDENCE * of_mean.sqrt();
        let (low, high) = (mean - margin, mean + margin);
        let known = variance > 0.0 && low > 0.0 && high < 1.0;
        Elo {
            // Turns -0 into 0.
            value: elo(mean) + 0.0,
            error: if known {
                (elo(high) - elo(low)) / 2.0
            } else {
                f64::INFINITY
            },
        }
    }

    /// Returns the normalised Elo difference, in standard deviations of a game. It depends little on openings and time
    /// control.
    pub fn normalized_elo(&self) -> Elo {
        let (mean, variance, _) = self.moments();
        let is_known = variance > 0.0;
        let scale = NORMALIZED_ELO / std::f64::consts::SQRT_2;
        Elo {
            value: if (mean - 0.5).abs() < f64::EPSILON {
                0.0
            } else {
                (mean - 0.5) / variance.sqrt() * scale
            },
            error: if is_known {
                CONFIDENCE / self.pair_count().sqrt() * scale
            } else {
                f64::INFINITY
            },
        }
    }

    /// Returns the likelihood of superiority: the probability that this side is stronger.
    pub fn los(&self) -> f64 {
        let (mean, _, of_mean) = self.moments();
        if self.pair_count() == 0.0 || (mean - 0.5).abs() < f64::EPSILON {
            return 0.5;
        }
        normal_cdf((mean - 0.5) / of_mean.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u32; 5]) -> Tally {
        Tally {
            pairs,
            ..Tally::default()
        }
    }

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.006, "{found} {expected}");
    }

    /// Numbers from fastchess's own tests.
    #[test]
    fn numbers_agree_with_fastchess() {
        let first = tally([34, 54, 63, 64, 75]);
        close(first.elo().value, 55.58);
        close(first.elo().error, 27.65);
        close(first.normalized_elo().value, 57.94);
        close(first.normalized_elo().error, 28.28);
        close(first.los(), 1.0);
        let second = tally([332, 433, 498, 333, 334]);
        close(second.elo().value, -8.64);
        close(second.elo().error, 10.33);
        close(second.normalized_elo().value, -9.17);
        close(second.normalized_elo().error, 10.96);
        assert!((second.los() - 0.0505).abs() < 0.00006);
        let third = tally([7895, 8757, 5685, 568, 9999]);
        close(third.elo().value, -21.04);
        close(third.elo().error, 2.95);
        close(third.normalized_elo().value, -19.01);
        close(third.normalized_elo().error, 2.65);
        // Published with a change to it.
        let fourth = tally([379, 10170, 21828, 10640, 343]).normalized_elo();
        close(fourth.value, 3.05);
        close(fourth.error, 2.31);
    }

    #[test]
    fn equal_results_give_zero_elo() {
        let even = tally([10, 20, 40, 20, 10]);
        assert!(even.elo().value.abs() < 1e-9);
        assert!(even.normalized_elo().value.abs() < 1e-9);
        assert!((even.los() - 0.5).abs() < 1e-9);
        // 100 pairs with a variance of 0.075: by hand, with the slope of Elo at a half.
        let by_hand = CONFIDENCE * (0.075_f64 / 100.0).sqrt() * 400.0 * 4.0 / 10_f64.ln();
        assert!((even.elo().error - by_hand).abs() < 0.5, "{by_hand}");
    }

    #[test]
    fn a_score_of_three_quarters_is_191_points() {
        let elo = tally([0, 5, 20, 45, 30]).elo();
        assert!((elo.value - 190.8).abs() < 0.1, "{elo:?}");
    }

    #[test]
    fn undetermined_numbers_are_infinite() {
        let sweep = tally([0, 0, 0, 0, 9]);
        assert!(sweep.elo().value.is_infinite() && sweep.elo().error.is_infinite());
        assert!(sweep.normalized_elo().error.is_infinite());
        assert!(sweep.los() > 0.999);
        assert!(tally([9, 0, 0, 0, 0]).los() < 0.001);
        let none = Tally::default();
        assert!(none.elo().value.is_nan() && none.elo().error.is_infinite());
        assert!((none.los() - 0.5).abs() < 1e-9);
        let draws = tally([0, 0, 7, 0, 0]);
        assert!(draws.elo().value.abs() < 1e-9 && draws.elo().error.is_infinite());
        assert!(draws.normalized_elo().value.abs() < 1e-9);
    }

    #[test]
    fn the_normal_distribution() {
        // From a table of the distribution.
        for (x, share) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (-1.959_963_985, 0.025),
            (3.0, 0.998_650_102),
            (-6.0, 9.865_876e-10),
        ] {
            assert!((normal_cdf(x) - share).abs() < 1e-9, "{x}");
        }
        assert!(normal_cdf(7.9) <= 1.0 && normal_cdf(-7.9) >= -1e-15);
        assert!(normal_cdf(f64::INFINITY) > 0.999 && normal_cdf(f64::NEG_INFINITY) < 0.001);
    }

    #[test]
    fn games_and_pairs_are_counted() {
        let mut tally = Tally::default();
        tally.add_game(2);
        tally.add_game(1);
        tally.add_pair(3);
        tally.add_game(0);
        assert_eq!((tally.games(), tally.pairs), (3, [0, 0, 0, 1, 0]));
        assert!((tally.score() - 0.5).abs() < 1e-9);
        let mut sum = tally;
        sum.add(&tally);
        assert_eq!(
            (sum.wins, sum.draws, sum.losses, sum.pairs[3]),
            (2, 2, 2, 2)
        );
    }
}
