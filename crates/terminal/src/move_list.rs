//! The move list: a table, or text with variations.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use tabiya_board::{Board, Move};
use tabiya_display::variation::format_variation;

use crate::appearance::Appearance;
use crate::text;
use crate::theme::Tone;

/// The moves to show.
pub(crate) enum MoveListView<'a> {
    /// A game without variations.
    Game {
        start: &'a Board,
        /// The moves in SAN.
        sans: &'a [String],
    },
    /// A game with variations, and the index of the current word.
    Words {
        words: &'a [MoveListWord],
        current: Option<usize>,
    },
}

/// A word of the move list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveListWord {
    pub(crate) text: String,
    /// How deeply it is nested in variations.
    pub(crate) depth: usize,
    pub(crate) tone: Option<Tone>,
}

/// Formats a variation up to the first illegal move: an engine's line may belong to an earlier position.
pub(crate) fn variation(board: &Board, moves: &[Move]) -> String {
    let mut after = *board;
    let legal = moves.iter().take_while(|&&mv| {
        let is_legal = after.is_legal(mv);
        if is_legal {
            after.play(mv);
        }
        is_legal
    });
    format_variation(board, &moves[..legal.count()])
}

/// The narrowest area for a table.
const TABLE: u16 = 20;

pub(crate) fn draw(written: &MoveListView, frame: &mut Frame, area: Rect, appearance: &Appearance) {
    if area.is_empty() {
        return;
    }
    match written {
        MoveListView::Game { start, sans } if area.width >= TABLE && area.height > 3 => {
            draw_table(start, sans, frame, area, appearance);
        }
        MoveListView::Game { start, sans } => {
            let words = game_words(start, sans);
            let current = words.len().checked_sub(1);
            draw_words(&words, current, frame, area, appearance);
        }
        MoveListView::Words { words, current } => {
            draw_words(words, *current, frame, area, appearance);
        }
    }
}

/// The moves as words, White's with their numbers.
fn game_words(start: &Board, sans: &[String]) -> Vec<MoveListWord> {
    let offset = usize::from(!start.turn().is_white());
    let words = sans.iter().enumerate().map(|(i, san)| {
        let ply = i + offset;
        let number = usize::from(start.fullmove_number()) + ply / 2;
        let text = match ply % 2 {
            0 => format!("{number}. {san}"),
            _ if i == 0 => format!("{number}... {san}"),
            _ => san.clone(),
        };
        MoveListWord {
            text,
            depth: 0,
            tone: None,
        }
    });
    words.collect()
}

/// Draws a row for each move number, scrolled to the end.
fn draw_table(
    start: &Board,
    sans: &[String],
    frame: &mut Frame,
    area: Rect,
    appearance: &Appearance,
) {
    let offset = usize::from(!start.turn().is_white());
    let rows = (sans.len() + offset).div_ceil(2);
    let first = rows.saturating_sub(area.height.into());
    let column = usize::from((area.width - 5) / 2).min(11);
    for (row, place) in (first..rows).zip(area.rows()) {
        let number = usize::from(start.fullmove_number()) + row;
        let mut spans = vec![Span::styled(
            format!("{number:>3}. "),
            appearance.ink(Tone::Dim),
        )];
        for side in 0..2 {
            let ply = row * 2 + side;
            let san = match ply.checked_sub(offset) {
                Some(ply) => sans.get(ply).map_or("", String::as_str),
                None => appearance.either("…", "..."),
            };
            let is_last = ply.checked_sub(offset) == sans.len().checked_sub(1) && !sans.is_empty();
            let style = if is_last {
                current_style(appearance)
            } else {
                appearance.ink(Tone::Ink)
            };
            let width = text::columns(san);
            spans.push(Span::styled(san.to_owned(), style));
            spans.push(Span::raw(" ".repeat(column.saturating_sub(width).max(1))));
        }
        frame.render_widget(Line::from(spans), place);
    }
}

fn current_style(appearance: &Appearance) -> Style {
    if appearance.has_color() {
        appearance.ink(Tone::Accent).add_modifier(Modifier::BOLD)
    } else {
        Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }
}

/// Draws the words, scrolled so that the current one is visible.
fn draw_words(
    words: &[MoveListWord],
    current: Option<usize>,
    frame: &mut Frame,
    area: Rect,
    appearance: &Appearance,
) {
    let columns = usize::from(area.width);
    let mut lines: Vec<Line> = vec![Line::default()];
    let mut column = 0;
    let mut current_line = 0;
    for (i, word) in words.iter().enumerate() {
        let is_here = current == Some(i);
        let shown = if is_here && !appearance.has_color() {
            format!("[{}]", word.text)
        } else {
            word.text.clone()
        };
        let width = text::columns(&shown);
        if column > 0 && column + 1 + width > columns {
            lines.push(Line::default());
            column = 0;
        }
        if is_here {
            current_line = lines.len() - 1;
        }
        let style = match (is_here, word.tone) {
            (true, _) if appearance.has_color() => appearance.chosen(),
            (true, _) => appearance.strong(),
            (false, Some(tone)) => appearance.ink(tone),
            (false, None) if word.depth > 0 => appearance.ink(Tone::Dim),
            (false, None) => appearance.ink(Tone::Ink),
        };
        if let Some(line) = lines.last_mut() {
            if column > 0 {
                line.push_span(" ");
                column += 1;
            }
            line.push_span(Span::styled(shown, style));
            column += width;
        }
    }
    let rows = usize::from(area.height);
    let first = current_line
        .saturating_sub(rows / 2)
        .min(lines.len().saturating_sub(rows));
    for (line, place) in lines.into_iter().skip(first).zip(area.rows()) {
        frame.render_widget(line, place);
    }
}
