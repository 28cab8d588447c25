//! Our own library.

use std::fmt::Write;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, Move};
use tabiya_notation::{Dialect, parse_san, uci, write_san};

use super::{Library, ReadSan, WriteSan};
use crate::versions;

impl Library for Position {
    const NAME: &str = "tabiya Position";

    const VERSION: &str = versions::TABIYA;

    type Position = Self;

    fn read_fen(fen: &str) -> Option<Self> {
        fen.parse().ok()
    }

    fn write_fen(position: &Self, out: &mut String) {
        // Writing to a string does not fail.
        let _ = write!(out, "{position}");
    }
}

impl ReadSan for Position {
    fn read_and_play(position: &mut Self, san: &str) -> bool {
        let found = parse_san(san, position, Dialect::Import);
        if let Ok(mv) = found {
            position.play_unchecked(mv);
        }
        found.is_ok()
    }
}

impl WriteSan for Position {
    type Move<'a> = Move;

    fn read_uci(position: &Self, text: &str) -> Option<Move> {
        uci::parse(text, position).ok()
    }

    fn write_san(position: &Self, mv: Move, out: &mut String) {
        out.push_str(&write_san(position, mv));
    }
}

impl Library for Board {
    const NAME: &str = "tabiya Board";

    const VERSION: &str = versions::TABIYA;

    type Position = Self;

    fn read_fen(fen: &str) -> Option<Self> {
        fen.parse().ok()
    }

    fn write_fen(board: &Self, out: &mut String) {
        Position::write_fen(board.position(), out);
    }
}

impl ReadSan for Board {
    fn read_and_play(board: &mut Self, san: &str) -> bool {
        let found = parse_san(san, board, Dialect::Import);
        if let Ok(mv) = found {
            board.play_unchecked(mv);
        }
        found.is_ok()
    }
}
