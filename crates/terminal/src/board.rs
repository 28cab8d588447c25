//! The board widget.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Point, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Widget;
use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, File, Piece, Rank, Square};

use crate::appearance::Appearance;
use crate::sprite;
use crate::theme::{SquareColor, Tone};

/// Highlighted squares.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct BoardHighlights {
    /// The squares of the last move.
    pub(crate) last: Bitboard,
    /// The selected piece.
    pub(crate) chosen: Option<Square>,
    /// The legal target squares of the selected piece.
    pub(crate) targets: Bitboard,
    /// The king in check.
    pub(crate) check: Option<Square>,
    /// The squares of the hinted move.
    pub(crate) hint: Bitboard,
    /// The keyboard cursor.
    pub(crate) cursor: Option<Square>,
}

/// The size of a square in columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SquareSize {
    columns: u16,
    rows: u16,
    /// Whether squares start in the middle of a row, so that a piece on two rows is centred. Half blocks paint the
    /// borders.
    shifted: bool,
}

/// Columns for the rank digits.
const MARGIN: u16 = 2;

impl SquareSize {
    /// All sizes, from the largest.
    const ALL: [Self; 7] = [
        Self::new(13, 6, false),
        Self::new(11, 5, false),
        Self::new(9, 4, false),
        Self::new(7, 3, false),
        Self::new(5, 2, true),
        Self::new(5, 2, false),
        Self::SMALL,
    ];
    /// The smallest size that shows all highlights without colours.
    const SMALL: Self = Self::new(3, 1, false);
    /// For the smallest screens: the piece and a column for the next one to stand apart.
    const TINY: Self = Self::new(2, 1, false);

    const fn new(columns: u16, rows: u16, shifted: bool) -> Self {
        Self {
            columns,
            rows,
            shifted,
        }
    }

    /// The largest size that fits.
    pub(crate) fn fitting(columns: u16, rows: u16, appearance: &Appearance) -> Option<Self> {
        let fits = |size: &&Self| size.width() <= columns && size.height() <= rows;
        let can_be_drawn = |size: &&Self| !size.shifted || appearance.has_glyphs();
        let all = Self::ALL.iter().filter(can_be_drawn).find(fits);
        let tiny = Some(&Self::TINY)
            .filter(|_| appearance.has_color())
            .filter(fits);
        all.or(tiny).copied()
    }

    /// The width of the board with its coordinates.
    pub(crate) const fn width(self) -> u16 {
        MARGIN + 8 * self.columns
    }

    /// The height of the board with its coordinates.
    pub(crate) const fn height(self) -> u16 {
        8 * self.rows + self.shifted as u16 + 1
    }

    /// Whether squares start and end in the middle of a row.
    pub(crate) const fn is_shifted(self) -> bool {
        self.shifted
    }

    /// Whether pieces are drawn as sprites.
    const fn has_sprites(self) -> bool {
        self.rows >= sprite::MIN_ROWS
    }
}

/// The place of the board on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardArea {
    /// The upper left corner, including the coordinates.
    corner: Point,
    size: SquareSize,
    flipped: bool,
}

impl BoardArea {
    pub(crate) const fn new(corner: Point, size: SquareSize, flipped: bool) -> Self {
        Self {
            corner,
            size,
            flipped,
        }
    }

    /// The square at a point of the screen.
    pub(crate) fn square_at(&self, point: Point) -> Option<Square> {
        let column = point.x.checked_sub(self.corner.x + MARGIN)? / self.size.columns;
        let row = point.y.checked_sub(self.corner.y)?;
        if row + 1 >= self.size.height() {
            return None;
        }
        let row = row.saturating_sub(self.size.shifted.into()) / self.size.rows;
        self.square(column.into(), row.into())
    }

    /// The square in a column and row, counted from the upper left.
    fn square(&self, column: usize, row: usize) -> Option<Square> {
        let (file, rank) = if self.flipped {
            (7_usize.checked_sub(column)?, row)
        } else {
            (column, 7_usize.checked_sub(row)?)
        };
        Some(Square::new(*File::ALL.get(file)?, *Rank::ALL.get(rank)?))
    }

