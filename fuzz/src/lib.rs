//! What the fuzz targets check, as plain functions, so that a found input can be tried again without a fuzzer.

mod board;
mod chessmoves;
mod epd;
mod fen;
mod moves;
mod pgn;
mod san;

pub use chessmoves::check_chessmoves;
pub use epd::check_epd;
pub use fen::check_fen;
pub use moves::{Game, check_game};
pub use pgn::check_pgn;
pub use san::check_san;
