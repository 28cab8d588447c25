//! The `cozy-chess` crate.

use cozy_chess::{Board, FenParseError};

use super::Library;
use crate::versions;

/// `cozy-chess`, whose boards keep the clocks, a Zobrist key, the pins and the checks.
pub struct CozyChess;

impl Library for CozyChess {
    const NAME: &str = "cozy-chess";

    const VERSION: &str = versions::COZY_CHESS;

    type Position = Board;

    fn parse(fen: &str) -> Result<Board, String> {
        fen.parse()
            .map_err(|error: FenParseError| error.to_string())
    }

    fn count(position: &Board) -> u64 {
        let mut count = 0;
        position.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
        count
    }

    fn for_each_child(position: &Board, mut visit: impl FnMut(&Board)) {
        position.generate_moves(|moves| {
            for chess_move in moves {
                let mut child = position.clone();
                child.play_unchecked(chess_move);
                visit(&child);
            }
            false
        });
    }
}
