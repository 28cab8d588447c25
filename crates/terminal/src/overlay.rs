//! Windows over the board: help, promotions, questions.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};
use tabiya_board::{Color, Piece, Role};

use crate::appearance::Appearance;
use crate::game_view::frame_block;
use crate::text;
use crate::theme::Tone;

/// The promotion pieces, in the order shown.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Draws an empty window with a title in the middle of the screen, and returns its inner area.
fn window(
    frame: &mut Frame,
    appearance: &Appearance,
    title: &str,
    columns: u16,
    rows: u16,
) -> Rect {
    let screen = frame.area();
    let (width, height) = (
        (columns + 4).min(screen.width),
        (rows + 2).min(screen.height),
    );
    let area = Rect::new(
        screen.x + (screen.width - width) / 2,
        screen.y + (screen.height - height) / 2,
        width,
        height,
    );
    window_at(frame, appearance, title, area)
}

/// Draws an empty window with a title, and returns its inner area.
fn window_at(frame: &mut Frame, appearance: &Appearance, title: &str, area: Rect) -> Rect {
    frame.render_widget(Clear, area);
    let block = frame_block(appearance)
        .style(appearance.text())
        .border_style(appearance.ink(Tone::Accent))
        .title(Span::styled(format!(" {title} "), appearance.strong()));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    Rect {
        x: inner.x + inner.width.min(1),
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

/// Draws the choice of a promotion piece, one piece per row, and returns its area.
pub(crate) fn draw_promotion(
    frame: &mut Frame,
    appearance: &Appearance,
    color: Color,
    chosen: usize,
) -> Rect {
    let inner = window(frame, appearance, "Promote to", 34, 6);
    let mut lines = Vec::new();
    for (i, role) in PROMOTIONS.into_iter().enumerate() {
        let piece = Piece::new(color, role);
        let mark = if i == chosen {
            appearance.either("▸", ">")
        } else {
            " "
        };
        let text = format!(
            "{mark} {}  {:<8} {}",
            appearance.figure(piece),
            role.name(),
            role.upper_char()
        );
        let style = if i == chosen {
            appearance.chosen()
        } else {
            appearance.ink(Tone::Ink)
        };
        lines.push(Line::styled(text, style));
    }
    lines.push(Line::default());
    lines.push(Line::styled(
        format!(
            "{} or a letter, Enter, Esc",
            appearance.either("↑↓", "arrows")
        ),
        appearance.ink(Tone::Dim),
    ));
    frame.render_widget(Paragraph::new(lines), inner);
    inner
}

/// Draws a question with the keys that answer it.
pub(crate) fn draw_question(
    frame: &mut Frame,
    appearance: &Appearance,
    question: &str,
    answers: &[(&'static str, &'static str)],
) {
    let widths = answers
        .iter()
        .map(|(key, meaning)| key.len() + meaning.len() + 4);
    let columns = text::columns(question).max(widths.sum()).max(24) as u16;
    let width = columns.min(frame.area().width.saturating_sub(4));
    let mut lines: Vec<Line> = text::wrapped(question, width, 4)
        .into_iter()
        .map(Line::from)
        .collect();
    lines.push(Line::default());
    let mut spans = Vec::new();
    for (key, meaning) in answers {
        spans.push(Span::styled(*key, appearance.ink(Tone::Accent)));
        spans.push(Span::raw(format!(" {meaning}   ")));
    }
    lines.push(Line::from(spans));
    let inner = window(frame, appearance, "Sure?", width, lines.len() as u16);
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Draws a window of lines over the panel, if there is one with enough room, and otherwise in the middle.
pub(crate) fn draw_lines<'a>(
    frame: &mut Frame,
    appearance: &Appearance,
    panel: Option<Rect>,
    title: &str,
    lines: &dyn Fn(u16) -> Vec<Line<'a>>,
) {
    if let Some(panel) = panel {
        let shown = lines(panel.width.saturating_sub(4));
        if shown.len() + 2 <= usize::from(panel.height) {
            let inner = window_at(frame, appearance, title, panel);
            frame.render_widget(Paragraph::new(shown), inner);
            return;
        }
    }
    let width = frame.area().width.saturating_sub(4).min(44);
    let shown = lines(width);
    let inner = window(frame, appearance, title, width, shown.len() as u16);
    frame.render_widget(Paragraph::new(shown), inner);
}

/// Draws a help window. Returns how far it can be scrolled.
pub(crate) fn draw_help(
    frame: &mut Frame,
    appearance: &Appearance,
    title: &str,
    lines: &[(String, String)],
    scrolled: u16,
) -> u16 {
    let keys_width = lines.iter().map(|(keys, _)| text::columns(keys)).max();
    let does_width = lines.iter().map(|(_, does)| text::columns(does)).max();
    let keys_width = keys_width.unwrap_or(0) + 2;
    let columns = keys_width + does_width.unwrap_or(0);
    let width = (columns as u16).min(frame.area().width.saturating_sub(4));
    let room = width.saturating_sub(keys_width as u16).max(12);
    let mut shown = Vec::new();
    for (keys, does) in lines {
        // Wrap long lines.
        for (i, part) in text::wrapped(does, room, 4).into_iter().enumerate() {
            let keys = if i == 0 { keys.as_str() } else { "" };
            shown.push(Line::from(vec![
                Span::styled(text::padded(keys, keys_width), appearance.ink(Tone::Accent)),
                Span::styled(part, appearance.ink(Tone::Ink)),
            ]));
        }
    }
    let inner = window(frame, appearance, title, width, shown.len() as u16);
    let most = (shown.len() as u16).saturating_sub(inner.height);
    let paragraph = Paragraph::new(shown).scroll((scrolled.min(most), 0));
    frame.render_widget(paragraph, inner);
    most
}
