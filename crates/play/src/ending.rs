//! How a game ends.

use std::fmt;

use tabiya_board::{Claim, Color, Outcome};
use tabiya_notation::pgn::GameResult;

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself, as the rules have it.
    Rules(Outcome),
    /// By a draw that the player to move claimed.
    Claimed(Claim),
    /// By a draw that both wanted.
    Agreed,
    /// This side has given up.
    Resigned(Color),
    /// The time of this side is up.
    Flag {
        /// The side without time.
        color: Color,
        /// Whether the other side has nothing left to give mate with: then it is a draw.
        drawn: bool,
    },
    /// Nobody wants to finish it.
    Abandoned,
}

impl Ending {
    /// Who has won, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Rules(outcome) => outcome.winner(),
            Self::Resigned(loser)
            | Self::Flag {
                color: loser,
                drawn: false,
            } => Some(match loser {
                Color::White => Color::Black,
                Color::Black => Color::White,
            }),
            _ => None,
        }
    }

    /// The result as PGN has it.
    pub const fn result(self) -> GameResult {
        match (self, self.winner()) {
            (Self::Abandoned, _) => GameResult::Unknown,
            (_, Some(Color::White)) => GameResult::WhiteWins,
            (_, Some(Color::Black)) => GameResult::BlackWins,
            (_, None) => GameResult::Draw,
        }
    }

    /// The value of the tag `Termination`, in the words of the standard.
    pub(crate) const fn termination(self) -> &'static str {
        match self {
            Self::Flag { .. } => "time forfeit",
            Self::Abandoned => "abandoned",
            _ => "normal",
        }
    }

    /// As it is written in a record, behind the moves that explain the rest.
    pub(crate) fn code(self) -> String {
        match self {
            Self::Rules(_) => "rules".to_owned(),
            Self::Claimed(Claim::ThreefoldRepetition) => "claimed threefold".to_owned(),
            Self::Claimed(Claim::FiftyMoves) => "claimed fifty".to_owned(),
            Self::Agreed => "agreed".to_owned(),
            Self::Resigned(color) => format!("resigned {color}"),
            Self::Flag { color, drawn } => {
                format!("flag {color}{}", if drawn { " drawn" } else { "" })
            }
            Self::Abandoned => "abandoned".to_owned(),
        }
    }

    /// Reads what [`code`](Self::code) writes; the outcome of the moves is known from elsewhere.
    pub(crate) fn of_code(code: &str, outcome: Option<Outcome>) -> Option<Self> {
        let words: Vec<&str> = code.split_whitespace().collect();
        Some(match words[..] {
            ["rules"] => Self::Rules(outcome?),
            ["claimed", "threefold"] => Self::Claimed(Claim::ThreefoldRepetition),
            ["claimed", "fifty"] => Self::Claimed(Claim::FiftyMoves),
            ["agreed"] => Self::Agreed,
            ["resigned", color] => Self::Resigned(read_color(color)?),
            ["flag", color] => Self::Flag {
                color: read_color(color)?,
                drawn: false,
            },
            ["flag", color, "drawn"] => Self::Flag {
                color: read_color(color)?,
                drawn: true,
            },
            ["abandoned"] => Self::Abandoned,
            _ => return None,
        })
    }
}

/// The colour of a name as it prints.
pub(crate) fn read_color(name: &str) -> Option<Color> {
    let mut all = Color::ALL.into_iter();
    all.find(|color| color.to_string() == name)
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rules(outcome) => write!(f, "{outcome}"),
            Self::Claimed(claim) => write!(f, "{claim}"),
            Self::Agreed => f.write_str("draw by agreement"),
            Self::Resigned(color) => write!(f, "{} wins: {color} resigns", !color),
            Self::Flag {
                color,
                drawn: false,
            } => write!(f, "{} wins: the time of {color} is up", !color),
            Self::Flag { color, drawn: true } => write!(
                f,
                "draw: the time of {color} is up, but {} cannot give mate",
                !color
            ),
            Self::Abandoned => f.write_str("the game is abandoned"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_read_as_they_are_written() {
        let stalemate = Outcome::Stalemate;
        for ending in [
            Ending::Rules(stalemate),
            Ending::Claimed(Claim::ThreefoldRepetition),
            Ending::Claimed(Claim::FiftyMoves),
            Ending::Agreed,
            Ending::Resigned(Color::White),
            Ending::Resigned(Color::Black),
            Ending::Flag {
                color: Color::White,
                drawn: false,
            },
            Ending::Flag {
                color: Color::Black,
                drawn: true,
            },
            Ending::Abandoned,
        ] {
            assert_eq!(
                Ending::of_code(&ending.code(), Some(stalemate)),
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
            assert_eq!(Ending::of_code(wrong, None), None, "{wrong}");
        }
    }

    #[test]
    fn results() {
        assert_eq!(
            Ending::Resigned(Color::White).result(),
            GameResult::BlackWins
        );
        assert_eq!(Ending::Agreed.result(), GameResult::Draw);
        assert_eq!(Ending::Abandoned.result(), GameResult::Unknown);
        let flag = |drawn| Ending::Flag {
            color: Color::Black,
            drawn,
        };
        assert_eq!(flag(false).result(), GameResult::WhiteWins);
        assert_eq!(flag(true).result(), GameResult::Draw);
    }
}
