//! Lines of notation, made into moves for C.

use tabiya_board::{Color, Piece, Rank, Role, Square};
use tabiya_chessmoves_core::NotationLine;
use tabiya_notation::{Dialect, San, SanParts};

use crate::layout::{Location, Move};

/// A move as it is written. What a pawn becomes has no place in C's struct.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    pub(crate) mv: Move,
    pub(crate) promotion: Option<Role>,
}

/// The moves of White and of Black on a line, as far as they are there and can be read.
pub(crate) fn read(text: &str) -> [Option<Written>; 2] {
    let line = NotationLine::parse(text).unwrap_or_default();
    let mut color = line.first_to_move.unwrap_or(Color::White);
    let mut moves = [None; 2];
    for text in line.moves().into_iter().flatten() {
        moves[color.index()] = read_move(text, color);
        color = !color;
    }
    moves
}

fn read_move(text: &str, color: Color) -> Option<Written> {
    let (piece, from, to, is_capture, promotion) =
        match San::parse(text, Dialect::Chessmoves).ok()?.parts() {
            SanParts::Piece(piece) => {
                let from = Location::partly(piece.file, piece.rank);
                (piece.role, from, piece.to, piece.capture, piece.promotion)
            }
            SanParts::Castle(wing) => {
                let to = Square::new(wing.king_file(), color.relative_rank(Rank::First));
                (Role::King, Location::partly(None, None), to, false, None)
            }
            SanParts::Null => return None,
        };
    Some(Written {
        mv: Move::new(Piece::new(color, piece), from, to, is_capture),
        promotion,
    })
}
