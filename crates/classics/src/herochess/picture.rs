//! Drawing the board.

use std::fmt::Write;

use tabiya_board::{Color, File, GameHistory, Piece, Rank, Square};
use tabiya_play::captures;

/// How many captured pieces fit beside a row. Eight rows hold all thirty.
const CAPTURES_PER_ROW: usize = 4;

/// Draws the board in eighteen lines: the rows with their numbers, then the column letters. Captured pieces stand on
/// the right, in the order of capture.
pub(super) fn draw(game: &GameHistory) -> String {
    let rule = format!("   {}\n", "-".repeat(40));
    let captured: Vec<Piece> = captures(game).collect();
    let mut captured = captured.chunks(CAPTURES_PER_ROW);
    let mut picture = String::with_capacity(900);
    if captured.len() > 0 {
        picture.push_str(rule.trim_end());
        picture.push_str("   Captured:\n");
    } else {
        picture.push_str(&rule);
    }
    for rank in Rank::ALL.into_iter().rev() {
        // Writing to a String cannot fail.
        let _ = write!(picture, "{rank} |");
        for file in File::ALL {
            let piece = game.board().piece_at(Square::new(file, rank));
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

/// Returns the two characters of a piece, such as `wP` or `bK`.
fn name(piece: Piece) -> String {
    let color = match piece.color {
        Color::White => 'w',
        Color::Black => 'b',
    };
    format!("{color}{}", piece.role.upper_char())
}
