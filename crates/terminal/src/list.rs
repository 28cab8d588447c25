//! A list to choose from: the menu, the settings, the start of a game.

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::keys::{Key, KeyBar};
use crate::look::Look;
use crate::scene::{Kind, Message};
use crate::text;
use crate::theme::Tone;

/// Something to choose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) label: String,
    /// What is set, where something can be.
    pub(crate) value: Option<String>,
    /// What it means, in a line.
    pub(crate) detail: String,
}

impl Entry {
    pub(crate) fn new(label: &str, detail: &str) -> Self {
        Self {
            label: label.to_owned(),
            value: None,
            detail: detail.to_owned(),
        }
    }

    pub(crate) fn set(label: &str, value: impl Into<String>, detail: &str) -> Self {
        Self {
            value: Some(value.into()),
            ..Self::new(label, detail)
        }
    }
}

/// A page with a list.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    /// A line below the title.
    pub(crate) about: &'a str,
    pub(crate) entries: &'a [Entry],
    pub(crate) chosen: usize,
    pub(crate) message: &'a Message,
    pub(crate) keys: &'a [Key],
}

/// Where the entries of a page are, for the mouse.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Places {
    rows: Rect,
    first: usize,
    step: u16,
    count: usize,
    pub(crate) keys: Rect,
}

impl Places {
    /// The entry under a point.
    pub(crate) fn entry_at(&self, point: Point) -> Option<usize> {
        if !self.rows.contains(point) || self.step == 0 {
            return None;
        }
        let entry = self.first + usize::from((point.y - self.rows.y) / self.step);
        (entry < self.count).then_some(entry)
    }
}

/// The widest that a page is.
const WIDEST: u16 = 84;

