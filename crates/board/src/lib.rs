//! The rules of chess.
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod count;
mod dispatch;
mod fen;
mod generate;
mod lanes;
mod moves;
mod perft;
mod piece;
mod placement;
mod play;
mod position;
mod refusal;
mod setup;
mod side;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use dispatch::{Instructions, instructions, limit_instructions};
pub use fen::{FenError, FenProblem, Field};
pub use generate::{PieceMoves, PieceMovesIter};
pub use moves::{Move, MoveList};
pub use perft::perft;
pub use piece::{Color, Piece, Role};
pub use placement::Placement;
pub use position::{Position, Wing};
pub use refusal::Refusal;
pub use setup::{Invalid, Setup};
pub use square::{File, NotASquare, Rank, Square};
