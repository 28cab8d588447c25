//! A game as files hold it.

use std::fmt;

use tabiya_board::Color;

use crate::moves::PackedMove;

/// The result of a game for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Wdl {
    /// The side lost.
    Loss,
    /// The game was drawn.
    Draw,
    /// The side won.
    Win,
}

impl Wdl {
    /// The results, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Loss, Self::Draw, Self::Win];

    /// Returns the result with a number from 0 to 2.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Returns the result for the other side.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Converts White's result into a side's, and back.
    #[must_use]
    pub const fn for_side(self, side: Color) -> Self {
        match side {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }
}

impl fmt::Display for Wdl {
    /// Writes White's result as PGN does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Win => "1-0",
        })
    }
}

/// Why a game ended. Files store its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Termination {
    Checkmate,
    Stalemate,
    ThreefoldRepetition,
    FiftyMoves,
    InsufficientMaterial,
    /// Won by the scores.
    AdjudicatedWin,
    /// Drawn by the scores.
    AdjudicatedDraw,
    MaxPlies,
}

impl Termination {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::ThreefoldRepetition,
        Self::FiftyMoves,
        Self::InsufficientMaterial,
        Self::AdjudicatedWin,
        Self::AdjudicatedDraw,
        Self::MaxPlies,
    ];

    /// Returns the termination with a number from 0 to 7.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
            Self::InsufficientMaterial => "dead position",
            Self::AdjudicatedWin => "adjudicated win",
            Self::AdjudicatedDraw => "adjudicated draw",
            Self::MaxPlies => "maximum length",
        })
    }
}

/// A game from the starting position: random moves, then searched moves with their scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplayGame {
    /// The random moves.
    pub opening: Vec<PackedMove>,
    /// The searched moves, and their scores for the side that played them, in centipawns.
    pub searched: Vec<(PackedMove, i16)>,
    /// White's result.
    pub result: Wdl,
    /// How it ended.
    pub termination: Termination,
}

impl SelfplayGame {
    /// Returns the number of plies.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.searched.len()
    }
}
