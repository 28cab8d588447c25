//! Ratings of players from their games against each other.

use crate::tally::{CONFIDENCE, Elo, Tally};

/// Elo points per factor of e in the odds.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Iterations of Newton's method; it needs about ten.
const STEPS: usize = 100;
/// The longest step. Far from the solution, longer ones diverge.
const MAX_STEP: f64 = 1.0;

/// Returns the ratings that make the results most likely, and average zero. `table[a][b]` holds the results of `a`
/// against `b`.
///
/// This is the Bradley-Terry model: the expected score is the logistic function of the difference, and a draw is half a
/// point. Every player gets one extra draw against a player rated zero, which keeps the ratings of players finite who
/// win or lose everything, and changes the others by a fraction of their error. The errors come from the curvature of
/// the likelihood, scaled by how much the pairs of games really vary: with draws, less than the model assumes.
pub fn ratings(table: &[Vec<Tally>]) -> Vec<Elo> {
    let players = table.len();
    let mut strengths = vec![0.0; players];
    for _ in 0..STEPS {
        let (slope, curvature) = likelihood(table, &strengths);
        let Some(inverse) = inverse(curvature) else {
            break;
        };
        let steps = inverse.iter().map(|row| {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            step.clamp(-MAX_STEP, MAX_STEP)
        });
        let mut longest = 0.0_f64;
        for (strength, step) in strengths.iter_mut().zip(steps) {
            *strength += step;
            longest = longest.max(step.abs());
        }
        if longest < 1e-9 {
            break;
        }
    }
    let (_, curvature) = likelihood(table, &strengths);
    let spread = dispersion(table, &strengths);
    let inverse = inverse(curvature);
    let error = |player: usize| match &inverse {
        Some(inverse) => {
            CONFIDENCE * ELO_PER_LOGIT * (spread * from_middle(inverse, player)).sqrt()
        }
        None => f64::INFINITY,
    };
    let middle = strengths.iter().sum::<f64>() / players.max(1) as f64;
    (0..players)
        .map(|player| Elo {
            value: ELO_PER_LOGIT * (strengths[player] - middle),
            error: if table[player].iter().all(|tally| tally.games() == 0) {
                f64::INFINITY
            } else {
                error(player)
            },
        })
        .collect()
}

/// Returns the variance of a strength relative to the average: games say nothing about the average itself.
fn from_middle(covariance: &[Vec<f64>], player: usize) -> f64 {
    let count = covariance.len() as f64;
    let with_middle = covariance[player].iter().sum::<f64>() / count;
    let of_middle = covariance.iter().flatten().sum::<f64>() / (count * count);
    covariance[player][player] - 2.0 * with_middle + of_middle
}

/// Returns the expected score at this difference.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Returns the gradient of the log-likelihood and its negative Hessian.
fn likelihood(table: &[Vec<Tally>], strengths: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = table.len();
    let mut slope = vec![0.0; players];
    let mut curvature = vec![vec![0.0; players]; players];
    for a in 0..players {
        // The extra draw.
        let share = chance(strengths[a]);
        slope[a] += 0.5 - share;
        curvature[a][a] += share * (1.0 - share);
        for b in 0..players {
            let tally = &table[a][b];
            let games = f64::from(tally.games());
            let share = chance(strengths[a] - strengths[b]);
            slope[a] += tally.points() - games * share;
            let bend = games * share * (1.0 - share);
            curvature[a][a] += bend;
            curvature[a][b] -= bend;
        }
    }
    (slope, curvature)
}

/// Returns the variance of the pairs relative to the model's; 1 if there are few.
fn dispersion(table: &[Vec<Tally>], strengths: &[f64]) -> f64 {
    // Start with one pair that varies as in the model.
    let (mut sum, mut pairs) = (1.0, 1.0);
    for (a, row) in table.iter().enumerate() {
        for (b, tally) in row.iter().enumerate().skip(a + 1) {
            let share = chance(strengths[a] - strengths[b]);
            for (half_points, &count) in tally.pairs.iter().enumerate() {
                let off = half_points as f64 / 2.0 - 2.0 * share;
                sum += f64::from(count) * off * off / (2.0 * share * (1.0 - share));
                pairs += f64::from(count);
            }
        }
    }
    let free = pairs - (table.len() as f64 - 1.0);
    if free < 1.0 { 1.0 } else { sum / free }
}

