//! Boards in letters, capitals for Black.

use tabiya_board::{File, Piece, Placement, Rank, Square};

/// The letters of a board: row 8 first, a space for an empty square.
pub type Rows = [[u8; 8]; 8];

/// The number of characters of a board that is drawn.
pub const BOARD_SIZE: usize = 10 * (8 + 1) + 1;

const RULE: &[u8; 9] = b"========\n";

/// The letter of a piece: capitals are Black, the opposite of FEN.
pub const fn letter(piece: Piece) -> u8 {
    (piece.char() as u8) ^ CASE
}

/// The piece of a letter.
pub const fn piece(letter: u8) -> Option<Piece> {
    Piece::from_char((letter ^ CASE) as char)
}

/// The bit in which small letters and capitals differ.
const CASE: u8 = 0x20;

/// The letters of pieces.
pub fn rows(pieces: &Placement) -> Rows {
    let ranks = [7, 6, 5, 4, 3, 2, 1, 0].map(|index| Rank::ALL[index]);
    ranks.map(|rank| {
        File::ALL.map(|file| {
            pieces
                .piece_at(Square::new(file, rank))
                .map_or(b' ', letter)
        })
    })
}

/// A board as it is printed: the rows between two lines of `=`, and an empty line.
pub fn draw(rows: &Rows) -> [u8; BOARD_SIZE] {
    let mut text = [b'\n'; BOARD_SIZE];
    let mut lines = text.chunks_exact_mut(RULE.len());
    let mut put = |row: &[u8]| {
        if let Some(line) = lines.next() {
            line[..row.len()].copy_from_slice(row);
        }
    };
    put(RULE);
    for row in rows {
        put(row);
    }
    put(RULE);
    text
}
