//! A screen as an SVG picture.
//!
//! Each word starts at its own column, whatever the widths of letters in the viewer's font. Chess figures are centred
//! in their cells, and block characters are drawn as rectangles.
//!
//! The tests of the command include this file, too.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

const CELL_WIDTH: f32 = 9.0;
const LINE_HEIGHT: f32 = 19.0;
const PADDING: f32 = 12.0;
const FONT_SIZE: f32 = 15.0;
const FIGURE_SIZE: f32 = 19.0;

const PAPER: &str = "#1c1e22";
const INK: &str = "#d5d8dd";

/// The sixteen named colours of a typical terminal.
fn named(color: Color) -> Option<&'static str> {
    Some(match color {
        Color::Black => "#000000",
        Color::Red => "#cd3131",
        Color::Green => "#3a9a3a",
        Color::Yellow => "#b58900",
        Color::Blue => "#2472c8",
        Color::Magenta => "#a347a3",
        Color::Cyan => "#3a96a0",
        Color::Gray => "#c0c0c0",
        Color::DarkGray => "#6a6a6a",
        Color::White => "#ffffff",
        Color::LightRed => "#f14c4c",
        Color::LightGreen => "#4ec94e",
        Color::LightYellow => "#e5c04a",
        Color::LightBlue => "#5a9bf0",
        Color::LightMagenta => "#d670d6",
        Color::LightCyan => "#4fc4d0",
        _ => return None,
    })
}

fn css(color: Color, usual: &str) -> String {
    match color {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::Indexed(number @ 16..232) => {
            let level = |digit: u8| if digit == 0 { 0 } else { 55 + 40 * digit };
            let digits = number - 16;
            let (red, green, blue) = (digits / 36, digits / 6 % 6, digits % 6);
            format!("#{:02x}{:02x}{:02x}", level(red), level(green), level(blue))
        }
        Color::Indexed(number @ 232..) => {
            let gray = 8 + 10 * (number - 232);
            format!("#{gray:02x}{gray:02x}{gray:02x}")
        }
        _ => named(color).unwrap_or(usual).to_owned(),
    }
}

/// The style of a cell.
#[derive(Clone, PartialEq)]
struct Look {
    ink: String,
    ground: String,
    modifier: Modifier,
}

impl Look {
    fn of(cell: &Cell) -> Self {
        let (mut ink, mut ground) = (css(cell.fg, INK), css(cell.bg, PAPER));
        if cell.modifier.contains(Modifier::REVERSED) {
            std::mem::swap(&mut ink, &mut ground);
        }
        Self {
            ink,
            ground,
            modifier: cell.modifier,
        }
    }
}

