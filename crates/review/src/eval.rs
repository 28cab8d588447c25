//! Evaluations from White's point of view, and the winning chances they mean.

use std::fmt;

use tabiya_board::{Color, Outcome};
use tabiya_notation::Score;
use tabiya_notation::uci::{Bound, SearchInfo};

/// The evaluation of a position from White's point of view.
///
/// Prints as in the `[%eval]` of a PGN: in pawns, or as `#` and the moves to mate, negative if Black mates. The `+`
/// flag adds a sign to positive evaluations.
///
/// ```
/// use tabiya_board::Color;
/// use tabiya_notation::Score;
/// use tabiya_review::Eval;
///
/// let eval = Eval::new(Score::Cp(31), Color::Black);
/// assert_eq!(eval.to_string(), "-0.31");
/// let mate = Eval::new(Score::Mate(3), Color::Black);
/// assert_eq!(mate.to_string(), "#-3");
/// assert_eq!(format!("{:+}", Eval::Centipawns(17)), "+0.17");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Centipawns, positive if White is better.
    Centipawns(i32),
    /// Forced mate.
    Mate {
        /// The side that mates.
        winner: Color,
        /// The moves to mate; 0 if it is on the board.
        moves: u32,
    },
}

/// Evaluations are capped at this many centipawns.
const CEILING: i32 = 1000;
/// The slope of the winning chances, fitted by Lichess to real games.
const STEEPNESS: f64 = 0.00368208;

impl Eval {
    /// Converts the score of the side to move.
    pub fn new(score: Score, turn: Color) -> Self {
        match score {
            Score::Cp(points) if turn.is_white() => Self::Centipawns(points),
            Score::Cp(points) => Self::Centipawns(-points),
            Score::Mate(moves) => Self::Mate {
                winner: if moves > 0 { turn } else { !turn },
                moves: moves.unsigned_abs(),
            },
        }
    }

    /// A score from White's point of view, as in the `[%eval]` of a PGN.
    pub fn from_white(score: Score) -> Self {
        match score {
            // `#0` is mate on the board. It does not say who is mated; most programs write it after White's mate.
            Score::Mate(0) => Self::Mate {
                winner: Color::White,
                moves: 0,
            },
            score => Self::new(score, Color::White),
        }
    }

    /// The evaluation of a finished game.
    pub const fn of_outcome(outcome: Outcome) -> Self {
        match outcome.winner() {
            Some(winner) => Self::Mate { winner, moves: 0 },
            None => Self::Centipawns(0),
        }
    }

    /// The score for a side.
    pub(crate) fn score_for(self, color: Color) -> Score {
        match self {
            Self::Centipawns(points) => Score::Cp(points).for_white(color),
            Self::Mate { winner, moves } => {
                let moves = moves.cast_signed();
                Score::Mate(if winner == color { moves } else { -moves })
            }
        }
    }

    /// The same evaluation one move earlier.
    pub(crate) fn before_move_of(self, mover: Color) -> Self {
        match self {
            Self::Mate { winner, moves } if winner == mover => Self::Mate {
                winner,
                moves: moves + 1,
            },
            other => other,
        }
    }

    /// Whether this is better for a player.
    pub(crate) fn is_better_for(self, player: Color, other: Self) -> bool {
        // Mate outranks everything: sooner is better for the winner, later for the loser.
        let rank = |eval: Self| match eval {
            Self::Centipawns(points) if player.is_white() => i64::from(points),
            Self::Centipawns(points) => -i64::from(points),
            Self::Mate { winner, moves } if winner == player => i64::MAX - i64::from(moves),
            Self::Mate { moves, .. } => i64::MIN + i64::from(moves),
        };
        rank(self) > rank(other)
    }

    /// Centipawns for White, capped at ten pawns; a mate counts as ten pawns.
    pub(crate) fn capped(self) -> i32 {
        match self {
            Self::Centipawns(points) => points.clamp(-CEILING, CEILING),
            Self::Mate { winner, .. } if winner.is_white() => CEILING,
            Self::Mate { .. } => -CEILING,
        }
    }

    /// White's winning chances, 0 to 100; a draw counts half.
    ///
    /// ```
    /// use tabiya_review::Eval;
    ///
    /// assert!((Eval::Centipawns(0).win_percent() - 50.0).abs() < 1e-9);
    /// assert!((Eval::Centipawns(100).win_percent() - 59.1).abs() < 0.01);
    /// ```
    pub fn win_percent(self) -> f64 {
        50.0 + 50.0 * winning_chances(self.capped())
    }
}

