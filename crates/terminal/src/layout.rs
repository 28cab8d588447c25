//! The layout for screens of any size.

use ratatui::layout::Rect;

use crate::appearance::Appearance;
use crate::board::SquareSize;

/// The smallest screen that fits a board and the lines below it.
pub(crate) const MIN_COLUMNS: u16 = 26;
pub(crate) const MIN_ROWS: u16 = 12;

/// The width of the move list beside the board.
const PANEL: std::ops::RangeInclusive<u16> = 24..=46;
/// The width of the evaluation bar with the gap before it.
const EVAL_BAR: u16 = 3;
const GAP: u16 = 2;
/// The height from which there is a title.
const ROWS_FOR_HEADER: u16 = 26;

/// Optional parts of the screen.
#[derive(Clone, Copy, Default)]
pub(crate) struct LayoutOptions {
    pub(crate) eval: bool,
    pub(crate) prompt: bool,
}

/// The areas of a screen.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) size: SquareSize,
    pub(crate) header: Option<Rect>,
    /// The players above and below the board.
    pub(crate) upper: Option<Rect>,
    pub(crate) lower: Option<Rect>,
    pub(crate) board: Rect,
    pub(crate) eval: Option<Rect>,
    /// The move list, beside or below the board.
    pub(crate) panel: Option<Rect>,
    pub(crate) is_wide: bool,
    pub(crate) message: Rect,
    pub(crate) prompt: Option<Rect>,
    pub(crate) keys: Rect,
}

impl Layout {
    /// Computes the layout; `None` if the screen is too small for a board.
    pub(crate) fn of(area: Rect, appearance: &Appearance, wants: LayoutOptions) -> Option<Self> {
        if area.width < MIN_COLUMNS || area.height < MIN_ROWS {
            return None;
        }
        let mut rest = area;
        let keys = last_rows(&mut rest, 1);
        let prompt = wants.prompt.then(|| last_rows(&mut rest, 1));
        // Small screens drop the second row of messages first, then the players.
        let message_rows = if rest.height >= 8 + 1 + 2 + 2 { 2 } else { 1 };
        let message = last_rows(&mut rest, message_rows);
        let has_players = rest.height >= 8 + 1 + 2;
        let player_rows = if has_players { 2 } else { 0 };

        let eval = if wants.eval { EVAL_BAR } else { 0 };
        let beside = GAP + eval + PANEL.start();
        let board_rows = rest.height - player_rows;
        let wide = SquareSize::fitting(
            rest.width.saturating_sub(beside + 1),
            board_rows,
            appearance,
        );
        // Leave the panel below out if it would be too small.
        let narrow_rows = board_rows.saturating_sub(3).max(9);
        let (size, is_wide) = match wide {
            Some(size) => (size, true),
            None => (
                SquareSize::fitting(rest.width - eval, narrow_rows, appearance)?,
                false,
            ),
        };

        let block_rows = size.height() + player_rows;
        // Add a title if the board leaves rows over.
        let has_header = area.height >= ROWS_FOR_HEADER && rest.height >= block_rows + 2;
        let header = has_header.then(|| first_rows(&mut rest, 2));
        let panel_columns = if is_wide {
            (rest.width - size.width() - GAP - eval).min(*PANEL.end())
        } else {
            0
        };
        let used = if is_wide {
            size.width() + GAP + eval + panel_columns
        } else {
            size.width() + eval
        };
        let left = rest.x + (rest.width - used) / 2;
        // Keep a margin to the edge.
        let top = rest.y
            + if is_wide {
                (rest.height - block_rows) / 2
            } else {
                0
            };
        let players = |y| Rect::new(left, y, size.width(), 1);
        let board_top = top + player_rows / 2;
        let board = Rect::new(left, board_top, size.width(), size.height());
        let squares_rows = size.height() - 1;
        let eval = wants.eval.then(|| Rect {
            x: board.right() + 1,
            width: EVAL_BAR - 2,
            height: squares_rows,
            ..board
        });
        let panel = if is_wide {
            let x = left + used - panel_columns;
            Some(Rect::new(x, top, panel_columns, block_rows))
        } else {
            let y = top + block_rows;
            let rows = rest.bottom().saturating_sub(y);
            (rows > 0).then(|| Rect::new(rest.x + 1, y, rest.width - 2, rows))
        };
        let indented = |row: Rect| Rect {
            x: if is_wide { left } else { row.x + 1 },
            width: if is_wide { used } else { row.width - 2 },
            ..row
        };
        Some(Self {
            size,
            header: header.map(|row| indented(Rect { height: 1, ..row })),
            upper: has_players.then(|| players(top)),
            lower: has_players.then(|| players(board.bottom())),
            board,
            eval,
            panel,
            is_wide,
            message: indented(message),
            prompt: prompt.map(indented),
            keys,
        })
    }
}

fn last_rows(area: &mut Rect, rows: u16) -> Rect {
    area.height -= rows;
    Rect {
        y: area.bottom(),
        height: rows,
        ..*area
    }
}

fn first_rows(area: &mut Rect, rows: u16) -> Rect {
    let taken = Rect {
        height: rows,
        ..*area
    };
    area.y += rows;
    area.height -= rows;
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appearance::{ColorDepth, PieceStyle};
    use crate::theme::Theme;

    const LOOKS: [(ColorDepth, PieceStyle); 4] = [
        (ColorDepth::True, PieceStyle::Glyphs),
        (ColorDepth::None, PieceStyle::Glyphs),
        (ColorDepth::Sixteen, PieceStyle::Letters),
        (ColorDepth::None, PieceStyle::Letters),
    ];

    #[test]
    fn everything_is_on_the_screen_and_nothing_overlaps() {
        for (colors, figures) in LOOKS {
            let appearance = Appearance {
                colors,
                figures,
                theme: Theme::default_theme(),
            };
            for width in 1..200 {
                for height in 1..80 {
                    for wants in [
                        LayoutOptions::default(),
                        LayoutOptions {
                            eval: true,
                            prompt: true,
                        },
                    ] {
                        let area = Rect::new(0, 0, width, height);
                        let Some(layout) = Layout::of(area, &appearance, wants) else {
                            assert!(
                                width < MIN_COLUMNS + EVAL_BAR || height < MIN_ROWS,
                                "{width} {height}"
                            );
                            continue;
                        };
                        check(&layout, area);
                    }
                }
            }
        }
    }

    fn check(layout: &Layout, area: Rect) {
        let parts = [
            layout.header,
            layout.upper,
            layout.lower,
            Some(layout.board),
            layout.eval,
            layout.panel,
            Some(layout.message),
            layout.prompt,
            Some(layout.keys),
        ];
        let parts: Vec<Rect> = parts.into_iter().flatten().collect();
        for (i, part) in parts.iter().enumerate() {
            assert_eq!(part.intersection(area), *part, "{area}: {layout:?}");
            for other in &parts[..i] {
                assert!(
                    !part.intersects(*other),
                    "{area}: {part} {other} {layout:?}"
                );
            }
        }
    }

    #[test]
    fn the_usual_window_has_squares_of_two_rows() {
        let appearance = Appearance {
            colors: ColorDepth::True,
            figures: PieceStyle::Glyphs,
            theme: Theme::default_theme(),
        };
        let wants = LayoutOptions {
            eval: true,
            prompt: true,
        };
        let layout = Layout::of(Rect::new(0, 0, 80, 24), &appearance, wants).unwrap();
        assert_eq!(layout.board.as_size().to_string(), "42x18");
        assert!(layout.is_wide && layout.upper.is_some());
    }
}
