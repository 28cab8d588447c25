//! Sprites for pieces on large squares: each cell has two pixels, one above the other, or four.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use tabiya_board::{Piece, Role};

/// The height of squares from which sprites fit.
pub(crate) const MIN_ROWS: u16 = 3;

/// Ten by five quarter cells, which are half as wide as high.
type Fine = [&'static str; 5];
/// Seven by seven half cells.
type Small = [&'static str; 7];
/// Nine by nine half cells.
type Large = [&'static str; 9];

const fn fine(role: Role) -> &'static Fine {
    match role {
        Role::Pawn => &[
            "..........", //
            "....##....", //
            "...####...", //
            "....##....", //
            "..######..",
        ],
        Role::Knight => &[
            ".....##...", //
            "...#####..", //
            ".########.", //
            ".##.#####.", //
            "...######.",
        ],
        Role::Bishop => &[
            "....##....", //
            "...##.#...", //
            "..######..", //
            "....##....", //
            "..######..",
        ],
        Role::Rook => &[
            ".##.##.##.", //
            ".########.", //
            "...####...", //
            "...####...", //
            ".########.",
        ],
        Role::Queen => &[
            "#...##...#", //
            "##.####.##", //
            ".########.", //
            "..######..", //
            ".########.",
        ],
        Role::King => &[
            "....##....", //
            "..######..", //
            "....##....", //
            "##########", //
            ".########.",
        ],
    }
}

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

/// Block characters by their quarters: 1 for upper left, 2 upper right, 4 lower left, 8 lower right.
pub(crate) const QUARTERS: [&str; 16] = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
];

/// Draws a piece in the middle of a square.
pub(crate) fn draw(piece: Piece, area: Rect, [figure, ground]: [Color; 2], buffer: &mut Buffer) {
    // A fine sprite has quarter-cell pixels, the others half-cell pixels.
    let (picture, pixel): (&[&str], i32) = match area.height {
        ..4 => (fine(piece.role), 1),
        4 => (small(piece.role), 2),
        _ => (large(piece.role), 2),
    };
    let (columns, rows) = (i32::from(area.width) * 2, i32::from(area.height) * 2);
    let (width, height) = (picture[0].len() as i32 * pixel, picture.len() as i32);
    let left = (columns - width) / 2;
    // If it cannot be centred it goes lower, away from the piece above.
    let top = match area.height {
        ..4 => rows - height,
        _ => (rows - height) / 2,
    };
    let is_set = |x: i32, y: i32| {
        let row = usize::try_from(y - top).ok().and_then(|y| picture.get(y));
        let column = usize::try_from((x - left).div_euclid(pixel)).ok();
        row.zip(column)
            .and_then(|(row, x)| row.as_bytes().get(x))
            .is_some_and(|&pixel| pixel == b'#')
    };
    for x in 0..area.width {
        for y in 0..area.height {
            let (column, row) = (i32::from(x) * 2, i32::from(y) * 2);
            let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .into_iter()
                .enumerate()
                .filter(|&(_, (right, down))| is_set(column + right, row + down))
                .fold(0, |set, (bit, _)| set | 1 << bit);
            if quarters > 0 {
                buffer[(area.x + x, area.y + y)]
                    .set_symbol(QUARTERS[quarters])
                    .set_fg(figure)
                    .set_bg(ground);
            }
        }
    }
}
