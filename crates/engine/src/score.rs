//! What positions are worth, inside the search and outside it.

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate, this one counted: positive for a mate given, negative for one suffered. Zero where the side to
    /// move is mated already.
    Mate(i32),
}

/// So many hundredths of a pawn are [`POINTS`] of the search, which has a measure of its own: at this one its margins are
/// worth what they should be, as matches have shown.
const CENTIPAWNS: i32 = 5;
const POINTS: i32 = 4;

/// The score from which on half of the games are won, and how steeply the share rises there: most likely by the results
/// of 300 games between equals, a second a game and a hundredth for each move, and the scores of their 38,000 moves.
const HALF_WON: f64 = 175.0;
const STEEPNESS: f64 = 108.0;

/// The deepest that a search goes below the root.
pub(crate) const MAX_PLY: usize = 200;
/// No score is as great.
pub(crate) const INFINITE: i32 = 32_001;
/// The worth of having given mate; a mate `n` plies away is worth `n` less.
pub(crate) const MATE: i32 = 32_000;
/// Scores from here on are mates.
pub(crate) const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
/// No evaluation is greater.
pub(crate) const EVAL_BOUND: i32 = 20_000;
pub(crate) const DRAW: i32 = 0;

/// Being mated so many plies from the root.
pub(crate) const fn mated_in(ply: usize) -> i32 {
    -MATE + ply as i32
}

pub(crate) const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_BOUND
}

/// Points of the search in hundredths of a pawn.
pub(crate) const fn centipawns(points: i32) -> i32 {
    points * CENTIPAWNS / POINTS
}

/// Hundredths of a pawn in points of the search.
pub(crate) const fn points(centipawns: i32) -> i32 {
    centipawns * POINTS / CENTIPAWNS
}

impl Score {
    /// What a score of the search means outside.
    pub(crate) const fn of(score: i32) -> Self {
        if score >= MATE_BOUND {
            Self::Mate((MATE - score + 1) / 2)
        } else if score <= -MATE_BOUND {
            Self::Mate(-(MATE + score) / 2)
        } else {
            Self::Centipawns(centipawns(score))
        }
    }

    /// How often the side to move wins, draws and loses, in thousandths.
    pub fn win_draw_loss(self) -> (u32, u32, u32) {
        let share =
            |score: f64| (1000.0 / (1.0 + ((HALF_WON - score) / STEEPNESS).exp())).round() as u32;
        match self {
            Self::Mate(moves) if moves > 0 => (1000, 0, 0),
            Self::Mate(_) => (0, 0, 1000),
            Self::Centipawns(points) => {
                let (win, loss) = (share(f64::from(points)), share(f64::from(-points)));
                (win, 1000 - win - loss, loss)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(Score::of(MATE - plies), Score::Mate(moves));
        }
        for (plies, moves) in [(0, 0), (2, -1), (4, -2)] {
            assert_eq!(Score::of(mated_in(plies)), Score::Mate(moves));
        }
        for centipawns in [-35, 0, 100, 20_000] {
            assert_eq!(Score::of(points(centipawns)), Score::Centipawns(centipawns));
        }
    }

    #[test]
    fn shares_of_results_add_up() {
        for points in -2000..2000 {
            let (win, draw, loss) = Score::Centipawns(points).win_draw_loss();
            assert_eq!(win + draw + loss, 1000);
            let (other_win, _, other_loss) = Score::Centipawns(-points).win_draw_loss();
            assert_eq!((win, loss), (other_loss, other_win));
        }
        assert_eq!(Score::Mate(3).win_draw_loss(), (1000, 0, 0));
        assert_eq!(Score::Mate(0).win_draw_loss(), (0, 0, 1000));
    }
}
