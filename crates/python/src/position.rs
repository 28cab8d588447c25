//! What a board tells about its position, apart from the class.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Board, Color, Move, Rank, Role, Setup, SetupError, Square, attacks};
use tabiya_notation::write_san;

use crate::history::History;
use crate::piece::figure;

pub(crate) fn has_legal_en_passant(board: &Board) -> bool {
    board.en_passant().is_some() && board.legal_moves().iter().any(|mv| mv.is_en_passant())
}

/// The square that a pawn has just passed over, whether or not it can be captured there.
pub(crate) fn skipped_square(history: &History) -> Option<Square> {
    match history.played.last() {
        Some((_, Some(mv))) if mv.is_double_push() => {
            Square::from_index(usize::midpoint(mv.from().index(), mv.to().index()))
        }
        _ => history.board.en_passant(),
    }
}

/// The FEN, with the en passant square as the caller wants it.
pub(crate) fn fen(history: &History, shredder: bool, en_passant: &str) -> PyResult<String> {
    let board = &history.board;
    let square = match en_passant {
        "legal" => board.en_passant().filter(|_| has_legal_en_passant(board)),
        "xfen" => board.en_passant(),
        "fen" => skipped_square(history),
        _ => {
            let message =
                format!("{en_passant:?} is not a way to write en passant: use legal, xfen or fen");
            return Err(PyValueError::new_err(message));
        }
    };
    let text = if shredder {
        board.shredder_fen().to_string()
    } else {
        board.to_string()
    };
    if square == board.en_passant() {
        return Ok(text);
    }
    let mut fields: Vec<&str> = text.split(' ').collect();
    let square = square.map_or_else(|| "-".to_owned(), |square| square.to_string());
    if let Some(field) = fields.get_mut(3) {
        *field = &square;
    }
    Ok(fields.join(" "))
}

/// The field of castling rights of a FEN.
pub(crate) fn castling_text(fen: &str) -> String {
    fen.split(' ').nth(2).unwrap_or("-").to_owned()
}

/// The line between a king and the piece that pins the piece on a square, extended to the edges.
pub(crate) fn pin(board: &Position, color: Color, square: Square) -> Option<Bitboard> {
    let king = board.king(color);
    let line = attacks::line(king, square);
    if square == king || line.is_empty() {
        return None;
    }
    let enemies = board.by_color(!color);
    let straight = king.file() == square.file() || king.rank() == square.rank();
    let sliders = if straight {
        board.orthogonal_sliders()
    } else {
        board.diagonal_sliders()
    };
    (enemies & sliders & line)
        .into_iter()
        .filter(|&by| by != square)
        .map(|by| attacks::between(king, by))
        .any(|between| {
            between.contains(square)
                && (between & board.occupied() & !Bitboard::from(square)).is_empty()
        })
        .then_some(line)
}

/// The board turned upside down with the colours exchanged.
pub(crate) fn mirrored(board: &Board) -> Result<Board, SetupError> {
    let setup = board.setup();
    let mut other = Setup {
        turn: !setup.turn,
        castling_rooks: Bitboard(setup.castling_rooks.0.swap_bytes()),
        en_passant: setup.en_passant.map(Square::flip),
        halfmove_clock: setup.halfmove_clock,
        fullmove_number: setup.fullmove_number,
        ..Setup::default()
    };
    for square in board.occupied() {
        if let Some(mut piece) = board.piece_at(square) {
            piece.color = !piece.color;
            other.pieces.put(square.flip(), piece);
        }
    }
    Board::new_forgiving(&other, |_| true)
}

/// A legal move in long algebraic notation.
pub(crate) fn lan(board: &Board, mv: Move) -> String {
    let san = write_san(board, mv).to_string();
    if mv.is_castling() {
        return san;
    }
    let piece = match mv.role() {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let sign = if board.captured(mv).is_some() {
        'x'
    } else {
        '-'
    };
    let mut text = format!("{piece}{}{sign}{}", mv.from(), mv.to());
    if let Some(role) = mv.promotion() {
        text.push('=');
        text.push(role.upper_char());
    }
    text.extend(san.chars().filter(|sign| matches!(sign, '+' | '#')));
    text
}

/// The board in eight lines of letters and dots.
pub(crate) fn lines(board: &Board) -> String {
    let rank = |rank: Rank| {
        let cells = tabiya_board::File::ALL.map(|file| {
            let piece = board.piece_at(Square::new(file, rank));
            piece.map_or('.', tabiya_board::Piece::char).to_string()
        });
        cells.join(" ")
    };
    let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(rank).collect();
    ranks.join("\n")
}

/// The board with Unicode figures.
pub(crate) fn unicode(
    board: &Board,
    invert: bool,
    borders: bool,
    empty: &str,
    side: Color,
) -> String {
    let mut ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    let mut files = tabiya_board::File::ALL.to_vec();
    if !side.is_white() {
        ranks.reverse();
        files.reverse();
    }
    let rule = "  -----------------\n";
    let mut text = String::new();
    for (row, &rank) in ranks.iter().enumerate() {
        if borders {
            text.push_str(rule);
            text.push(rank.char());
            text.push(' ');
        } else if row > 0 {
            text.push('\n');
        }
        for (column, &file) in files.iter().enumerate() {
            if borders {
                text.push('|');
            } else if column > 0 {
                text.push(' ');
            }
            text.push_str(match board.piece_at(Square::new(file, rank)) {
                Some(piece) => figure(piece, invert),
                None => empty,
            });
        }
        if borders {
            text.push_str("|\n");
        }
    }
    if borders {
        text.push_str(rule);
        text.push_str("   ");
        let letters: Vec<String> = files.iter().map(|file| file.char().to_string()).collect();
        text.push_str(&letters.join(" "));
    }
    text
}

/// Counts the leaves of a small tree. The board's own function is compiled for several processors, which would make the
/// wheel larger, and faster only here.
fn leaves(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => {
            let moves = position.legal_moves();
            let below = |&mv| {
                let mut next = *position;
                next.play_unchecked(mv);
                leaves(&next, depth - 1)
            };
            moves.iter().map(below).sum()
        }
    }
}

/// Counts the leaves of the tree of legal moves, in pieces between which Ctrl-C works.
pub(crate) fn perft(py: Python<'_>, board: Board, depth: u32) -> PyResult<u64> {
    if depth > 20 {
        return Err(PyValueError::new_err(format!(
            "depth {depth} is too large: the limit is 20"
        )));
    }
    if depth < 5 {
        return Ok(py.detach(|| leaves(&board, depth)));
    }
    let mut total = 0;
    for &mv in &board.legal_moves() {
        let next = board.after_unchecked(mv);
        total += perft(py, next, depth - 1)?;
        py.check_signals()?;
    }
    Ok(total)
}
