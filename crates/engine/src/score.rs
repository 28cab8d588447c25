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

impl Score {
    /// The score as the search has it.
    pub(crate) const fn of(score: i32) -> Self {
        if score >= MATE_BOUND {
            Self::Mate((MATE - score + 1) / 2)
        } else if score <= -MATE_BOUND {
            Self::Mate(-(MATE + score) / 2)
        } else {
            Self::Centipawns(score)
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
        assert_eq!(Score::of(-35), Score::Centipawns(-35));
        assert_eq!(Score::of(EVAL_BOUND), Score::Centipawns(EVAL_BOUND));
    }
}
