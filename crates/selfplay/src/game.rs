//! A game as the files have it.

use std::fmt;

use tabiya_board::Color;

use crate::moves::PackedMove;

/// What a game brings a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Wdl {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl Wdl {
    /// The results in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Loss, Self::Draw, Self::Win];

    /// The result of a number from 0 to 2.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The result for the other side.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// White's result, if this is a side's, and the other way round.
    #[must_use]
    pub const fn for_side(self, side: Color) -> Self {
        match side {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }
}

impl fmt::Display for Wdl {
    /// White's result as PGN writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Win => "1-0",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum EndReason {
    Checkmate,
    Stalemate,
    Threefold,
    FiftyMoves,
    DeadPosition,
    /// A win by the scores.
    AdjudicatedWin,
    /// A draw by the scores.
    AdjudicatedDraw,
    MaxPlies,
}

impl EndReason {
    /// The endings in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Threefold,
        Self::FiftyMoves,
        Self::DeadPosition,
        Self::AdjudicatedWin,
        Self::AdjudicatedDraw,
        Self::MaxPlies,
    ];

    /// The ending of a number from 0 to 7.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Threefold => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
            Self::DeadPosition => "dead position",
            Self::AdjudicatedWin => "win by the scores",
            Self::AdjudicatedDraw => "draw by the scores",
            Self::MaxPlies => "too long",
        })
    }
}

/// A game from the normal start: random moves, then moves that a search found, with its scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplayGame {
    /// The random moves.
    pub opening: Vec<PackedMove>,
    /// The moves found, and what the search says that they are worth to the side that plays them.
    pub searched: Vec<(PackedMove, i16)>,
    /// White's result.
    pub result: Wdl,
    /// Why it ended.
    pub end_reason: EndReason,
}

impl SelfplayGame {
    /// The number of plies.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.searched.len()
    }
}
