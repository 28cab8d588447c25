//! The checks of the fuzz targets as plain functions, so that an input can be tried again without a fuzzer.

mod board;
mod checker;
mod chessmoves;
mod epd;
mod fen;
mod fix;
mod herochess;
mod moves;
mod pgn;
mod play;
mod san;
mod selfplay;
mod uci;

pub use checker::check_checker;
pub use chessmoves::check_chessmoves;
pub use epd::check_epd;
pub use fen::check_fen;
pub use fix::check_fix;
pub use herochess::check_herochess;
pub use moves::{Game, check_game};
pub use pgn::check_pgn;
pub use play::check_play;
pub use san::check_san;
pub use selfplay::check_selfplay;
pub use uci::check_uci;
