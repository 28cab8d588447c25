//! The `cozy-chess` crate.

use std::fmt::Write;

use cozy_chess::util::{display_san_move, parse_san_move, parse_uci_move};
use cozy_chess::{Board, Move};

use super::{Library, ReadSan, WriteSan};
use crate::versions;

/// `cozy-chess`, whose boards keep the clocks, a Zobrist key, the pins and the checks.
pub(super) struct CozyChess;

impl Library for CozyChess {
    const NAME: &str = "cozy-chess";

    const VERSION: &str = versions::COZY_CHESS;

    type Position = Board;

    fn read_fen(fen: &str) -> Option<Board> {
        // `str::parse` tries this first.
        Board::from_fen(fen, false).ok()
    }

    fn write_fen(board: &Board, out: &mut String) {
        // Writing to a string does not fail.
        let _ = write!(out, "{board}");
    }
}

impl ReadSan for CozyChess {
    fn read_and_play(board: &mut Board, san: &str) -> bool {
        let found = parse_san_move(board, san);
        if let Ok(chess_move) = found {
            board.play_unchecked(chess_move);
        }
        found.is_ok()
    }
}

impl WriteSan for CozyChess {
    type Move<'a> = Move;

    fn read_uci(board: &Board, uci: &str) -> Option<Move> {
        parse_uci_move(board, uci).ok()
    }

    fn write_san(board: &Board, chess_move: Move, out: &mut String) {
        let _ = write!(out, "{}", display_san_move(board, chess_move));
    }
}
