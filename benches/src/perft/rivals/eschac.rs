//! The `eschac` crate.

use eschac::position::Position;
use eschac::setup::Setup;

use super::Library;
use crate::versions;

/// `eschac`, whose positions keep neither clocks nor a key.
pub struct Eschac;

/// `eschac` with its moves listed first and then played one by one.
pub struct EschacList;

impl Library for Eschac {
    const NAME: &str = "eschac";

    const VERSION: &str = versions::ESCHAC;

    type Position = Position;

    fn parse(fen: &str) -> Result<Position, String> {
        // Its FENs have no clocks.
        let record = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let setup = Setup::from_text_record(&record).map_err(|error| error.to_string())?;
        setup.into_position().map_err(|error| error.to_string())
    }

    fn count(position: &Position) -> u64 {
        position.count_legal_moves() as u64
    }

    fn for_each_child(position: &Position, mut visit: impl FnMut(&Position)) {
        position.for_each_move(|chess_move| visit(&chess_move.make()));
    }

    fn bulk(position: &Position, depth: usize) -> u64 {
        position.perft(depth) as u64
    }
}

impl Library for EschacList {
    const NAME: &str = "eschac list";

    const VERSION: &str = versions::ESCHAC;

    type Position = Position;

    fn parse(fen: &str) -> Result<Position, String> {
        Eschac::parse(fen)
    }

    fn count(position: &Position) -> u64 {
        position.legal_moves().len() as u64
    }

    fn for_each_child(position: &Position, mut visit: impl FnMut(&Position)) {
        for chess_move in &position.legal_moves() {
            visit(&chess_move.make());
        }
    }
}
