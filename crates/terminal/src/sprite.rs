//! Pieces on large squares, drawn out of half blocks: each cell is two pixels, one above the other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use tabiya_board::{Piece, Role};

/// Squares with so many rows have room for them.
pub(crate) const LEAST_ROWS: u16 = 4;

/// A picture of seven by seven.
type Small = [&'static str; 7];
/// A picture of nine by nine.
type Large = [&'static str; 9];

const fn small(role: Role) -> &'static Small {
    match role {
        Role::Pawn => &[
            ".......", //
            "...#...", //
            "..###..", //
            "...#...", //
            "..###..", //
            "..###..", //
            ".#####.",
        ],
        Role::Knight => &[
            "...#...", //
            "..####.", //
            ".##.###", //
            "######.", //
            "..####.", //
            "..####.", //
            ".######",
        ],
        Role::Bishop => &[
            "...#...", //
            "..###..", //
            ".##.##.", //
            ".#####.", //
            "..###..", //
            "..###..", //
            ".#####.",
        ],
        Role::Rook => &[
            ".#.#.#.", //
            ".#####.", //
            "..###..", //
            "..###..", //
            "..###..", //
            ".#####.", //
            ".#####.",
        ],
        Role::Queen => &[
            "#..#..#", //
            "#..#..#", //
            "##.#.##", //
            "#######", //
            ".#####.", //
            "..###..", //
            ".#####.",
        ],
        Role::King => &[
            "...#...", //
            "..###..", //
            "...#...", //
            "##.#.##", //
            "#######", //
            ".#####.", //
            ".#####.",
        ],
    }
}

const fn large(role: Role) -> &'static Large {
    match role {
        Role::Pawn => &[
            ".........", //
            ".........", //
            "...###...", //
            "...###...", //
            "....#....", //
            "...###...", //
            "...###...", //
            "..#####..", //
            ".#######.",
        ],
        Role::Knight => &[
            "....#.#..", //
            "...####..", //
            "..##.###.", //
            ".########", //
            "####.####", //
            ".#..#####", //
            "...#####.", //
            "..######.", //
            ".########",
        ],
        Role::Bishop => &[
            "....#....", //
            "...###...", //
            "..###.#..", //
            "..##.##..", //
            "..#####..", //
            "...###...", //
            "...###...", //
            "..#####..", //
            ".#######.",
        ],
        Role::Rook => &[
            ".##.#.##.", //
            ".#######.", //
            "..#####..", //
            "...###...", //
            "...###...", //
            "...###...", //
            "..#####..", //
            ".#######.", //
            ".#######.",
        ],
        Role::Queen => &[
            "....#....", //
            "#...#...#", //
            "#.#.#.#.#", //
            "#########", //
            ".#######.", //
            "..#####..", //
            "...###...", //
            "..#####..", //
            ".#######.",
        ],
        Role::King => &[
            "....#....", //
            "...###...", //
            "....#....", //
            ".##.#.##.", //
            "####.####", //
            "#########", //
            ".#######.", //
            "..#####..", //
            ".#######.",
        ],
    }
}

/// Draws a piece in the middle of a square with its own colour and that of the square.
pub(crate) fn draw(piece: Piece, area: Rect, [figure, ground]: [Color; 2], buffer: &mut Buffer) {
    let picture: &[&str] = if area.rows().count() * 2 >= 10 {
        large(piece.role)
    } else {
        small(piece.role)
    };
    let (columns, rows) = (i32::from(area.width), i32::from(area.height) * 2);
    let (width, height) = (picture[0].len() as i32, picture.len() as i32);
    let (left, top) = ((columns - width) / 2, (rows - height) / 2);
    let is_set = |x: i32, y: i32| {
        let row = usize::try_from(y - top).ok().and_then(|y| picture.get(y));
        let column = usize::try_from(x - left).ok();
        row.zip(column)
            .and_then(|(row, x)| row.as_bytes().get(x))
            .is_some_and(|&pixel| pixel == b'#')
    };
    for x in 0..area.width {
        for y in 0..area.height {
            let above = is_set(x.into(), i32::from(y) * 2);
            let below = is_set(x.into(), i32::from(y) * 2 + 1);
            let symbol = match (above, below) {
                (false, false) => continue,
                (true, true) => "█",
                (true, false) => "▀",
                (false, true) => "▄",
            };
            buffer[(area.x + x, area.y + y)]
                .set_symbol(symbol)
                .set_fg(figure)
                .set_bg(ground);
        }
    }
}
