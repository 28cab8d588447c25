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
        /// The index of the current move.
        current: Option<usize>,
        /// The result of a finished game.
        result: Option<&'static str>,
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

/// The areas of the moves or words on the screen, with their indices.
pub(crate) type MoveAreas = Vec<(Rect, usize)>;

/// Draws the moves. Returns where they are, for the mouse.
pub(crate) fn draw(
    written: &MoveListView,
    frame: &mut Frame,
    area: Rect,
    appearance: &Appearance,
) -> MoveAreas {
    if area.is_empty() {
        return Vec::new();
    }
    match written {
        MoveListView::Game {
            start,
            sans,
            current,
            result,
        } if area.width >= TABLE && area.height > 3 => {
            let table = Table {
                start,
                sans,
                current: *current,
                result: *result,
            };
            table.draw(frame, area, appearance)
        }
        MoveListView::Game {
            start,
            sans,
            current,
            result,
        } => {
            let mut words = game_words(start, sans);
            words.extend(result.map(|result| MoveListWord {
                text: result.to_owned(),
                depth: 0,
                tone: None,
            }));
            let mut areas = draw_words(&words, *current, frame, area, appearance);
            areas.retain(|(_, word)| *word < sans.len());
            areas
        }
        MoveListView::Words { words, current } => {
            draw_words(words, *current, frame, area, appearance)
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

/// A row for each move number, and one for the result.
struct Table<'a> {
    start: &'a Board,
    sans: &'a [String],
    current: Option<usize>,
    result: Option<&'static str>,
}

impl Table<'_> {
    /// The number of half-moves that the first row lacks.
    fn offset(&self) -> usize {
        usize::from(!self.start.turn().is_white())
    }

    /// Draws the table, scrolled so that the current move is visible, or to the end.
    fn draw(&self, frame: &mut Frame, area: Rect, appearance: &Appearance) -> MoveAreas {
        let moves = (self.sans.len() + self.offset()).div_ceil(2);
        let rows = moves + usize::from(self.result.is_some());
        let height = usize::from(area.height);
        let last = rows.saturating_sub(height);
        let first = match self.current {
            Some(ply) if ply + 1 < self.sans.len() => usize::midpoint(ply, self.offset())
                .saturating_sub(height / 2)
                .min(last),
            None if !self.sans.is_empty() => 0,
            _ => last,
        };
        let mut areas = Vec::new();
        for (row, place) in (first..rows).zip(area.rows()) {
            if row < moves {
                self.draw_row(row, frame, place, appearance, &mut areas);
            } else if let Some(result) = self.result {
                let line = Line::styled(format!("     {result}"), appearance.strong());
                frame.render_widget(line, place);
            }
        }
        areas
    }

    fn draw_row(
        &self,
        row: usize,
        frame: &mut Frame,
        place: Rect,
        appearance: &Appearance,
        areas: &mut MoveAreas,
    ) {
        let column = usize::from((place.width - 5) / 2).min(11);
        let number = usize::from(self.start.fullmove_number()) + row;
        let mut spans = vec![Span::styled(
            format!("{number:>3}. "),
            appearance.ink(Tone::Dim),
        )];
        let mut x = place.x + 5;
        for side in 0..2 {
            let ply = (row * 2 + side).checked_sub(self.offset());
            let san = match ply {
                Some(ply) => self.sans.get(ply).map_or("", String::as_str),
                None => appearance.either("…", "..."),
            };
            let style = if ply.is_some() && ply == self.current {
                current_style(appearance)
            } else {
                appearance.ink(Tone::Ink)
            };
            let width = text::columns(san);
            let gap = column.saturating_sub(width).max(1);
            if let Some(ply) = ply.filter(|&ply| ply < self.sans.len()) {
                areas.push((
                    Rect::new(x, place.y, width as u16, 1).intersection(place),
                    ply,
                ));
            }
            x += (width + gap) as u16;
            spans.push(Span::styled(san.to_owned(), style));
            spans.push(Span::raw(" ".repeat(gap)));
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
) -> MoveAreas {
    let columns = usize::from(area.width);
    let mut areas = Vec::new();
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
            areas.push((lines.len() - 1, column, width, i));
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
    let on_screen = areas.into_iter().filter_map(|(line, column, width, word)| {
        let row = line.checked_sub(first).filter(|&row| row < rows)?;
        let place = Rect::new(area.x + column as u16, area.y + row as u16, width as u16, 1);
        Some((place.intersection(area), word))
    });
    on_screen.collect()
}