/// White's winning chances, -1 to 1.
pub(crate) fn winning_chances(centipawns: i32) -> f64 {
    2.0 / (1.0 + (-STEEPNESS * f64::from(centipawns)).exp()) - 1.0
}

/// The bound of a score, seen from White.
pub(crate) const fn bound_for_white(info: &SearchInfo, turn: Color) -> Bound {
    match (info.bound, turn) {
        (Bound::Lower, Color::Black) => Bound::Upper,
        (Bound::Upper, Color::Black) => Bound::Lower,
        (bound, _) => bound,
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = match *self {
            Self::Centipawns(points) => Score::Cp(points),
            Self::Mate { winner, moves } if winner.is_white() => Score::Mate(moves as i32),
            // A score cannot say that Black has given mate.
            Self::Mate { moves: 0, .. } => {
                return write!(f, "{:>width$}", "#-0", width = f.width().unwrap_or(0));
            }
            Self::Mate { moves, .. } => Score::Mate(-(moves as i32)),
        };
        score.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 / (1 + e^-0.368208) = 2 / 1.69197 = 1.18205, so 18.205 % above even are 59.10 %.
    #[test]
    fn chances_are_those_that_lichess_publishes() {
        for (points, percent) in [(0, 50.0), (100, 59.1026), (-100, 40.8974), (300, 75.1126)] {
            let found = Eval::Centipawns(points).win_percent();
            assert!((found - percent).abs() < 1e-3, "{points}: {found}");
        }
        // 100 / (1 + e^-3.68208) = 100 / 1.025171 is the most.
        let most = Eval::Centipawns(1000).win_percent();
        assert!((most - 97.5447).abs() < 1e-3, "{most}");
        for best in [
            Eval::Centipawns(5000),
            Eval::Mate {
                winner: Color::White,
                moves: 9,
            },
        ] {
            assert!((best.win_percent() - most).abs() < 1e-9);
        }
        let mated = Eval::of_outcome(Outcome::Checkmate {
            winner: Color::Black,
        });
        assert!((mated.win_percent() - (100.0 - most)).abs() < 1e-9);
        assert_eq!(Eval::of_outcome(Outcome::Stalemate), Eval::Centipawns(0));
    }

    #[test]
    fn evaluations_are_ordered_by_value() {
        let mate = |winner, moves| Eval::Mate { winner, moves };
        let (white, black) = (Color::White, Color::Black);
        let worse_and_worse = [
            mate(white, 1),
            mate(white, 4),
            Eval::Centipawns(900),
            Eval::Centipawns(-20),
            mate(black, 3),
            mate(black, 0),
        ];
        for pair in worse_and_worse.windows(2) {
            assert!(pair[0].is_better_for(white, pair[1]), "{pair:?}");
            assert!(!pair[1].is_better_for(white, pair[0]), "{pair:?}");
            assert!(pair[1].is_better_for(black, pair[0]), "{pair:?}");
        }
        assert!(!Eval::Centipawns(5).is_better_for(white, Eval::Centipawns(5)));
        // Before the move, the mate is one move further away.
        assert_eq!(mate(white, 0).before_move_of(white), mate(white, 1));
        assert_eq!(mate(white, 2).before_move_of(black), mate(white, 2));
    }

    #[test]
    fn scores_are_turned_to_whites_point_of_view() {
        for (score, turn, text) in [
            (Score::Cp(17), Color::White, "+0.17"),
            (Score::Cp(17), Color::Black, "-0.17"),
            (Score::Cp(0), Color::Black, "0.00"),
            (Score::Cp(-1204), Color::Black, "+12.04"),
            (Score::Mate(2), Color::White, "#2"),
            (Score::Mate(-2), Color::White, "#-2"),
            (Score::Mate(-2), Color::Black, "#2"),
            (Score::Mate(0), Color::White, "#-0"),
            (Score::Mate(0), Color::Black, "#0"),
        ] {
            assert_eq!(format!("{:+}", Eval::new(score, turn)), text);
        }
        assert_eq!(format!("{:7}|", Eval::Centipawns(-50)), "  -0.50|");
    }
}
