//! The five classic programs, one module each.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod checker;
pub mod chessmaster;
pub mod herochess;

/// A game from notation, board by board.
///
/// The code is in a crate of its own because the C library links it, and should link nothing else.
pub use tabiya_chessmoves_core as chessmoves;
