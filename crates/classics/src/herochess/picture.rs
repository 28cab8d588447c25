//! The board as it is printed.

use std::fmt::Write;

use tabiya_board::{Color, File, Line, Piece, Rank, Square};
use tabiya_play::captures;

/// So many captured pieces stand beside a row: enough for all thirty.
const BESIDE_A_ROW: usize = 4;

/// Eighteen lines: the rows with their numbers, the letters of the columns, and beside them what has been captured, row
/// by row in the order of capture.
pub(super) fn draw(line: &Line) -> String {
    let rule = format!("   {}\n", "-".repeat(40));
    let captured: Vec<Piece> = captures(line).collect();
    let mut captured = captured.chunks(BESIDE_A_ROW);
    let mut picture = String::with_capacity(900);
    if captured.len() > 0 {
        picture.push_str(rule.trim_end());
        picture.push_str("   Captured:\n");
    } else {
        picture.push_str(&rule);
    }
    for rank in Rank::ALL.into_iter().rev() {
        // Writing to memory does not fail.
        let _ = write!(picture, "{rank} |");
        for file in File::ALL {
            let piece = line.board().piece_at(Square::new(file, rank));
            let _ = write!(picture, " {} |", piece.map_or("  ".to_owned(), name));
        }
        for (i, &piece) in captured.next().unwrap_or_default().iter().enumerate() {
            picture.push_str(if i == 0 { "   " } else { " " });
            picture.push_str(&name(piece));
        }
        picture.push('\n');
        picture.push_str(&rule);
    }
    picture.push_str("     a    b    c    d    e    f    g    h");
    picture
}

/// Two characters: `wP`, `bK`.
fn name(piece: Piece) -> String {
    let color = match piece.color {
        Color::White => 'w',
        Color::Black => 'b',
    };
    format!("{color}{}", piece.role.upper_char())
}
