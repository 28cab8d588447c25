//! Boards as text, with capital letters for Black.

use tabiya_board::{File, Piece, Placement, Rank, Square};

/// The letters of a board, row 8 first. A space is an empty square.
pub type BoardRows = [[u8; 8]; 8];

/// The length of a drawn board, in bytes.
pub const BOARD_SIZE: usize = 10 * (8 + 1) + 1;

const RULE: &[u8; 9] = b"========\n";

/// Returns the letter of a piece. Capitals are Black, the opposite of FEN.
pub const fn letter(piece: Piece) -> u8 {
    (piece.char() as u8) ^ CASE
}

/// Returns the piece that a letter stands for.
pub const fn piece(letter: u8) -> Option<Piece> {
    Piece::from_char((letter ^ CASE) as char)
}

/// The bit that distinguishes small letters from capitals in ASCII.
const CASE: u8 = 0x20;

/// Returns the letters of a placement.
pub fn rows(pieces: &Placement) -> BoardRows {
    let ranks = [7, 6, 5, 4, 3, 2, 1, 0].map(|index| Rank::ALL[index]);
    ranks.map(|rank| {
        File::ALL.map(|file| {
            pieces
                .piece_at(Square::new(file, rank))
                .map_or(b' ', letter)
        })
    })
}

/// Draws a board: the rows between two lines of `=`, then an empty line.
pub fn draw(rows: &BoardRows) -> [u8; BOARD_SIZE] {
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
