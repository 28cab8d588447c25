//! Lists the squares that a lone piece can reach.

use std::io::{self, BufRead};

use tabiya_board::{Color, File, Piece, Placement, Rank, Role, Square};
use thiserror::Error;

/// An error in the input. The three characters are checked in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PieceInputError {
    /// The first character is missing or not one of `R N B Q K P`.
    #[error("WRONG PIECE")]
    Piece,
    /// The second character is missing or not one of `a` to `h`.
    #[error("COLUMN OUTSIDE RANGE")]
    Column,
    /// The third character is missing or not one of `1` to `8`.
    #[error("ROW OUTSIDE RANGE")]
    Row,
}

/// Reads a piece, its column and its row, with or without white space between them. Leaves the rest unread.
///
/// ```
/// use tabiya_board::{Role, Square};
/// use tabiya_classics::chessmaster::{PieceInputError, reachable_squares, read_piece};
///
/// assert_eq!(read_piece(&b"N c 5"[..]).unwrap(), Ok((Role::Knight, Square::C5)));
/// assert_eq!(read_piece(&b"Ni5"[..]).unwrap(), Err(PieceInputError::Column));
/// assert_eq!(reachable_squares(Role::Pawn, Square::H2), [Square::H3, Square::H4]);
/// ```
pub fn read_piece(input: impl BufRead) -> io::Result<Result<(Role, Square), PieceInputError>> {
    let mut characters = input
        .bytes()
        .filter(|byte| !byte.as_ref().is_ok_and(|&byte| is_space(byte)));
    // Check each character before waiting for the next.
    let mut next = || characters.next().transpose();
    let capital = |byte: u8| Role::from_char(byte as char).filter(|_| byte.is_ascii_uppercase());
    let small = |byte: u8| File::from_char(byte as char).filter(|_| byte.is_ascii_lowercase());
    let Some(role) = next()?.and_then(capital) else {
        return Ok(Err(PieceInputError::Piece));
    };
    let Some(file) = next()?.and_then(small) else {
        return Ok(Err(PieceInputError::Column));
    };
    let Some(rank) = next()?.and_then(|byte| Rank::from_char(byte as char)) else {
        return Ok(Err(PieceInputError::Row));
    };
    Ok(Ok((role, Square::new(file, rank))))
}

/// White space as C's `isspace` defines it.
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

/// Returns the squares that a white piece can reach on an otherwise empty board, in alphabetical order.
pub fn reachable_squares(role: Role, square: Square) -> Vec<Square> {
    let mut alone = Placement::EMPTY;
    alone.put(square, Piece::new(Color::White, role));
    let mut squares: Vec<Square> = alone.pseudo_legal_targets(square).into_iter().collect();
    squares.sort_unstable_by_key(|square| (square.file(), square.rank()));
    squares
}
