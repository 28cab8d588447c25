//! The `eschac` crate.
//!
//! Its FENs have no clocks, so it reads and writes them only to prepare and to check, not against
//! the clock.

use std::fmt::Write;

use eschac::position::{Move, Position};
use eschac::san::San;
use eschac::setup::Setup;
use eschac::uci::UciMove;

use super::{Library, ReadSan, WriteSan};
use crate::versions;

/// `eschac`, whose positions keep neither clocks nor a key.
pub(super) struct Eschac;

impl Library for Eschac {
    const NAME: &str = "eschac";

    const VERSION: &str = versions::ESCHAC;

    type Position = Position;

    fn read_fen(fen: &str) -> Option<Position> {
        let record = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        Setup::from_text_record(&record).ok()?.into_position().ok()
    }

    fn write_fen(position: &Position, out: &mut String) {
        // Writing to a string does not fail.
        let _ = write!(out, "{}", position.to_setup().to_text_record());
    }
}

impl ReadSan for Eschac {
    fn read_and_play(position: &mut Position, san: &str) -> bool {
        let Some(san) = San::from_ascii(san.as_bytes()) else {
            return false;
        };
        let Ok(chess_move) = san.to_move(position) else {
            return false;
        };
        *position = chess_move.make();
        true
    }
}

impl WriteSan for Eschac {
    type Move<'a> = Move<'a>;

    fn read_uci<'a>(position: &'a Position, uci: &str) -> Option<Move<'a>> {
        UciMove::from_ascii(uci.as_bytes())?.to_move(position).ok()
    }

    fn write_san(_: &Position, chess_move: Move<'_>, out: &mut String) {
        let _ = write!(out, "{}", chess_move.to_san());
    }
}
