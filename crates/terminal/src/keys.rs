//! The key bar at the bottom of the screen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use crate::appearance::Appearance;
use crate::text;
use crate::theme::Tone;

/// A key and what it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) code: KeyCode,
    pub(crate) control: bool,
    pub(crate) label: &'static str,
}

impl Key {
    /// A key without modifiers.
    pub(crate) const fn plain(code: KeyCode, label: &'static str) -> Self {
        Self {
            code,
            control: false,
            label,
        }
    }

    /// A letter with Ctrl.
    pub(crate) const fn control(letter: char, label: &'static str) -> Self {
        Self {
            code: KeyCode::Char(letter),
            control: true,
            label,
        }
    }

    /// The event of pressing the key.
    pub(crate) fn event(self) -> KeyEvent {
        let modifiers = if self.control {
            KeyModifiers::CONTROL
        } else {
            KeyModifiers::NONE
        };
        KeyEvent::new(self.code, modifiers)
    }

    fn name(self, appearance: &Appearance) -> String {
        match self.code {
            KeyCode::Char(letter) if self.control => format!("^{}", letter.to_ascii_uppercase()),
            KeyCode::Char(letter) => letter.to_string(),
            KeyCode::Enter => appearance.either("⏎", "Enter").to_owned(),
            KeyCode::Esc => "Esc".to_owned(),
            KeyCode::Tab => "Tab".to_owned(),
            KeyCode::Left | KeyCode::Right => appearance.either("←→", "arrows").to_owned(),
            KeyCode::Up | KeyCode::Down => appearance.either("↑↓", "arrows").to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::Home | KeyCode::End => "Home End".to_owned(),
            code => code.to_string(),
        }
    }
}

/// The row of the key bar: the last one.
pub(crate) fn row(screen: Rect) -> Rect {
    Rect {
        y: screen.bottom().saturating_sub(1),
        height: screen.height.min(1),
        ..screen
    }
}

/// A row of keys, the most important first. Keys that do not fit are left out.
pub(crate) struct KeyBar<'a> {
    pub(crate) keys: &'a [Key],
    pub(crate) appearance: &'a Appearance,
}

impl KeyBar<'_> {
    /// The keys that fit, and their areas.
    fn placed(&self, area: Rect) -> Vec<(Key, Rect)> {
        let mut placed = Vec::new();
        let mut x = area.x + 1;
        for &key in self.keys {
            let width = text::columns(&key.name(self.appearance)) + 1 + text::columns(key.label);
            let width = width as u16;
            if x + width > area.right() {
                break;
            }
            placed.push((key, Rect::new(x, area.y, width, 1)));
            x += width + 2;
        }
        placed
    }

    /// The key at a column.
    pub(crate) fn at(&self, area: Rect, column: u16) -> Option<Key> {
        let placed = self.placed(area).into_iter();
        let mut under = placed.filter(|(_, place)| (place.left()..place.right()).contains(&column));
        under.next().map(|(key, _)| key)
    }
}

impl Widget for KeyBar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let bar = Style::new()
            .fg(self.appearance.tone(Tone::Dim))
            .bg(self.appearance.tone(Tone::Bar));
        buffer.set_style(area, bar);
        for (key, place) in self.placed(area) {
            let name = key.name(self.appearance);
            let style = Style::new()
                .fg(self.appearance.tone(Tone::Accent))
                .add_modifier(Modifier::BOLD);
            let x = place.x + text::columns(&name) as u16;
            buffer.set_string(place.x, place.y, name, bar.patch(style));
            let label = bar.fg(self.appearance.tone(Tone::Ink));
            buffer.set_string(x + 1, place.y, key.label, label);
        }
    }
}