    /// The square to the right of and below another on the screen, or the same at the edge.
    pub(crate) fn step(flipped: bool, from: Square, right: i8, down: i8) -> Square {
        let (files, ranks) = if flipped {
            (-right, down)
        } else {
            (right, -down)
        };
        from.offset(files, ranks).unwrap_or(from)
    }
}

/// The board as a widget, drawn at the upper left of its area, which must be large enough.
pub(crate) struct BoardView<'a> {
    pub(crate) position: &'a Position,
    pub(crate) highlights: &'a BoardHighlights,
    pub(crate) appearance: &'a Appearance,
    pub(crate) size: SquareSize,
    pub(crate) flipped: bool,
}

impl BoardView<'_> {
    /// The colour role of a square.
    fn ground_of(&self, square: Square) -> SquareColor {
        let highlights = self.highlights;
        if highlights.cursor == Some(square) {
            SquareColor::Cursor
        } else if highlights.chosen == Some(square) {
            SquareColor::Chosen
        } else if highlights.check == Some(square) {
            SquareColor::Check
        } else if highlights.hint.contains(square) {
            SquareColor::Hint
        } else if highlights.last.contains(square) {
            SquareColor::Last
        } else {
            SquareColor::Plain
        }
    }

    fn ground(&self, square: Square) -> Color {
        self.appearance
            .ground(self.ground_of(square), square.is_light())
    }

    /// Paints the squares. Without colours, dark squares get dots.
    fn paint(&self, board_area: &BoardArea, area: Rect, buffer: &mut Buffer) {
        let SquareSize {
            columns,
            rows,
            shifted,
        } = self.size;
        for row in 0..8 {
            for column in 0..8_u16 {
                let Some(square) = board_area.square(column.into(), row.into()) else {
                    continue;
                };
                let ground = self.ground(square);
                let left = area.x + MARGIN + column * columns;
                let top = area.y + row * rows;
                for x in left..left + columns {
                    for y in top..top + rows {
                        let cell = &mut buffer[(x, y + u16::from(shifted))];
                        if self.appearance.has_color() {
                            cell.set_symbol(" ").set_bg(ground);
                        } else {
                            let is_dotted = !square.is_light() && rows > 1;
                            cell.set_symbol(if is_dotted { "." } else { " " });
                        }
                    }
                }
                if shifted {
                    self.paint_borders(ground, (left, top), buffer, row);
                }
            }
        }
    }

    /// Paints the rows in which one square ends and the next begins.
    fn paint_borders(&self, ground: Color, (left, top): (u16, u16), buffer: &mut Buffer, row: u16) {
        let paper = self.appearance.tone(Tone::Paper);
        for x in left..left + self.size.columns {
            // The square above has painted the upper half.
            let above = &mut buffer[(x, top)];
            if row == 0 {
                above.set_symbol("▄").set_fg(ground).set_bg(paper);
            } else {
                above.set_bg(ground);
            }
            let below = &mut buffer[(x, top + self.size.rows)];
            below.set_symbol("▀").set_fg(ground).set_bg(paper);
        }
    }

    fn draw_square(&self, square: Square, left: u16, top: u16, buffer: &mut Buffer) {
        let size = self.size;
        let piece = self.position.piece_at(square);
        if let Some(piece) = piece
            && size.has_sprites()
            && self.appearance.has_glyphs()
            && self.appearance.tile(piece.color).is_none()
        {
            let area = Rect::new(left, top, size.columns, size.rows);
            sprite::draw(piece, area, self.colors(piece, square), buffer);
            self.draw_corner(square, piece, (left, top), buffer);
            return;
        }
        let middle_row = top + size.rows / 2;
        let middle = left + (size.columns - 1) / 2;
        let is_target = self.highlights.targets.contains(square);
        let ground = self.ground(square);
        let (symbol, style) = match piece {
            Some(piece) => {
                let [ink, ground] = self
                    .appearance
                    .tile(piece.color)
                    .unwrap_or([self.appearance.figure_color(piece.color), ground]);
                let style = Style::new().fg(ink).bg(ground);
                (
                    self.appearance.figure(piece),
                    style.add_modifier(Modifier::BOLD),
                )
            }
            None if is_target => (self.appearance.either("•", "*"), self.mark_style(ground)),
            None if !self.appearance.has_color() && !square.is_light() => (".", Style::new()),
            None => (" ", Style::new()),
        };
        buffer[(middle, middle_row)].set_symbol(symbol);
        if piece.is_some() || is_target {
            buffer[(middle, middle_row)].set_style(style);
        }
        if size.columns == SquareSize::TINY.columns {
            buffer[(left + 1, middle_row)].set_style(style.remove_modifier(Modifier::BOLD));
            return;
        }
        let (before, after) = self.beside(square, piece);
        let style = style.remove_modifier(Modifier::BOLD);
        let is_large = size.rows > 1;
        for (x, symbol) in [(middle - 1, before), (middle + 1, after)] {
            // Clear the dots around the piece.
            if symbol != " " || (piece.is_some() && (is_large || self.appearance.has_color())) {
                buffer[(x, middle_row)].set_symbol(symbol).set_style(style);
            }
        }
        if self.highlights.cursor == Some(square) && !self.appearance.has_color() {
            for x in left..left + size.columns {
                buffer[(x, middle_row)].set_style(Modifier::REVERSED);
            }
        }
    }

    fn colors(&self, piece: Piece, square: Square) -> [Color; 2] {
        [
            self.appearance.figure_color(piece.color),
            self.ground(square),
        ]
    }

    /// Draws the corners of a large square: the letter of the piece, whose case tells the sides apart, and the marks
    /// of the square.
    fn draw_corner(&self, square: Square, piece: Piece, at: (u16, u16), buffer: &mut Buffer) {
        let (left, top) = at;
        let ground = self.ground(square);
        let letter = piece.char().to_string();
        let style = Style::new()
            .fg(self.appearance.figure_color(piece.color))
            .bg(ground);
        buffer[(left, top)].set_symbol(&letter).set_style(style);
        let (before, _) = self.beside(square, Some(piece));
        let right = left + self.size.columns - 1;
        if before != " " {
            buffer[(right, top)].set_symbol(before).set_style(style);
        }
    }

    /// The characters left and right of a piece or an empty square.
    fn beside(&self, square: Square, piece: Option<Piece>) -> (&'static str, &'static str) {
        let highlights = self.highlights;
        let (mut before, mut after) = (" ", " ");
        if !self.appearance.has_color() {
            (before, after) = match self.ground_of(square) {
                SquareColor::Plain | SquareColor::Check => (" ", " "),
                SquareColor::Last => ("[", "]"),
                SquareColor::Chosen => ("(", ")"),
                SquareColor::Hint => ("{", "}"),
                SquareColor::Cursor => ("<", ">"),
            };
        }
        if piece.is_some() && highlights.targets.contains(square) {
            before = self.appearance.either("×", "x");
        } else if highlights.check == Some(square) {
            before = "!";
        }
        (before, after)
    }

    /// The symbol on an empty square.
    fn mark_style(&self, ground: Color) -> Style {
        let style = Style::new().bg(ground).add_modifier(Modifier::BOLD);
        if self.appearance.has_color() {
            style.fg(self.appearance.tone(Tone::White))
        } else {
            style
        }
    }

    fn draw_coordinates(&self, board_area: &BoardArea, area: Rect, buffer: &mut Buffer) {
        let style = self.appearance.ink(Tone::Dim);
        let size = self.size;
        let below = area.y + size.height() - 1;
        for step in 0..8 {
            let Some(square) = board_area.square(step.into(), step.into()) else {
                continue;
            };
            let x = area.x + MARGIN + step * size.columns + (size.columns - 1) / 2;
            let y = area.y + step * size.rows + size.rows / 2;
            buffer[(x, below)]
                .set_char(square.file().char())
                .set_style(style);
            buffer[(area.x, y)]
                .set_char(square.rank().char())
                .set_style(style);
        }
    }
}

impl Widget for BoardView<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.width < self.size.width() || area.height < self.size.height() {
            return;
        }
        let board_area = BoardArea::new(area.as_position(), self.size, self.flipped);
        self.paint(&board_area, area, buffer);
        for row in 0..8_u16 {
            for column in 0..8_u16 {
                if let Some(square) = board_area.square(column.into(), row.into()) {
                    let left = area.x + MARGIN + column * self.size.columns;
                    let top = area.y + row * self.size.rows;
                    self.draw_square(square, left, top, buffer);
                }
            }
        }
        self.draw_coordinates(&board_area, area, buffer);
    }
}

#[cfg(test)]
mod tests;