/// Inverts a matrix by Gauss-Jordan elimination; `None` if it is singular.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |row: usize| (0..size).map(move |column| f64::from(u8::from(row == column)));
    let mut inverse: Vec<Vec<f64>> = (0..size).map(|row| unit(row).collect()).collect();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        for value in matrix[column].iter_mut().chain(&mut inverse[column]) {
            *value /= scale;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for i in 0..size {
                matrix[row][i] -= factor * matrix[column][i];
                inverse[row][i] -= factor * inverse[column][i];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a table from pairs of games.
    fn table(players: usize, results: &[(usize, usize, [u32; 5])]) -> Vec<Vec<Tally>> {
        let mut table = vec![vec![Tally::default(); players]; players];
        for &(a, b, pairs) in results {
            for (half_points, count) in (0_u32..).zip(pairs) {
                for _ in 0..count {
                    let games = [half_points / 2, half_points - half_points / 2];
                    for (a, b, flip) in [(a, b, false), (b, a, true)] {
                        for points in games {
                            table[a][b].add_game(if flip { 2 - points } else { points });
                        }
                        table[a][b].add_pair(if flip { 4 - half_points } else { half_points });
                    }
                }
            }
        }
        table
    }

    #[test]
    fn rating_difference_of_two_players_follows_from_their_score() {
        let pairs = [50, 50, 100, 150, 150];
        let found = ratings(&table(2, &[(0, 1, pairs)]));
        let difference = found[0].value - found[1].value;
        let tally = table(2, &[(0, 1, pairs)])[0][1];
        // The extra draw changes it a little.
        assert!(
            (difference - tally.elo().value).abs() < 1.0,
            "{difference} {:?}",
            tally.elo()
        );
        assert!((found[0].value + found[1].value).abs() < 1e-6);
        assert!(found[0].error > 0.0 && found[0].error.is_finite());
    }

    #[test]
    fn ratings_are_transitive() {
        // Three quarters of the points are 191 Elo; twice that lies between the first and the third.
        let three_quarters = [0, 0, 100, 0, 100];
        let found = ratings(&table(3, &[(0, 1, three_quarters), (1, 2, three_quarters)]));
        let apart = found[0].value - found[2].value;
        assert!((apart - 2.0 * 190.85).abs() < 5.0, "{apart}");
        assert!(found[1].value.abs() < 1.0);
    }

    #[test]
    fn ratings_are_always_finite() {
        let found = ratings(&table(
            3,
            &[(0, 1, [0, 0, 0, 0, 10]), (1, 2, [0, 0, 0, 0, 10])],
        ));
        assert!(found.iter().all(|rating| rating.value.is_finite()));
        assert!(found[0].value > found[1].value + 200.0);
        assert!(found[1].value > found[2].value + 200.0);
        let idle = ratings(&table(2, &[]));
        assert!(idle.iter().all(|rating| rating.value.abs() < 1e-9));
        assert!(idle.iter().all(|rating| rating.error.is_infinite()));
        assert!(ratings(&[]).is_empty());
    }

    /// Random matches between players of known strength: 95 % lie within the error.
    #[test]
    fn errors_are_95_percent_intervals() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut chance_of = |share: f64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 11) as f64 / (1_u64 << 53) as f64 <= share
        };
        let strengths = [0.3, 0.0, -0.3];
        let (mut inside, mut all) = (0, 0);
        for _ in 0..200 {
            let mut results = Vec::new();
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let mut pairs = [0; 5];
                let share = chance(strengths[a] - strengths[b]);
                for _ in 0..40 {
                    // Half of the games are drawn.
                    let mut half_points = 0;
                    for _ in 0..2 {
                        half_points += if chance_of(0.5) {
                            1
                        } else {
                            2 * usize::from(chance_of(2.0 * share - 0.5))
                        };
                    }
                    pairs[half_points] += 1;
                }
                results.push((a, b, pairs));
            }
            for (found, strength) in ratings(&table(3, &results)).iter().zip(strengths) {
                all += 1;
                inside += usize::from((found.value - ELO_PER_LOGIT * strength).abs() < found.error);
            }
        }
        let share = f64::from(inside as u32) / f64::from(all);
        assert!((0.92..0.98).contains(&share), "{share}");
    }
}
