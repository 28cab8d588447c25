//! Windows over the board: help, the choice of a piece, questions.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};
use tabiya_board::{Color, Piece, Role};

use crate::look::Look;
use crate::scene::frame_block;
use crate::theme::Tone;

/// The pieces that a pawn can become, in the order in which they are offered.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Clears a window in the middle of the screen, with a title in its frame, and gives what is inside.
fn window(frame: &mut Frame, look: &Look, title: &str, columns: u16, rows: u16) -> Rect {
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
    let block = frame_block(look)
        .style(look.text())
        .border_style(look.ink(Tone::Accent))
        .title(Span::styled(format!(" {title} "), look.strong()));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    Rect {
        x: inner.x + inner.width.min(1),
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

/// Offers the pieces that a pawn can become.
pub(crate) fn draw_promotion(frame: &mut Frame, look: &Look, color: Color, chosen: usize) {
    let inner = window(frame, look, "Promote to", 34, 6);
    let mut lines = Vec::new();
    for (i, role) in PROMOTIONS.into_iter().enumerate() {
        let piece = Piece::new(color, role);
        let mark = if i == chosen {
            look.either("▸", ">")
        } else {
            " "
        };
        let text = format!(
            "{mark} {}  {:<8} {}",
            look.figure(piece),
            role.name(),
            role.upper_char()
        );
        let style = if i == chosen {
            look.chosen()
        } else {
            look.ink(Tone::Ink)
        };
        lines.push(Line::styled(text, style));
    }
    lines.push(Line::default());
    lines.push(Line::styled(
        format!("{} or a letter, Enter, Esc", look.either("↑↓", "arrows")),
        look.ink(Tone::Dim),
    ));
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Asks something that is answered with yes or no.
pub(crate) fn draw_question(frame: &mut Frame, look: &Look, question: &str) {
    let columns = question.chars().count().max(24) as u16;
    let inner = window(frame, look, "Sure?", columns, 3);
    let lines = vec![
        Line::from(question.to_owned()),
        Line::default(),
        Line::from(vec![
            Span::styled("y", look.ink(Tone::Accent)),
            Span::raw(" yes   "),
            Span::styled("n", look.ink(Tone::Accent)),
            Span::raw(" no"),
        ]),
    ];
    frame.render_widget(Paragraph::new(lines), inner);
}

/// A line of help: keys, the word to type if there is one, and what they do.
pub(crate) struct Help {
    pub(crate) keys: &'static str,
    pub(crate) ascii: &'static str,
    pub(crate) does: &'static str,
}

impl Help {
    pub(crate) const fn new(keys: &'static str, does: &'static str) -> Self {
        Self {
            keys,
            ascii: keys,
            does,
        }
    }

    /// With another spelling for fonts without arrows.
    pub(crate) const fn or(self, ascii: &'static str) -> Self {
        Self { ascii, ..self }
    }
}

/// Shows the keys. Gives how far down one can scroll.
pub(crate) fn draw_help(
    frame: &mut Frame,
    look: &Look,
    title: &str,
    lines: &[Help],
    scrolled: u16,
) -> u16 {
    let columns = 66;
    let inner = window(frame, look, title, columns, lines.len() as u16);
    let most = (lines.len() as u16).saturating_sub(inner.height);
    let keys_width = if inner.width > 50 { 22 } else { 14 };
    let lines: Vec<Line> = lines
        .iter()
        .map(|line| {
            let keys = look.either(line.keys, line.ascii);
            Line::from(vec![
                Span::styled(format!("{keys:<keys_width$}"), look.ink(Tone::Accent)),
                Span::styled(line.does, look.ink(Tone::Ink)),
            ])
        })
        .collect();
    let paragraph = Paragraph::new(lines).scroll((scrolled.min(most), 0));
    frame.render_widget(paragraph, inner);
    most
}
