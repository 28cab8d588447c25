//! The score of a position, as UCI engines report it.

use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

use tabiya_board::Color;
use thiserror::Error;

use crate::decimal::decimal;

/// The score of a position, usually from the side to move's point of view.
///
/// It prints as in the `[%eval]` of a PGN: in pawns, or as `#` and the moves to mate. A plus sign in the format adds
/// one to positive pawns.
///
/// ```
/// use tabiya_board::Color;
/// use tabiya_notation::Score;
///
/// assert_eq!(Score::Cp(31).for_white(Color::Black).to_string(), "-0.31");
/// assert_eq!(Score::Mate(3).for_white(Color::Black).to_string(), "#-3");
/// assert_eq!(format!("{:+}", Score::Cp(17)), "+0.17");
/// assert_eq!("-0.31".parse(), Ok(Score::Cp(-31)));
/// assert_eq!("#-3".parse(), Ok(Score::Mate(-3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate: positive if this side gives mate, negative if it gets mated, zero if it is mated already.
    Mate(i32),
}

impl Score {
    /// Turns the side to move's score into White's. The same call turns it back.
    #[must_use]
    pub fn for_white(self, turn: Color) -> Self {
        if turn.is_white() { self } else { -self }
    }
}

/// An even score.
impl Default for Score {
    fn default() -> Self {
        Self::Cp(0)
    }
}

/// The score from the other side's point of view. `Mate(0)` stays as it is: a mated king has no other side.
impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Cp(centipawns) => Self::Cp(-centipawns),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Self::Cp(centipawns) => {
                let plus = if f.sign_plus() && centipawns > 0 {
                    "+"
                } else {
                    ""
                };
                let minus = if centipawns < 0 { "-" } else { "" };
                let size = centipawns.unsigned_abs();
                format!("{plus}{minus}{}.{:02}", size / 100, size % 100)
            }
            Self::Mate(moves) => format!("#{moves}"),
        };
        // Right-aligned like a number.
        match f.width() {
            Some(width) => write!(f, "{text:>width$}"),
            None => f.write_str(&text),
        }
    }
}

/// The text is not a score.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a score: write pawns, as in -0.31, or moves to mate, as in #3")]
pub struct ParseScoreError(String);

impl FromStr for Score {
    type Err = ParseScoreError;

    fn from_str(text: &str) -> Result<Self, ParseScoreError> {
        let score = match text.strip_prefix('#') {
            Some(mate) => mate.parse().ok().map(Self::Mate),
            None => decimal(text, 2).map(|centipawns| {
                let largest = i64::from(i32::MAX);
                Self::Cp(centipawns.clamp(-largest, largest) as i32)
            }),
        };
        score.ok_or_else(|| ParseScoreError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_print_as_in_pgn_comments() {
        for (score, turn, text) in [
            (Score::Cp(17), Color::White, "+0.17"),
            (Score::Cp(17), Color::Black, "-0.17"),
            (Score::Cp(0), Color::Black, "0.00"),
            (Score::Cp(-1204), Color::Black, "+12.04"),
            (Score::Mate(2), Color::White, "#2"),
            (Score::Mate(-2), Color::Black, "#2"),
            (Score::Mate(2), Color::Black, "#-2"),
        ] {
            assert_eq!(format!("{:+}", score.for_white(turn)), text);
        }
        assert_eq!(format!("{:7}|", Score::Cp(-50)), "  -0.50|");
    }
}
