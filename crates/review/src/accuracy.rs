//! The accuracy of moves, as calculated by Lichess.

use tabiya_board::Color;

/// The curve that maps lost winning chances to accuracy.
const HEIGHT: f64 = 103.1668100711649;
const DECAY: f64 = 0.04354415386753951;
const OFFSET: f64 = -3.166924740191411;
/// A bonus for every move that is not the best one, because the analysis is not perfect.
const DOUBT: f64 = 1.0;

/// The accuracy of a move, 0 to 100, given the player's winning chances before and after it, in percent.
///
/// ```
/// use tabiya_review::move_accuracy;
///
/// assert_eq!(move_accuracy(60.0, 60.0), 100.0);
/// assert!((move_accuracy(60.0, 50.0) - 64.58).abs() < 0.01);
/// ```
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let lost = before - after;
    (HEIGHT * (-DECAY * lost).exp() + OFFSET + DOUBT).clamp(0.0, 100.0)
}

/// The number of adjacent positions whose chances are compared.
fn window(moves: usize) -> usize {
    (moves / 10).clamp(2, 8)
}

/// The weight of a move: larger if the chances fluctuate around it.
const MIN_WEIGHT: f64 = 0.5;
const MAX_WEIGHT: f64 = 12.0;

/// The accuracy of a player in a game; `None` without moves.
///
/// It is the average of two means of the accuracies of the player's moves: a weighted mean, in which moves count more
/// where the chances fluctuate, and the harmonic mean, in which bad moves count more.
///
/// `percents` are White's chances at the start and after each move; `movers` are the sides that moved. `None` stands
/// for a null move, which is left out.
pub fn game_accuracy(percents: &[f64], movers: &[Option<Color>], player: Color) -> Option<f64> {
    let size = window(movers.len());
    let (mut weighted, mut weights) = (0.0, 0.0);
    let (mut moves, mut reciprocals) = (0.0, 0.0);
    for (i, (pair, _)) in percents
        .windows(2)
        .zip(movers)
        .enumerate()
        .filter(|(_, (_, mover))| **mover == Some(player))
    {
        // The window ends with the move; the first moves share the first window.
        let start = (i + 2).saturating_sub(size);
        let around = &percents[start..(start + size).min(percents.len())];
        let weight = standard_deviation(around).clamp(MIN_WEIGHT, MAX_WEIGHT);
        let accuracy = if player.is_white() {
            move_accuracy(pair[0], pair[1])
        } else {
            move_accuracy(100.0 - pair[0], 100.0 - pair[1])
        };
        weighted += accuracy * weight;
        weights += weight;
        moves += 1.0;
        // Otherwise a single move with accuracy 0 would make the mean 0.
        reciprocals += 1.0 / accuracy.max(1.0);
    }
    // Rounding can lift a mean of hundreds a little above 100.
    (moves > 0.0).then(|| f64::midpoint(weighted / weights, moves / reciprocals).min(100.0))
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Eval;
    use tabiya_board::Color::{Black, White};

    #[track_caller]
    fn assert_near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 0.01, "{found} is not {wanted}");
    }

    #[test]
    fn accuracy_of_moves() {
        assert_near(move_accuracy(50.0, 55.0), 100.0);
        // 103.1668 * e^-0.21772 - 3.1669 + 1 = 103.1668 * 0.80435 - 2.1669
        assert_near(move_accuracy(50.0, 45.0), 80.81);
        // 103.1668 * e^-0.87088 - 2.1669 = 103.1668 * 0.41858 - 2.1669
        assert_near(move_accuracy(70.0, 50.0), 41.02);
        assert_near(move_accuracy(100.0, 0.0), 0.0);
        // A tiny loss still counts as 100.
        assert_near(move_accuracy(50.0, 49.9), 100.0);
    }

    /// White loses 5 percent with the first move and none with the second; Black none, and then 20.
    #[test]
    fn accuracy_of_games() {
        let percents = [50.0, 45.0, 45.0, 45.0, 65.0];
        let movers = [Some(White), Some(Black), Some(White), Some(Black)];
        // Windows of two: the deviations are 2.5, 0 (so 0.5), 0 (so 0.5) and 10.
        // (80.81 * 2.5 + 100 * 0.5) / 3 = 84.01, and 2 / (1 / 80.81 + 1 / 100) = 89.39.
        assert_near(game_accuracy(&percents, &movers, White).unwrap(), 86.70);
        // (100 * 0.5 + 41.02 * 10) / 10.5 = 43.83, and 2 / (1 / 100 + 1 / 41.02) = 58.18.
        assert_near(game_accuracy(&percents, &movers, Black).unwrap(), 51.00);
        // A null move counts for no side.
        let passed = [Some(White), Some(Black), Some(White), None];
        assert_near(game_accuracy(&percents, &passed, Black).unwrap(), 100.0);
        assert_eq!(game_accuracy(&percents[..2], &movers[..1], Black), None);
        assert_eq!(game_accuracy(&[50.0], &[], White), None);
    }

    /// The mean of these three perfect moves is rounded to a number above 100 before it is cut off.
    #[test]
    fn perfect_moves_are_not_better_than_100() {
        let percents = [50.0, 55.4, 55.4, 60.7, 60.7, 62.8];
        let movers = [
            Some(White),
            Some(Black),
            Some(White),
            Some(Black),
            Some(White),
        ];
        assert_eq!(game_accuracy(&percents, &movers, White), Some(100.0));
    }

    /// In 30 moves the windows have three positions, and the first two moves share one.
    #[test]
    fn windows_grow_with_the_game() {
        let mut percents = vec![50.0; 31];
        percents[1] = 40.0;
        percents[2] = 40.0;
        for percent in &mut percents[3..] {
            *percent = 40.0;
        }
        let movers: Vec<_> = [Some(White), Some(Black)].repeat(15);
        // The first move loses ten percent: 64.58 of accuracy. The deviation of 50, 40, 40 is 4.714; then it is 0.
        let lost = move_accuracy(50.0, 40.0);
        assert_near(lost, 64.58);
        let weighted = (lost * 4.714 + 100.0 * 0.5 * 14.0) / (4.714 + 7.0);
        let harmonic = 15.0 / (1.0 / lost + 0.14);
        let found = game_accuracy(&percents, &movers, White).unwrap();
        assert_near(found, f64::midpoint(weighted, harmonic));
        assert_eq!((window(19), window(30), window(200)), (2, 3, 8));
    }

    /// Values from the tests of Lichess.
    #[test]
    fn games_as_lichess_counts_them() {
        let good_then_bad = [vec![15; 20], vec![-900]].concat();
        for (evals, white, black, tolerance) in [
            (vec![15, 15], 100.0, 100.0, 1.0),
            (vec![-900, -900], 10.0, 100.0, 5.0),
            (vec![-900, 0], 10.0, 10.0, 5.0),
            (good_then_bad, 50.0, 100.0, 5.0),
            ([-50, 15].repeat(50), 76.0, 76.0, 8.0),
            ([-135, 15].repeat(50), 54.0, 54.0, 8.0),
            ([-435, 15].repeat(50), 20.0, 20.0, 8.0),
        ] {
            let movers: Vec<_> = (0..evals.len())
                .map(|ply| Some(if ply % 2 == 0 { White } else { Black }))
                .collect();
            let all = std::iter::once(&15).chain(&evals);
            let percents: Vec<f64> = all
                .map(|&points| Eval::Centipawns(points).win_percent())
                .collect();
            for (player, wanted) in [(White, white), (Black, black)] {
                let found = game_accuracy(&percents, &movers, player).unwrap();
                assert!(
                    (found - wanted).abs() <= tolerance,
                    "{evals:?} {player}: {found}"
                );
            }
        }
    }

    #[test]
    fn one_blunder_leaves_some_accuracy() {
        let percents = [100.0, 0.0, 0.0, 0.0];
        let movers = [Some(White), Some(Black), Some(White)];
        let found = game_accuracy(&percents, &movers, White).unwrap();
        // (0 * 12 + 100 * 0.5) / 12.5 = 4, and 2 / (1 / 1 + 1 / 100) = 1.98.
        assert_near(found, 2.99);
    }
}
