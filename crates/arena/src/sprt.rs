//! The sequential probability ratio test (SPRT), which ends a match as soon as its question is answered.

use std::f64::consts::SQRT_2;

use crate::tally::{NORMALIZED_ELO, expected, mean_and_variance};

/// The unit of the Elo differences of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EloModel {
    /// Normalised Elo, in standard deviations of a game.
    Normalized,
    /// Ordinary Elo, by the score.
    Logistic,
}

/// A sequential test of two hypotheses about the difference in strength.
///
/// ```
/// use tabiya_arena::{EloModel, Sprt, SprtDecision};
///
/// let test = Sprt { elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized };
/// assert_eq!(test.decision([379, 10_170, 21_828, 10_640, 343]), SprtDecision::AcceptH1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis: no gain.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis: a gain.
    pub elo1: f64,
    /// The probability of finding a gain where there is none.
    pub alpha: f64,
    /// The probability of missing a gain.
    pub beta: f64,
    /// The unit of the differences.
    pub model: EloModel,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// Undecided: play more games.
    Continue,
    /// The first engine is stronger by `elo1` rather than `elo0`.
    AcceptH1,
    /// The first engine is not stronger.
    AcceptH0,
}

/// Counts for a kind of pair that has not occurred, so that it stays possible.
const EPSILON: f64 = 1e-3;
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sprt {
    /// Returns the bounds of the log-likelihood ratio that accept the null and the alternative hypothesis.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// Returns the decision after pairs of games with 0, ½, 1, 1½ and 2 points.
    pub fn decision(&self, pairs: [u32; 5]) -> SprtDecision {
        let ratio = self.llr(pairs);
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            SprtDecision::AcceptH1
        } else if ratio <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        }
    }

    /// Returns the log-likelihood ratio of the two hypotheses, each under the distribution of that strength that fits
    /// the results best.
    pub fn llr(&self, pairs: [u32; 5]) -> f64 {
        if pairs == [0; 5] {
            return 0.0;
        }
        let counts = pairs.map(|count| f64::from(count).max(EPSILON));
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let ratio = |none: [f64; 5], gain: [f64; 5]| -> f64 {
            let terms = (0..5).map(|i| seen[i] * (gain[i] / none[i]).ln());
            total * terms.sum::<f64>()
        };
        match self.model {
            EloModel::Logistic => ratio(
                with_mean(&seen, expected(self.elo0)),
                with_mean(&seen, expected(self.elo1)),
            ),
            EloModel::Normalized => {
                let [none, gain] = [self.elo0, self.elo1].map(|elo| elo * SQRT_2 / NORMALIZED_ELO);
                match (with_deviations(&seen, none), with_deviations(&seen, gain)) {
                    (Some(none), Some(gain)) => ratio(none, gain),
                    _ => normal_llr(&seen, total, none, gain),
                }
            }
        }
    }
}

/// Returns the distribution with this mean under which the results are most likely.
///
/// It is `seen / (1 + θ·(score − mean))` with the θ that makes it a distribution: Van den Bergh, Comments on Normalized
/// Elo, proposition 1.1.
fn with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    let values = SCORES.map(|score| score - mean);
    // There are scores on both sides of the mean.
    tilted(seen, &values).unwrap_or(*seen)
}

/// The same for a mean that is this many standard deviations above a half (section 4.1 there), by iteration; `None` if
/// that does not converge, as may happen far from the results.
fn with_deviations(seen: &[f64; 5], deviations: f64) -> Option<[f64; 5]> {
    let mut found = *seen;
    for _ in 0..200 {
        let (mean, variance) = mean_and_variance(&found);
        let deviation = variance.sqrt();
        let values = SCORES.map(|score| {
            let distance = (score - mean) / deviation;
            score - 0.5 - 0.5 * deviations * deviation * (1.0 + distance * distance)
        });
        let next = tilted(seen, &values)?;
        let change = (0..5).map(|i| (next[i] - found[i]).abs());
        let most = change.fold(0.0, f64::max);
        found = next;
        if most < 1e-10 {
            return Some(found);
        }
    }
    None
}

/// Returns `seen / (1 + θ·value)` with the θ for which the values average zero; `None` if all have the same sign.
fn tilted(seen: &[f64; 5], values: &[f64; 5]) -> Option<[f64; 5]> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let mean = |theta: f64| -> f64 {
        let terms = seen.iter().zip(values);
        terms
            .map(|(p, value)| p * value / (1.0 + theta * value))
            .sum()
    };
    // Between these, all denominators are positive and the mean decreases.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            let found = [0, 1, 2, 3, 4].map(|i| seen[i] / (1.0 + middle * values[i]));
            return found
                .iter()
                .all(|p| p.is_finite() && *p > 0.0)
                .then_some(found);
        }
        if mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Approximates the ratio with a normal distribution.