/// Draws a screen. `blocks` are the symbols drawn as rectangles: the index of a symbol is the set of quarters in the
/// foreground colour.
pub(super) fn draw(buffer: &Buffer, blocks: &[&str]) -> String {
    let area = buffer.area;
    let (width, height) = (
        f32::from(area.width) * CELL_WIDTH + 2.0 * PADDING,
        f32::from(area.height) * LINE_HEIGHT + 2.0 * PADDING,
    );
    let paper = Look::of(&buffer[(0, 0)]).ground;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n\
         <style>text {{ font: {FONT_SIZE}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; \
         white-space: pre }}\n\
         .figure {{ font: {FIGURE_SIZE}px 'DejaVu Sans Mono', 'Segoe UI Symbol', 'Apple Symbols', sans-serif; \
         text-anchor: middle }}\n\
         .bold {{ font-weight: bold }} .dim {{ opacity: 0.6 }} .line {{ text-decoration: underline }}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{paper}\"/>\n"
    );
    for y in 0..area.height {
        let row: Vec<&Cell> = (0..area.width).map(|x| &buffer[(x, y)]).collect();
        let top = PADDING + f32::from(y) * LINE_HEIGHT;
        draw_row(&mut svg, &row, top, &paper, blocks);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The colours of the quarters of a cell: upper left, upper right, lower left, lower right.
fn quarters(cell: &Cell, blocks: &[&str]) -> [String; 4] {
    let Look { ink, ground, .. } = Look::of(cell);
    let set = blocks.iter().position(|&symbol| symbol == cell.symbol());
    let set = set.unwrap_or(0);
    [0, 1, 2, 3].map(|bit| if set >> bit & 1 == 1 { &ink } else { &ground }.clone())
}

fn draw_row(svg: &mut String, row: &[&Cell], top: f32, paper: &str, blocks: &[&str]) {
    let left = |column: usize| PADDING + column as f32 * CELL_WIDTH;
    let painted: Vec<[String; 4]> = row.iter().map(|cell| quarters(cell, blocks)).collect();
    // Equal cells are drawn as one rectangle, and so are equal quarters.
    let is_same = |a: &[String; 4], b: &[String; 4]| a == b && a[0] == a[1] && a[2] == a[3];
    let mut column = 0;
    for run in painted.chunk_by(is_same) {
        let (x, width) = (left(column), run.len() as f32 * CELL_WIDTH);
        let [half_width, half] = [width / 2.0, LINE_HEIGHT / 2.0];
        let [upper_left, upper_right, lower_left, lower_right] = &run[0];
        let mut parts = Vec::new();
        if run[0].iter().all(|color| color == upper_left) {
            parts.push((upper_left, x, top, width, LINE_HEIGHT));
        } else {
            for (at, [first, second]) in [
                (top, [upper_left, upper_right]),
                (top + half, [lower_left, lower_right]),
            ] {
                if first == second {
                    parts.push((first, x, at, width, half));
                } else {
                    parts.push((first, x, at, half_width, half));
                    parts.push((second, x + half_width, at, half_width, half));
                }
            }
        }
        for (color, x, y, width, height) in parts {
            if color != paper {
                // Slightly taller than the row, or the background shows between the ranks.
                let height = height + 0.2;
                writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>"
                )
                .expect("writing to a string never fails");
            }
        }
        column += run.len();
    }
    let is_painted = |cell: &Cell| blocks.contains(&cell.symbol());
    let is_figure = |cell: &Cell| {
        cell.symbol()
            .starts_with(|c| ('\u{2654}'..='\u{265f}').contains(&c))
    };
    let is_word = |a: &Cell, b: &Cell| {
        let alone = |cell: &Cell| is_painted(cell) || is_figure(cell);
        !alone(a) && !alone(b) && Look::of(a) == Look::of(b)
    };
    let mut column = 0;
    let baseline = top + LINE_HEIGHT * 0.74;
    for word in row.chunk_by(|a, b| is_word(a, b)) {
        let first = word[0];
        if !is_painted(first) {
            let appearance = Look::of(first);
            let (mut x, mut y) = (left(column), baseline);
            let mut classes = Vec::new();
            if is_figure(first) {
                classes.push("figure");
                (x, y) = (x + CELL_WIDTH / 2.0, baseline + 1.5);
            }
            let is = |modifier| appearance.modifier.contains(modifier);
            classes.extend((is(Modifier::BOLD) && !is_figure(first)).then_some("bold"));
            classes.extend(is(Modifier::DIM).then_some("dim"));
            classes.extend(is(Modifier::UNDERLINED).then_some("line"));
            let class = match classes.join(" ") {
                none if none.is_empty() => none,
                classes => format!(" class=\"{classes}\""),
            };
            let mut letters: String = word.iter().map(|cell| escaped(cell.symbol())).collect();
            // As in the terminal, plain figures and no emoji.
            if is_figure(first) && !letters.ends_with('\u{fe0e}') {
                letters.push('\u{fe0e}');
            }
            let ink = &appearance.ink;
            writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\"{class} fill=\"{ink}\">{letters}</text>"
            )
            .expect("writing to a string never fails");
        }
        column += word.len();
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
