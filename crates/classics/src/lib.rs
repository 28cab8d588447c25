//! Five small chess programs, one module each.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod checker;
pub mod chessmaster;
pub mod chessmoves;
pub mod herochess;
