//! The rules of chess: positions that are always valid, their legal moves, and the reason why a move is illegal.
//!
//! ```
//! use tabiya_board::{Board, Square};
//!
//! let mut board: Board = "r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1".parse()?;
//! println!("{} legal moves", board.legal_moves().len());
//!
//! // Find a move by its squares. A refusal says which rule forbids it.
//! let refusal = board.legal_move(Square::E1, Square::G1, None).unwrap_err();
//! assert_eq!(refusal.to_string(), "the king can't castle because the knight on g3 attacks f1");
//!
//! let mv = board.legal_move(Square::E1, Square::C1, None)?;
//! board.play(mv);
//! assert_eq!(board.to_string(), "r3k2r/8/8/8/8/6n1/8/2KR3R b kq - 1 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Board`] | a legal position with its Zobrist key |
//! | [`GameHistory`] | a board and the moves that led to it: repetitions, draw claims, undo |
//! | [`Setup`] | the parts of a position, legal or not |
//! | [`Placement`] | any pieces on any squares |
//! | [`Refusal`] | why a move is illegal |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `std` (default) | finds out at run time which vector instructions the processor has; implies `alloc` |
//! | `alloc` | [`GameHistory`], the only type that allocates |
//! | `serde` | `Serialize` and `Deserialize` |
//! | `arbitrary` | `Arbitrary`, for fuzzing; needs `std` |
//!
//! Without features the crate depends on no other crate and needs only `core`.
//!
//! With `serde`, squares, files, ranks, colours, roles, pieces and castling sides are texts (`"e4"`, `"white"`,
//! `"knight"`, `"N"`, `"kingside"`); a [`Board`] and a [`Setup`] are FENs; a [`Move`] is its sixteen bits, because its
//! text alone does not say which piece moves; a [`Bitboard`] is a number.
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "arbitrary")]
mod arbitrary;
pub mod attacks;
mod bitboard;
mod board;
mod by;
mod castling;
mod children;
mod count;
mod dispatch;
mod en_passant;
mod fen;
mod find_move;
#[cfg(feature = "alloc")]
mod game_history;
mod generate;
mod lanes;
mod legal_moves;
mod move_list;
mod moves;
mod outcome;
mod perft;
mod piece;
mod placement;
mod play;
mod position;
mod refusal;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod side;
mod square;
mod without_history;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use by::{ByColor, ByRole};
pub use children::Children;
pub use dispatch::{SimdLevel, set_max_simd, simd_level};
pub use fen::{FenError, FenErrorKind, FenField};
pub use find_move::MoveMatch;
#[cfg(feature = "alloc")]
pub use game_history::GameHistory;
pub use generate::{PieceMoves, PieceMovesIter};
pub use legal_moves::LegalMoves;
pub use move_list::{MoveList, MoveListIter};
pub use moves::Move;
pub use outcome::{DrawClaim, DrawClaims, DrawClaimsIter, Outcome};
pub use perft::perft;
pub use piece::{Color, ParseNameError, Piece, Role};
pub use placement::Placement;
pub use position::CastlingSide;
pub use refusal::Refusal;
pub use setup::{Setup, SetupError};
pub use square::{File, ParseSquareError, Rank, Square};

/// For experts: positions without a Zobrist key.
///
/// Use [`Board`] unless a measurement tells you otherwise. A [`Position`](unkeyed::Position) is a board without its
/// key, and a board dereferences to it: functions that take a `&Position` take a `&Board` too, and all methods of a
/// position are methods of a board. A bare position plays moves faster, but cannot find repetitions or index a table.
///
/// ```
/// use tabiya_board::unkeyed::Position;
/// use tabiya_board::{Board, Square};
///
/// let board = Board::start();
/// let mut position: Position = *board.position();
/// position.play_unchecked(board.legal_move(Square::E2, Square::E4, None)?);
/// assert_eq!(Board::from(position).to_string(), position.to_string());
/// # Ok::<(), tabiya_board::Refusal>(())
/// ```
pub mod unkeyed {
    pub use crate::position::Position;
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