impl Page<'_> {
    pub(crate) fn draw(&self, frame: &mut Frame, look: &Look) -> Places {
        let area = frame.area();
        frame.buffer_mut().set_style(area, look.text());
        let keys = Rect {
            y: area.bottom().saturating_sub(1),
            height: area.height.min(1),
            ..area
        };
        let bar = KeyBar {
            keys: self.keys,
            look,
        };
        frame.render_widget(bar, keys);
        let mut rest = Rect {
            height: area.height.saturating_sub(1),
            ..area
        };
        let message_rows = if rest.height >= 8 { 2 } else { 0 };
        rest.height -= message_rows;
        let message = Rect {
            y: rest.bottom(),
            height: message_rows,
            ..rest
        };

        let label_width = self.entries.iter().map(|entry| entry.label.chars().count());
        let label_width = label_width.max().unwrap_or(0) as u16;
        let value_width = self.entries.iter().filter_map(|entry| entry.value.as_ref());
        let value_width = value_width.map(|value| value.chars().count() + 6).max();
        let value_width = value_width.unwrap_or(0) as u16;
        let detail_width = self
            .entries
            .iter()
            .map(|entry| entry.detail.chars().count());
        let detail_width = detail_width.max().unwrap_or(0) as u16;
        let wanted = 4 + label_width + 2 + value_width + detail_width + 1;
        let width = wanted.min(WIDEST).min(rest.width.saturating_sub(2));
        let left = rest.x + (rest.width - width) / 2;

        let count = self.entries.len() as u16;
        // Space between the entries where there is some.
        let step = if rest.height >= count * 2 + 6 { 2 } else { 1 };
        let head_rows = match rest.height {
            0..6 => 0,
            6..12 => 2,
            _ => 4,
        };
        let list_rows = (count * step).min(rest.height.saturating_sub(head_rows));
        let top = rest.y + (rest.height - head_rows - list_rows) / 3;
        if head_rows > 0 {
            let title = Rect::new(left, top, width, 1);
            let figure = look.either("♞  ", "");
            let line = Line::from(vec![
                Span::styled(figure, look.ink(Tone::Accent)),
                Span::styled(
                    self.title,
                    look.ink(Tone::Accent).add_modifier(Modifier::BOLD),
                ),
            ]);
            frame.render_widget(line, title);
        }
        if head_rows > 2 {
            let about = Rect::new(left, top + 1, width, 1);
            let said = text::clipped(self.about, width);
            frame.render_widget(Line::styled(said, look.ink(Tone::Dim)), about);
        }

        let rows = Rect::new(left, top + head_rows, width, list_rows);
        let shown = usize::from(list_rows / step).max(1);
        let first = (self.chosen + 1).saturating_sub(shown);
        for (i, entry) in self.entries.iter().enumerate().skip(first).take(shown) {
            let y = rows.y + (i - first) as u16 * step;
            if y >= rest.bottom() {
                break;
            }
            let row = Rect::new(rows.x, y, rows.width, 1);
            let widths = (label_width, value_width);
            self.draw_entry(entry, i == self.chosen, row, widths, frame, look);
        }
        let style = match self.message.kind {
            Kind::Note => look.ink(Tone::Ink),
            Kind::Refusal => look.ink(Tone::Bad),
            Kind::Good => look.ink(Tone::Good),
        };
        let message = Rect {
            x: left,
            width,
            ..message
        };
        // What does not fit beside the entry is told in full below.
        let detail = self.entries.get(self.chosen).map(|entry| &entry.detail);
        let used = 4 + label_width + 2 + value_width;
        let is_cut =
            |detail: &&String| detail.chars().count() > usize::from(width.saturating_sub(used));
        let detail = detail.filter(is_cut).map_or("", String::as_str);
        let said = match self.message.text.as_str() {
            "" => detail,
            said => said,
        };
        let lines = text::wrapped(said, message.width, message.height);
        for (line, row) in lines.into_iter().zip(message.rows()) {
            frame.render_widget(Line::styled(line, style), row);
        }
        Places {
            rows,
            first,
            step,
            count: self.entries.len(),
            keys,
        }
    }

    fn draw_entry(
        &self,
        entry: &Entry,
        is_chosen: bool,
        row: Rect,
        (label_width, value_width): (u16, u16),
        frame: &mut Frame,
        look: &Look,
    ) {
        let mark = if is_chosen {
            look.either(" ▸ ", " > ")
        } else {
            "   "
        };
        let label = format!("{mark}{:width$} ", entry.label, width = label_width.into());
        let label_style = if is_chosen {
            look.chosen()
        } else {
            look.ink(Tone::Ink)
        };
        let mut spans = vec![Span::styled(label, label_style), Span::raw("  ")];
        if let Some(value) = &entry.value {
            let shown = if is_chosen {
                format!(
                    "{} {value} {}",
                    look.either("‹", "<"),
                    look.either("›", ">")
                )
            } else {
                format!("  {value}")
            };
            let width = usize::from(value_width);
            let shown = format!("{shown:width$}");
            let style = if is_chosen {
                look.strong()
            } else {
                look.ink(Tone::Ink)
            };
            spans.push(Span::styled(shown, style));
        }
        let used: usize = spans.iter().map(Span::width).sum();
        let room = row.width.saturating_sub(used as u16);
        spans.push(Span::styled(
            text::clipped(&entry.detail, room),
            look.ink(Tone::Dim),
        ));
        frame.render_widget(Line::from(spans), row);
    }
}

/// The entry that is chosen after a key up or down in a list of so many; nothing for other keys.
pub(crate) fn moved(code: KeyCode, chosen: usize, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match code {
        KeyCode::Up | KeyCode::Char('k') => chosen.checked_sub(1).unwrap_or(last),
        KeyCode::Down | KeyCode::Char('j') if chosen < last => chosen + 1,
        KeyCode::Down | KeyCode::Char('j') | KeyCode::Home => 0,
        KeyCode::End => last,
        KeyCode::PageUp => chosen.saturating_sub(5),
        KeyCode::PageDown => (chosen + 5).min(last),
        _ => return None,
    })
}
