//! Why a text is no move.

use tabiya_board::{Bitboard, Refusal, Role, Square};
use thiserror::Error;

use crate::letters::PieceLetters;

/// Why a text is no move, or no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text ends too early.
    #[error("the move breaks off after {at} characters")]
    Incomplete {
        /// The number of bytes read.
        at: usize,
    },
    /// A character that cannot stand there.
    #[error("{found:?} cannot stand in a move there (character {})", at + 1)]
    Unexpected {
        /// The number of bytes before it.
        at: usize,
        /// The character.
        found: char,
    },
    /// A letter at the start that is no piece.
    #[error(
        "{found:?} is no piece: the pieces are {}",
        PieceLetters::of_language(language)
    )]
    UnknownPiece {
        /// The letter.
        found: char,
        /// The two-letter code of the language whose letters were wanted.
        language: &'static str,
    },
    /// It can be read, but no legal move is like that.
    #[error("{reason}")]
    Illegal {
        /// The rule that forbids it.
        reason: Refusal,
    },
    /// It can be read, but no piece of that kind moves there.
    #[error("no {role} of the side to move goes to {to}")]
    NoSuchPiece {
        /// The kind of piece.
        role: Role,
        /// Where it should go.
        to: Square,
    },
    /// Several pieces can make the move.
    #[error("more than one {role} can go to {to}: from {}", squares(*from))]
    Ambiguous {
        /// The kind of piece.
        role: Role,
        /// Where they can go.
        to: Square,
        /// Where they stand.
        from: Bitboard,
    },
    /// A capture is written where nothing is captured, or is not written where something is.
    #[error("{}", if *written { "nothing is captured there" } else { "a capture is written with an x" })]
    Capture {
        /// Whether one is written.
        written: bool,
    },
    /// `e.p.` stands behind another move than a capture en passant.
    #[error("this move is no capture en passant")]
    NotEnPassant,
    /// The move is clear, but the standard writes it otherwise.
    #[error("the standard writes this move {standard}")]
    NotStandard {
        /// How it is written.
        standard: String,
    },
    /// A null move, which is no move of the rules.
    #[error("a null move is no legal move")]
    NullMove,
}

fn squares(set: Bitboard) -> String {
    let names: Vec<_> = set.into_iter().map(|square| square.to_string()).collect();
    names.join(" and ")
}
