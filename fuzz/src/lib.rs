//! What the fuzz targets check, as plain functions, so that a found input can be tried again without a fuzzer.

mod board;
mod fen;
mod moves;

pub use fen::check_fen;
pub use moves::{Game, check_game};
