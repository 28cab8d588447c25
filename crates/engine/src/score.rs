//! Scores inside the search, and their conversion to centipawns and moves to mate.

use tabiya_notation::Score;

/// 4 internal units = 5 centipawns. The margins of the search are tuned to this unit; `docs/lab/engine.md` has the
/// matches.
const CENTIPAWNS: i32 = 5;
const POINTS: i32 = 4;

/// The score in centipawns at which half of the games are won, and the slope there: a maximum-likelihood fit to 300
/// games of self-play at 1 s + 0.01 s per move, 38,000 positions.
const HALF_WON: f64 = 175.0;
const STEEPNESS: f64 = 108.0;

/// The greatest ply of a search.
pub(crate) const MAX_PLY: usize = 200;
/// Greater than every score.
pub(crate) const INFINITE: i32 = 32_001;
/// The score of a mate on the board. A mate in `n` plies scores `n` less.
pub(crate) const MATE: i32 = 32_000;
/// Scores from here on are mate scores.
pub(crate) const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
/// The greatest static evaluation.
pub(crate) const EVAL_BOUND: i32 = 20_000;
pub(crate) const DRAW: i32 = 0;

/// Returns the score of being mated at a ply.
pub(crate) const fn mated_in(ply: usize) -> i32 {
    -MATE + ply as i32
}

pub(crate) const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_BOUND
}

/// Fail firm: brings a score above beta nearer to it, because such a score is not exact. The score weighs `weight`
/// times as much as beta.
pub(crate) const fn fail_firm(score: i32, beta: i32, weight: i32) -> i32 {
    if score < beta || is_mate(score) || is_mate(beta) {
        score
    } else {
        (weight * score + beta) / (weight + 1)
    }
}

/// Converts internal units to centipawns.
pub(crate) const fn centipawns(points: i32) -> i32 {
    points * CENTIPAWNS / POINTS
}

/// Converts centipawns to internal units.
pub(crate) const fn points(centipawns: i32) -> i32 {
    centipawns * POINTS / CENTIPAWNS
}

/// Converts a score of the search to a reported one.
pub(crate) const fn to_score(score: i32) -> Score {
    if score >= MATE_BOUND {
        Score::Mate((MATE - score + 1) / 2)
    } else if score <= -MATE_BOUND {
        Score::Mate(-(MATE + score) / 2)
    } else {
        Score::Cp(centipawns(score))
    }
}

/// Returns the expected wins, draws and losses of the side to move, in thousandths.
pub(crate) fn win_draw_loss(score: Score) -> [u32; 3] {
    let share =
        |score: f64| (1000.0 / (1.0 + ((HALF_WON - score) / STEEPNESS).exp())).round() as u32;
    match score {
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
        Score::Cp(centipawns) => {
            let centipawns = f64::from(centipawns);
            let (win, loss) = (share(centipawns), share(-centipawns));
            [win, 1000 - win - loss, loss]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_scores_are_converted_to_moves() {
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(to_score(MATE - plies), Score::Mate(moves));
        }
        for (plies, moves) in [(0, 0), (2, -1), (4, -2)] {
            assert_eq!(to_score(mated_in(plies)), Score::Mate(moves));
        }
        for centipawns in [-35, 0, 100, 20_000] {
            assert_eq!(to_score(points(centipawns)), Score::Cp(centipawns));
        }
    }

    #[test]
    fn win_draw_loss_adds_up_and_is_symmetric() {
        for points in -2000..2000 {
            let [win, draw, loss] = win_draw_loss(Score::Cp(points));
            assert_eq!(win + draw + loss, 1000);
            let [other_win, _, other_loss] = win_draw_loss(Score::Cp(-points));
            assert_eq!((win, loss), (other_loss, other_win));
        }
        assert_eq!(win_draw_loss(Score::Mate(3)), [1000, 0, 0]);
        assert_eq!(win_draw_loss(Score::Mate(0)), [0, 0, 1000]);
    }
}
