//! Why a game ended.

use std::fmt;

use tabiya_board::{Color, DrawClaim, Outcome};
use tabiya_notation::GameResult;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// Checkmate, stalemate or an automatic draw.
    Outcome(Outcome),
    /// The side to move claimed a draw.
    Claimed(DrawClaim),
    /// Draw by agreement.
    Agreed,
    /// This side resigned.
    Resigned(Color),
    /// This side ran out of time.
    TimeForfeit {
        /// The side that ran out of time.
        color: Color,
        /// Whether the opponent has no mating material, which makes it a draw.
        drawn: bool,
    },
    /// Both players left the game.
    Abandoned,
}

impl Termination {
    /// The winner; `None` if the game has none.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Outcome(outcome) => outcome.winner(),
            Self::Resigned(loser)
            | Self::TimeForfeit {
                color: loser,
                drawn: false,
            } => Some(match loser {
                Color::White => Color::Black,
                Color::Black => Color::White,
            }),
            _ => None,
        }
    }

    /// The result of the game.
    pub const fn result(self) -> GameResult {
        match (self, self.winner()) {
            (Self::Abandoned, _) => GameResult::Unknown,
            (_, Some(Color::White)) => GameResult::WhiteWins,
            (_, Some(Color::Black)) => GameResult::BlackWins,
            (_, None) => GameResult::Draw,
        }
    }

    /// The value of the PGN tag `Termination`.
    pub(crate) const fn pgn_tag(self) -> &'static str {
        match self {
            Self::TimeForfeit { .. } => "time forfeit",
            Self::Abandoned => "abandoned",
            _ => "normal",
        }
    }

    /// The code in a game record. The moves tell the rest.
    pub(crate) fn code(self) -> String {
        match self {
            Self::Outcome(_) => "rules".to_owned(),
            Self::Claimed(DrawClaim::ThreefoldRepetition) => "claimed threefold".to_owned(),
            Self::Claimed(DrawClaim::FiftyMoves) => "claimed fifty".to_owned(),
            Self::Agreed => "agreed".to_owned(),
            Self::Resigned(color) => format!("resigned {color}"),
            Self::TimeForfeit { color, drawn } => {
                format!("flag {color}{}", if drawn { " drawn" } else { "" })
            }
            Self::Abandoned => "abandoned".to_owned(),
        }
    }

    /// Parses a [`code`](Self::code), given the outcome that the moves lead to.
    pub(crate) fn from_code(code: &str, outcome: Option<Outcome>) -> Option<Self> {
        let words: Vec<&str> = code.split_whitespace().collect();
        Some(match words[..] {
            ["rules"] => Self::Outcome(outcome?),
            ["claimed", "threefold"] => Self::Claimed(DrawClaim::ThreefoldRepetition),
            ["claimed", "fifty"] => Self::Claimed(DrawClaim::FiftyMoves),
            ["agreed"] => Self::Agreed,
            ["resigned", color] => Self::Resigned(read_color(color)?),
            ["flag", color] => Self::TimeForfeit {
                color: read_color(color)?,
                drawn: false,
            },
            ["flag", color, "drawn"] => Self::TimeForfeit {
                color: read_color(color)?,
                drawn: true,
            },
            ["abandoned"] => Self::Abandoned,
            _ => return None,
        })
    }
}

/// Parses "White" or "Black".
pub(crate) fn read_color(name: &str) -> Option<Color> {
    let mut all = Color::ALL.into_iter();
    all.find(|color| color.to_string() == name)
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Outcome(outcome) => write!(f, "{outcome}"),
            Self::Claimed(claim) => write!(f, "{claim}"),
            Self::Agreed => f.write_str("draw by agreement"),
            Self::Resigned(color) => write!(f, "{} wins: {color} resigned", !color),
            Self::TimeForfeit {
                color,
                drawn: false,
            } => write!(f, "{} wins: {color} ran out of time", !color),
            Self::TimeForfeit { color, drawn: true } => write!(
                f,
                "draw: {color} ran out of time, but {} has no mating material",
                !color
            ),
            Self::Abandoned => f.write_str("game abandoned"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        let stalemate = Outcome::Stalemate;
        for ending in [
            Termination::Outcome(stalemate),
            Termination::Claimed(DrawClaim::ThreefoldRepetition),
            Termination::Claimed(DrawClaim::FiftyMoves),
            Termination::Agreed,
            Termination::Resigned(Color::White),
            Termination::Resigned(Color::Black),
            Termination::TimeForfeit {
                color: Color::White,
                drawn: false,
            },
            Termination::TimeForfeit {
                color: Color::Black,
                drawn: true,
            },
            Termination::Abandoned,
        ] {
            assert_eq!(
                Termination::from_code(&ending.code(), Some(stalemate)),
                Some(ending)
            );
        }
        for wrong in [
            "",
            "rules",
            "resigned",
            "resigned Green",
            "flag White won",
            "x",
        ] {
            assert_eq!(Termination::from_code(wrong, None), None, "{wrong}");
        }
    }

    #[test]
    fn results() {
        assert_eq!(
            Termination::Resigned(Color::White).result(),
            GameResult::BlackWins
        );
        assert_eq!(Termination::Agreed.result(), GameResult::Draw);
        assert_eq!(Termination::Abandoned.result(), GameResult::Unknown);
        let flag = |drawn| Termination::TimeForfeit {
            color: Color::Black,
            drawn,
        };
        assert_eq!(flag(false).result(), GameResult::WhiteWins);
        assert_eq!(flag(true).result(), GameResult::Draw);
    }
}
