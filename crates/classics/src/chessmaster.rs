//! Where a lone piece can go.

use std::io::{self, BufRead};

use tabiya_board::{Color, File, Piece, Placement, Rank, Role, Square};
use thiserror::Error;

/// What is wrong with the three characters, in the order in which they are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Wrong {
    /// The first is none of `R N B Q K P`, or missing.
    #[error("WRONG PIECE")]
    Piece,
    /// The second is none of `a` to `h`, or missing.
    #[error("COLUMN OUTSIDE RANGE")]
    Column,
    /// The third is none of `1` to `8`, or missing.
    #[error("ROW OUTSIDE RANGE")]
    Row,
}

/// Reads a piece, its column and its row, with white space between them or not. What comes behind them is left unread.
///
/// ```
/// use tabiya_board::{Role, Square};
/// use tabiya_classics::chessmaster::{Wrong, reach, read};
///
/// assert_eq!(read(&b"N c 5"[..]).unwrap(), Ok((Role::Knight, Square::C5)));
/// assert_eq!(read(&b"Ni5"[..]).unwrap(), Err(Wrong::Column));
/// let squares: Vec<String> = reach(Role::Pawn, Square::H2).iter().map(Square::to_string).collect();
/// assert_eq!(squares, ["h3", "h4"]);
/// ```
pub fn read(input: impl BufRead) -> io::Result<Result<(Role, Square), Wrong>> {
    let mut characters = input
        .bytes()
        .filter(|byte| !byte.as_ref().is_ok_and(|&byte| is_space(byte)));
    // Each is looked at before the next is waited for.
    let mut next = || characters.next().transpose();
    let capital = |byte: u8| Role::from_char(byte as char).filter(|_| byte.is_ascii_uppercase());
    let small = |byte: u8| File::from_char(byte as char).filter(|_| byte.is_ascii_lowercase());
    let Some(role) = next()?.and_then(capital) else {
        return Ok(Err(Wrong::Piece));
    };
    let Some(file) = next()?.and_then(small) else {
        return Ok(Err(Wrong::Column));
    };
    let Some(rank) = next()?.and_then(|byte| Rank::from_char(byte as char)) else {
        return Ok(Err(Wrong::Row));
    };
    Ok(Ok((role, Square::new(file, rank))))
}

/// White space as C knows it.
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

/// The squares that a white piece can reach on an otherwise empty board, in the order of the alphabet.
pub fn reach(role: Role, square: Square) -> Vec<Square> {
    let mut alone = Placement::EMPTY;
    alone.put(square, Piece::new(Color::White, role));
    let mut squares: Vec<Square> = alone.reach(square).into_iter().collect();
    squares.sort_unstable_by_key(|square| (square.file(), square.rank()));
    squares
}
