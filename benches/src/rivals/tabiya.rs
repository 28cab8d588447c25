//! Our own library, whose positions come with and without a Zobrist key.

use tabiya_board::{Board, Position};

use super::Library;

/// `Position`: the rules and the clocks.
pub struct TabiyaPosition;

/// `Board`: a position that also keeps its Zobrist key up to date.
pub struct TabiyaBoard;

impl Library for TabiyaPosition {
    const NAME: &str = "tabiya Position";

    const VERSION: &str = env!("CARGO_PKG_VERSION");

    type Position = Position;

    fn parse(fen: &str) -> Result<Position, String> {
        fen.parse()
            .map_err(|error: <Position as std::str::FromStr>::Err| error.to_string())
    }

    fn count(position: &Position) -> u64 {
        position.legal_moves().len() as u64
    }

    fn for_each_child(position: &Position, mut visit: impl FnMut(&Position)) {
        for legal_move in position.legal_moves() {
            visit(&position.play(legal_move));
        }
    }

    fn bulk(position: &Position, depth: usize) -> u64 {
        tabiya_board::perft(position, depth as u32)
    }
}

impl Library for TabiyaBoard {
    const NAME: &str = "tabiya Board";

    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", key kept");

    type Position = Board;

    fn parse(fen: &str) -> Result<Board, String> {
        fen.parse()
            .map_err(|error: <Board as std::str::FromStr>::Err| error.to_string())
    }

    fn count(board: &Board) -> u64 {
        board.legal_moves().len() as u64
    }

    fn for_each_child(board: &Board, mut visit: impl FnMut(&Board)) {
        for legal_move in board.legal_moves() {
            visit(&board.play(legal_move));
        }
    }
}
