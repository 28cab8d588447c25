//! Coloured text of a terminal as a picture.
//!
//! Each word stands at its own column, whatever the widths of the letters in the viewer's font, and chess figures,
//! which come from another font more often than not, in the middle of theirs.

use std::fmt::Write;

const CELL_WIDTH: f32 = 9.0;
const LINE_HEIGHT: f32 = 20.0;
const PADDING: f32 = 14.0;
const FONT_SIZE: f32 = 15.0;
const FIGURE_SIZE: f32 = 21.0;

const PAPER: &str = "#1c1e22";
const INK: &str = "#d5d8dd";

/// The sixteen named colours of a terminal; only those in use are here.
const NAMED: [(u8, &str); 2] = [(1, "#ee6a6a"), (2, "#7fc97f")];

#[derive(Clone, Default, PartialEq)]
struct Look {
    ink: Option<String>,
    ground: Option<String>,
    bold: bool,
    dim: bool,
}

/// Draws lines of text with colour codes.
pub(crate) fn draw(text: &str) -> String {
    let lines: Vec<Vec<(char, Look)>> = cells(text);
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let (width, height) = (
        columns as f32 * CELL_WIDTH + 2.0 * PADDING,
        lines.len() as f32 * LINE_HEIGHT + 2.0 * PADDING,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n\
         <style>text {{ font: {FONT_SIZE}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; \
         fill: {INK}; white-space: pre }}\n\
         .figure {{ font: {FIGURE_SIZE}px 'DejaVu Sans Mono', 'Segoe UI Symbol', 'Apple Symbols', sans-serif; \
         text-anchor: middle }}\n\
         .bold {{ font-weight: bold }} .dim {{ opacity: 0.6 }}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAPER}\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        draw_line(&mut svg, line, PADDING + row as f32 * LINE_HEIGHT);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_line(svg: &mut String, line: &[(char, Look)], top: f32) {
    let left = |column: usize| PADDING + column as f32 * CELL_WIDTH;
    let mut column = 0;
    for run in line.chunk_by(|a, b| a.1.ground == b.1.ground) {
        if let Some(ground) = &run[0].1.ground {
            let (x, width) = (left(column), run.len() as f32 * CELL_WIDTH);
            // A hair taller than the line, or the paper shines through between the ranks.
            let height = LINE_HEIGHT + 0.2;
            writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>"
            )
            .expect("a string takes it");
        }
        column += run.len();
    }
    let mut column = 0;
    let baseline = top + LINE_HEIGHT * 0.75;
    for word in line.chunk_by(|a, b| a.1 == b.1 && a.0 != ' ' && b.0 != ' ') {
        let (first, look) = &word[0];
        let is_figure = ('\u{2654}'..='\u{265f}').contains(first);
        if *first != ' ' {
            let mut classes = Vec::new();
            let (mut x, mut y) = (left(column), baseline);
            if is_figure {
                classes.push("figure");
                (x, y) = (x + CELL_WIDTH / 2.0, baseline + 1.5);
            }
            classes.extend(look.bold.then_some("bold"));
            classes.extend(look.dim.then_some("dim"));
            let class = match classes.join(" ") {
                none if none.is_empty() => none,
                classes => format!(" class=\"{classes}\""),
            };
            let ink = look.ink.as_ref();
            let style = ink.map_or_else(String::new, |ink| format!(" style=\"fill: {ink}\""));
            let letters: String = word.iter().map(|cell| escaped(cell.0)).collect();
            // As in the terminal: no emoji, please.
            let selector = if is_figure { "\u{fe0e}" } else { "" };
            writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\"{class}{style}>{letters}{selector}</text>"
            )
            .expect("a string takes it");
        }
        column += word.len();
    }
}

fn escaped(letter: char) -> String {
    match letter {
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '&' => "&amp;".to_owned(),
        _ => letter.to_string(),
    }
}

/// The characters of each line and how they look.
fn cells(text: &str) -> Vec<Vec<(char, Look)>> {
    let mut look = Look::default();
    let mut lines = vec![Vec::new()];
    let mut rest = text.trim_end_matches('\n').chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\u{1b}' => {
                let code: String = rest.by_ref().take_while(|&c| c != 'm').collect();
                let code = code.strip_prefix('[').expect("only colour codes");
                change(&mut look, code);
            }
            '\n' => lines.push(Vec::new()),
            '\u{fe0e}' => {}
            _ => lines
                .last_mut()
                .expect("there is always a line")
                .push((letter, look.clone())),
        }
    }
    lines
}

fn change(look: &mut Look, code: &str) {
    let numbers: Vec<u8> = code
        .split(';')
        .map(|number| number.parse().expect("a number"))
        .collect();
    match numbers[..] {
        [0] => *look = Look::default(),
        [1] => look.bold = true,
        [2] => look.dim = true,
        [38, 5, color] => look.ink = Some(of_256(color)),
        [48, 5, color] => look.ground = Some(of_256(color)),
        [color @ 30..=37] => {
            let named = NAMED.iter().find(|(number, _)| *number == color - 30);
            look.ink = Some(named.expect("a colour with a value here").1.to_owned());
        }
        _ => panic!("the code {code} is new here"),
    }
}

/// The 216 colours of the usual cube.
fn of_256(color: u8) -> String {
    assert!((16..232).contains(&color), "only colours of the cube");
    let level = |digit: u8| if digit == 0 { 0 } else { 55 + 40 * digit };
    let digits = color - 16;
    format!(
        "#{:02x}{:02x}{:02x}",
        level(digits / 36),
        level(digits / 6 % 6),
        level(digits % 6)
    )
}