fn normal_llr(seen: &[f64; 5], total: f64, none: f64, gain: f64) -> f64 {
    let (mean, variance) = mean_and_variance(seen);
    let found = (mean - 0.5) / variance.sqrt();
    total / 2.0 * ((1.0 + (found - none).powi(2)) / (1.0 + (found - gain).powi(2))).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(model: EloModel, none: f64, gain: f64, pairs: [u32; 5]) -> f64 {
        test(model, none, gain).llr(pairs)
    }

    fn test(model: EloModel, none: f64, gain: f64) -> Sprt {
        Sprt {
            elo0: none,
            elo1: gain,
            alpha: 0.05,
            beta: 0.05,
            model,
        }
    }

    /// Numbers from fastchess's own tests, and published with changes to it.
    #[test]
    fn llr_agrees_with_fastchess() {
        use EloModel::{Logistic, Normalized};
        for (model, none, gain, pairs, expected) in [
            (Normalized, 0.0, 2.0, [365, 16618, 36229, 16974, 390], 2.25),
            (Normalized, -1.75, 0.25, [127, 4883, 10712, 5150, 104], 3.01),
            (Normalized, -1000.0, -500.0, [77, 1, 0, 0, 0], -2.95),
            (Normalized, -1000.0, -500.0, [72, 10, 0, 0, 0], -2.97),
            (Normalized, 0.0, 2.0, [379, 10170, 21828, 10640, 343], 2.946),
            (Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246], -3.07),
            (Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821], -4.98),
        ] {
            let found = ratio(model, none, gain, pairs);
            // They are rounded to two digits.
            assert!(
                (found - expected).abs() < 0.006,
                "{model:?} {pairs:?}: {found} {expected}"
            );
        }
    }

    #[test]
    fn the_likely_hypothesis_is_accepted() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let test = test(model, 0.0, 10.0);
            assert_eq!(
                test.decision([50, 150, 400, 260, 140]),
                SprtDecision::AcceptH1
            );
            assert_eq!(
                test.decision([140, 260, 400, 150, 50]),
                SprtDecision::AcceptH0
            );
            assert_eq!(test.decision([1, 2, 3, 2, 1]), SprtDecision::Continue);
            assert_eq!(test.decision([0; 5]), SprtDecision::Continue);
            // From the opponent's point of view, the sign changes.
            let forth = ratio(model, -5.0, 5.0, [1, 7, 20, 9, 3]);
            let back = ratio(model, -5.0, 5.0, [3, 9, 20, 7, 1]);
            assert!((forth + back).abs() < 1e-6, "{forth} {back}");
        }
    }

    #[test]
    fn bounds_follow_from_the_error_rates() {
        let (lower, upper) = test(EloModel::Logistic, 0.0, 1.0).bounds();
        assert!((upper - 2.944).abs() < 0.001 && (lower + 2.944).abs() < 0.001);
        let strict = Sprt {
            alpha: 0.05,
            beta: 0.10,
            ..test(EloModel::Logistic, 0.0, 1.0)
        };
        let (lower, upper) = strict.bounds();
        assert!((upper - 18_f64.ln()).abs() < 1e-9);
        assert!((lower - (0.1_f64 / 0.95).ln()).abs() < 1e-9);
    }

    /// One-sided matches, for which other programs have failed to find a number.
    #[test]
    fn llr_is_always_finite() {
        for pairs in [
            [144, 3, 1, 0, 0],
            [1, 0, 0, 0, 0],
            [0, 0, 0, 0, 1],
            [0, 0, 1, 0, 0],
            [77, 1, 0, 0, 0],
            [0, 0, 100_000, 0, 0],
            [1, 0, 0, 0, 1],
        ] {
            for (none, gain) in [
                (0.0, 5.0),
                (-1500.0, -500.0),
                (500.0, 1500.0),
                (-1000.0, 1000.0),
            ] {
                for model in [EloModel::Normalized, EloModel::Logistic] {
                    let found = ratio(model, none, gain, pairs);
                    assert!(found.is_finite(), "{model:?} {none} {gain} {pairs:?}");
                }
            }
        }
        assert!(ratio(EloModel::Normalized, 0.0, 5.0, [144, 3, 1, 0, 0]) < 0.0);
    }
}
