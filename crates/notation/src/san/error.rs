//! Errors of SAN.

use tabiya_board::{Bitboard, Refusal, Role, Square};
use thiserror::Error;

use crate::letters::PieceLetters;

/// Why a text is not a move, or not a legal one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text ends too early.
    #[error("the move is incomplete")]
    Incomplete {
        /// The number of bytes read.
        at: usize,
    },
    /// A character in the wrong place.
    #[error("unexpected {found:?} at character {}", at + 1)]
    Unexpected {
        /// The number of bytes before it.
        at: usize,
        /// The character.
        found: char,
    },
    /// A letter at the start that is not a piece.
    #[error(
        "{found:?} is not a piece letter; the letters are {}",
        PieceLetters::of_language(language)
    )]
    UnknownPiece {
        /// The letter.
        found: char,
        /// The two-letter code of the language that was expected.
        language: &'static str,
    },
    /// The move can be read but is not legal.
    #[error("{reason}")]
    Illegal {
        /// The rule that forbids it.
        reason: Refusal,
    },
    /// No piece of that kind can move there.
    #[error("no {role} can move to {to}")]
    NoSuchPiece {
        /// The kind of piece.
        role: Role,
        /// The target square.
        to: Square,
    },
    /// Several pieces can make the move.
    #[error("more than one {role} can move to {to}, from {}: say which one", squares(*from))]
    Ambiguous {
        /// The kind of piece.
        role: Role,
        /// The target square.
        to: Square,
        /// Their squares.
        from: Bitboard,
    },
    /// There is an `x` but no capture, or a capture but no `x`.
    #[error("{}", if *written { "there is nothing to capture: leave out the x" } else { "a capture needs an x" })]
    Capture {
        /// Whether there is an `x`.
        written: bool,
    },
    /// `e.p.` follows another move than an en passant capture.
    #[error("this move is not an en passant capture")]
    NotEnPassant,
    /// The move is legal, but not in its standard spelling.
    #[error("the standard spelling is {standard}")]
    NotStandard {
        /// The standard spelling.
        standard: String,
    },
    /// A null move, which is never legal.
    #[error("a null move is not a legal move")]
    NullMove,
}

fn squares(set: Bitboard) -> String {
    let names: Vec<_> = set.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
