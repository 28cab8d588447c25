//! Inaccuracies, mistakes and blunders, as defined by Lichess.

use std::fmt;

use tabiya_board::Color;

use crate::eval::{Eval, winning_chances};

/// The severity of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Judgement {
    /// All severities, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The annotation symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The numeric annotation glyph (NAG).
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }
}

/// Why a move is bad.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AdviceReason {
    /// It lowers the winning chances.
    Chances,
    /// It lets the opponent force mate.
    MateAllowed,
    /// It misses a forced mate.
    MateMissed,
}

/// The verdict on a bad move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Advice {
    /// The severity.
    pub judgement: Judgement,
    /// The reason.
    pub reason: AdviceReason,
}

/// Lichess's phrases for mates.
pub(crate) const MATE_ALLOWED: &str = "Checkmate is now unavoidable";
pub(crate) const MATE_MISSED: &str = "Lost forced checkmate sequence";

/// The words before "Nf3 was best".
impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reason {
            AdviceReason::Chances => self.judgement.name(),
            AdviceReason::MateAllowed => MATE_ALLOWED,
            AdviceReason::MateMissed => MATE_MISSED,
        })
    }
}

/// The smallest loss of winning chances (-1 to 1) for each severity.
const LOSSES: [(f64, Judgement); 3] = [
    (0.3, Judgement::Blunder),
    (0.2, Judgement::Mistake),
    (0.1, Judgement::Inaccuracy),
];
/// The lead in centipawns that wins without a mate.
const AS_GOOD_AS_WON: i32 = 999;
const NEARLY_WON: i32 = 700;

/// Judges a move by the evaluations before and after it; `None` if it is not bad.
///
/// ```
/// use tabiya_board::Color;
/// use tabiya_review::{Eval, Judgement, judge};
///
/// let advice = judge(Eval::Centipawns(0), Eval::Centipawns(-150), Color::White);
/// assert_eq!(advice.unwrap().judgement, Judgement::Mistake);
/// assert_eq!(judge(Eval::Centipawns(0), Eval::Centipawns(-150), Color::Black), None);
/// ```
pub fn judge(before: Eval, after: Eval, mover: Color) -> Option<Advice> {
    let own = |points: i32| if mover.is_white() { points } else { -points };
    match (before, after) {
        (Eval::Centipawns(before), Eval::Centipawns(after)) => {
            let lost = winning_chances(own(before)) - winning_chances(own(after));
            let (_, judgement) = LOSSES.into_iter().find(|&(least, _)| lost >= least)?;
            Some(Advice {
                judgement,
                reason: AdviceReason::Chances,
            })
        }
        (Eval::Centipawns(before), Eval::Mate { winner, .. }) if winner != mover => Some(Advice {
            judgement: despite(-own(before)),
            reason: AdviceReason::MateAllowed,
        }),
        (Eval::Mate { winner, .. }, after) if winner == mover => {
            let left = match after {
                Eval::Centipawns(points) => own(points),
                Eval::Mate { winner, .. } if winner == mover => return None,
                Eval::Mate { .. } => 0,
            };
            Some(Advice {
                judgement: despite(left),
                reason: AdviceReason::MateMissed,
            })
        }
        _ => None,
    }
}

/// The severity of a missed or allowed mate, given the evaluation without it.
const fn despite(ahead: i32) -> Judgement {
    if ahead > AS_GOOD_AS_WON {
        Judgement::Inaccuracy
    } else if ahead > NEARLY_WON {
        Judgement::Mistake
    } else {
        Judgement::Blunder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Judgement::{Blunder, Inaccuracy, Mistake};
    use tabiya_board::Color::{Black, White};

    const fn mate(winner: Color) -> Eval {
        Eval::Mate { winner, moves: 5 }
    }

    /// From an even position, 54.5, 110.1 and 168.1 centipawns lose 0.1, 0.2 and 0.3: ln(1.1 / 0.9) / 0.00368208 =
    /// 54.50.
    #[test]
    fn lost_winning_chances_decide_the_judgement() {
        for (after, judgement) in [
            (-54, None),
            (-55, Some(Inaccuracy)),
            (-110, Some(Inaccuracy)),
            (-111, Some(Mistake)),
            (-168, Some(Mistake)),
            (-169, Some(Blunder)),
            (300, None),
        ] {
            let found = judge(Eval::Centipawns(0), Eval::Centipawns(after), White);
            assert_eq!(found.map(|advice| advice.judgement), judgement, "{after}");
            let found = judge(Eval::Centipawns(0), Eval::Centipawns(-after), Black);
            assert_eq!(found.map(|advice| advice.judgement), judgement, "{after}");
        }
        // With a lead of ten pawns, losing two does not matter.
        assert_eq!(
            judge(Eval::Centipawns(1200), Eval::Centipawns(1000), White),
            None
        );
    }

    #[test]
    fn mates_allowed_and_missed() {
        use AdviceReason::{MateAllowed, MateMissed};
        let cp = Eval::Centipawns;
        for (before, after, wanted) in [
            (cp(0), mate(Black), Some((Blunder, MateAllowed))),
            (cp(-700), mate(Black), Some((Blunder, MateAllowed))),
            (cp(-701), mate(Black), Some((Mistake, MateAllowed))),
            (cp(-999), mate(Black), Some((Mistake, MateAllowed))),
            (cp(-1000), mate(Black), Some((Inaccuracy, MateAllowed))),
            (cp(0), mate(White), None),
            (mate(White), cp(0), Some((Blunder, MateMissed))),
            (mate(White), cp(701), Some((Mistake, MateMissed))),
            (mate(White), cp(1000), Some((Inaccuracy, MateMissed))),
            (mate(White), mate(Black), Some((Blunder, MateMissed))),
            (mate(White), mate(White), None),
            (mate(Black), mate(Black), None),
            (mate(Black), cp(0), None),
        ] {
            let found = judge(before, after, White);
            let found = found.map(|advice| (advice.judgement, advice.reason));
            assert_eq!(found, wanted, "{before} {after}");
        }
        // The same for Black.
        let found = judge(cp(701), mate(White), Black).unwrap();
        assert_eq!((found.judgement, found.reason), (Mistake, MateAllowed));
        let found = judge(mate(Black), cp(-1000), Black).unwrap();
        assert_eq!((found.judgement, found.reason), (Inaccuracy, MateMissed));
    }
}
