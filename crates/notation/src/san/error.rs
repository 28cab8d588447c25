//! Errors of SAN.

use tabiya_board::{Bitboard, Color, File, Rank, Refusal, Role, Square};
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
    /// The side has no such piece, or none where the move says it comes from.
    #[error("{color} has no {role}{}", place(*file, *rank))]
    NoPieceThere {
        /// The side to move.
        color: Color,
        /// The kind of piece.
        role: Role,
        /// The file that the move names, if any.
        file: Option<File>,
        /// The rank that the move names, if any.
        rank: Option<Rank>,
    },
    /// A pawn's move that is legal only as a capture, which has to name the file.
    #[error("to capture with the pawn on {from}, write {}x{to}{}", from.file().char(), queen(*to))]
    PawnCaptureSpelling {
        /// The pawn's square.
        from: Square,
        /// The target square.
        to: Square,
    },
    /// Castling written as a move of the king.
    #[error("to castle, write {}", if *king_side { "O-O" } else { "O-O-O" })]
    CastlingSpelling {
        /// Whether it is to the king's side.
        king_side: bool,
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

/// The promotion that a pawn's move to a square needs.
const fn queen(to: Square) -> &'static str {
    match to.rank() {
        Rank::First | Rank::Eighth => "=Q",
        _ => "",
    }
}

/// Where a piece should be: ` on b1`, ` on the b-file`, ` on rank 1`, or nothing.
fn place(file: Option<File>, rank: Option<Rank>) -> String {
    match (file, rank) {
        (Some(file), Some(rank)) => format!(" on {}", Square::new(file, rank)),
        (Some(file), None) => format!(" on the {}-file", file.char()),
        (None, Some(rank)) => format!(" on rank {}", rank.char()),
        (None, None) => String::new(),
    }
}

fn squares(set: Bitboard) -> String {
    let names: Vec<_> = set.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
