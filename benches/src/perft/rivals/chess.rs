//! The `chess` crate.

use chess::{Board, MoveGen};

use super::Library;
use crate::versions;

/// `chess`, whose boards keep a Zobrist key, the pins and the checks.
pub struct Chess;

impl Library for Chess {
    const NAME: &str = "chess";

    const VERSION: &str = versions::CHESS;

    type Position = Board;

    fn parse(fen: &str) -> Result<Board, String> {
        fen.parse().map_err(|error: chess::Error| error.to_string())
    }

    fn count(position: &Board) -> u64 {
        MoveGen::new_legal(position).len() as u64
    }

    fn for_each_child(position: &Board, mut visit: impl FnMut(&Board)) {
        // One board for all children: with a new one for each, an eighth of the speed is lost.
        let mut child = *position;
        for chess_move in MoveGen::new_legal(position) {
            position.make_move(chess_move, &mut child);
            visit(&child);
        }
    }

    fn bulk(position: &Board, depth: usize) -> u64 {
        // Its own function, which makes moves into memory that is not initialised, does not know
        // depth 0.
        if depth == 0 {
            1
        } else {
            MoveGen::movegen_perft_test(position, depth) as u64
        }
    }
}
