//! Reading lines of notation into C's moves.

use tabiya_board::{Color, Piece, Rank, Role, Square};
use tabiya_chessmoves_core::NotationLine;
use tabiya_notation::{Dialect, San, SanParts};

use crate::layout::{Location, Move};

/// A move and its promotion, for which C's struct has no field.
#[derive(Clone, Copy)]
pub(crate) struct ParsedMove {
    pub(crate) mv: Move,
    pub(crate) promotion: Option<Role>,
}

/// Parses the moves of White and Black on a line. A missing or unreadable move is `None`.
pub(crate) fn parse_line(text: &str) -> [Option<ParsedMove>; 2] {
    let line = NotationLine::parse(text).unwrap_or_default();
    let mut color = line.first_to_move.unwrap_or(Color::White);
    let mut moves = [None; 2];
    for text in line.moves().into_iter().flatten() {
        moves[color.index()] = parse_move(text, color);
        color = !color;
    }
    moves
}

fn parse_move(text: &str, color: Color) -> Option<ParsedMove> {
    let (piece, from, to, is_capture, promotion) =
        match San::parse(text, Dialect::Lenient).ok()?.parts() {
            SanParts::Piece(piece) => {
                let from = Location::partial(piece.file, piece.rank);
                (piece.role, from, piece.to, piece.capture, piece.promotion)
            }
            SanParts::Castle(wing) => {
                let to = Square::new(wing.king_file(), color.relative_rank(Rank::First));
                (Role::King, Location::partial(None, None), to, false, None)
            }
            SanParts::Null => return None,
        };
    Some(ParsedMove {
        mv: Move::new(Piece::new(color, piece), from, to, is_capture),
        promotion,
    })
}
