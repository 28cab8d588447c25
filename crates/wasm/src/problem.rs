//! What is wrong with a request, for people.

use serde::Serialize;
use tabiya_board::{Bitboard, FenError, FenErrorKind, Refusal, SetupError};
use tabiya_display::text::capitalized;
use tabiya_notation::SanError;

/// A sentence for people, and the squares it names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The sentence, ready to show.
    pub message: String,
    /// The squares to point at.
    pub squares: Vec<String>,
}

impl Problem {
    /// Makes a sentence of a phrase.
    pub fn new(phrase: &str) -> Self {
        Self::at(phrase, Bitboard::EMPTY)
    }

    /// Makes a sentence of a phrase that names squares.
    pub fn at(phrase: &str, squares: Bitboard) -> Self {
        Self {
            message: sentence(phrase),
            squares: names(squares),
        }
    }

    /// Says why a move is refused.
    pub fn from_refusal(refusal: &Refusal) -> Self {
        Self::at(&refusal.to_string(), refusal.squares())
    }
}

/// Begins a phrase with a capital, unless that is a pawn's move, and ends it with a full stop.
pub(crate) fn sentence(phrase: &str) -> String {
    let is_move = matches!(phrase.as_bytes(), [b'a'..=b'h', b'1'..=b'8' | b'x', ..]);
    let mut sentence = if is_move {
        phrase.to_owned()
    } else {
        capitalized(phrase)
    };
    if !sentence.ends_with(['.', '!', '?', '…']) {
        sentence.push('.');
    }
    sentence
}

/// The names of squares.
pub(crate) fn names(squares: Bitboard) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

impl From<FenError> for Problem {
    fn from(error: FenError) -> Self {
        match error.kind {
            FenErrorKind::Invalid(invalid) => invalid.into(),
            _ => Self::new(&format!("this is not a FEN: {error}")),
        }
    }
}

impl From<SetupError> for Problem {
    fn from(error: SetupError) -> Self {
        let squares = match error {
            SetupError::PawnOnBackRank(square)
            | SetupError::CastlingRook(_, square)
            | SetupError::EnPassant(square) => square.into(),
            SetupError::OpponentInCheck { king, by } => Bitboard::from(king) | Bitboard::from(by),
            SetupError::TooManyCheckers(checkers) => checkers,
            _ => Bitboard::EMPTY,
        };
        Self::at(&error.to_string(), squares)
    }
}

impl From<SanError> for Problem {
    fn from(error: SanError) -> Self {
        let squares = match &error {
            SanError::Illegal { reason } => reason.squares(),
            _ => Bitboard::EMPTY,
        };
        Self::at(&error.to_string(), squares)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
