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

/// Draws a yes-or-no question.
pub(crate) fn draw_question(frame: &mut Frame, appearance: &Appearance, question: &str) {
    let columns = text::columns(question).max(24) as u16;
    let inner = window(frame, appearance, "Sure?", columns, 3);
    let lines = vec![
        Line::from(question.to_owned()),
        Line::default(),
        Line::from(vec![
            Span::styled("y", appearance.ink(Tone::Accent)),
            Span::raw(" yes   "),
            Span::styled("n", appearance.ink(Tone::Accent)),
            Span::raw(" no"),
        ]),
    ];
    frame.render_widget(Paragraph::new(lines), inner);
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
