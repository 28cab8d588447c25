//! The result of a game.

use std::fmt;
use std::str::FromStr;

use tabiya_board::Color;
use thiserror::Error;

/// The result of a game as PGN writes it.
///
/// ```
/// use tabiya_notation::GameResult;
///
/// let result: GameResult = "1/2-1/2".parse().unwrap();
/// assert_eq!(result, GameResult::Draw);
/// assert_eq!(GameResult::BlackWins.to_string(), "0-1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is not over, or its result is not known.
    Unknown,
}

impl GameResult {
    /// All four results.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// Returns the result as PGN writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Returns the result of a finished game: a win for this colour, or a draw.
    pub const fn from_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is not a result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a result: use 1-0, 0-1, 1/2-1/2 or *")]
pub struct ParseResultError(String);

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, ParseResultError> {
        let mut all = Self::ALL.into_iter();
        all.find(|result| result.as_str() == text)
            .ok_or_else(|| ParseResultError(text.to_owned()))
    }
}
