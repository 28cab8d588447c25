//! A list page: the menu, the settings, the setup of a game.

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::app::UserInput;
use crate::appearance::Appearance;
use crate::game_view::{Message, MessageKind};
use crate::keys::{self, Key, KeyBar};
use crate::prompt::Prompt;
use crate::text;
use crate::theme::Tone;

/// An entry of a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListEntry {
    pub(crate) label: String,
    /// The current value of a setting.
    pub(crate) value: Option<String>,
    /// A short explanation.
    pub(crate) detail: String,
}

impl ListEntry {
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

/// The frame of a list page.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    pub(crate) title: &'static str,
    /// A line below the title.
    pub(crate) about: &'static str,
    pub(crate) keys: &'static [Key],
    /// Whether there is a prompt above the keys.
    pub(crate) has_prompt: bool,
    /// The least width of the values, so that they do not jump when they change.
    pub(crate) value_width: usize,
}

impl Page {
    /// A page without a prompt.
    pub(crate) const fn new(
        title: &'static str,
        about: &'static str,
        keys: &'static [Key],
    ) -> Self {
        Self {
            title,
            about,
            keys,
            has_prompt: false,
            value_width: 0,
        }
    }
}

/// A list with a selected entry and a message.
#[derive(Clone, Default, Debug)]
pub(crate) struct List {
    pub(crate) chosen: usize,
    pub(crate) message: Message,
    places: Places,
    /// The keys in the key bar.
    keys: &'static [Key],
}

/// A user action on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListAction {
    /// No action.
    Nothing,
    /// The keyboard selected another entry.
    Moved,
    /// Another key was pressed, or clicked in the key bar.
    Key(KeyCode),
    /// An entry was clicked and is now selected.
    Click { is_again: bool },
    /// The mouse wheel was turned.
    Wheel { down: bool },
}

impl List {
    /// Draws the page with its entries.
    pub(crate) fn draw(
        &mut self,
        page: Page,
        entries: &[ListEntry],
        frame: &mut Frame,
        appearance: &Appearance,
    ) {
        let drawing = Drawing {
            page,
            entries,
            chosen: self.chosen,
            message: &self.message,
        };
        self.keys = page.keys;
        self.places = drawing.draw(frame, appearance);
    }

    /// Handles input, and selects another entry if asked to.
    pub(crate) fn handle(&mut self, input: &UserInput, appearance: &Appearance) -> ListAction {
        match *input {
            UserInput::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => {
                ListAction::Nothing
            }
            UserInput::Key(key) => self.handle_key(key.code),
            UserInput::Press(point) => self.handle_press(point, appearance),
            UserInput::Wheel { down } => ListAction::Wheel { down },
            UserInput::Release(_) | UserInput::Paste(_) => ListAction::Nothing,
        }
    }

    /// Handles a mouse click.
    pub(crate) fn handle_press(&mut self, point: Point, appearance: &Appearance) -> ListAction {
        if self.places.keys.contains(point) {
            let bar = KeyBar {
                keys: self.keys,
                appearance,
            };
            let key = bar.at(self.places.keys, point.x);
            return key.map_or(ListAction::Nothing, |key| self.handle_key(key.code));
        }
        match self.places.entry_at(point) {
            Some(entry) => {
                let is_again = self.chosen == entry;
                self.chosen = entry;
                ListAction::Click { is_again }
            }
            None => ListAction::Nothing,
        }
    }

    /// Handles a key.
    pub(crate) fn handle_key(&mut self, code: KeyCode) -> ListAction {
        match moved(code, self.chosen, self.places.count) {
            Some(chosen) => {
                self.chosen = chosen;
                ListAction::Moved
            }
            None => ListAction::Key(code),
        }
    }
}

/// A page with its contents.
struct Drawing<'a> {
    page: Page,
    entries: &'a [ListEntry],
    chosen: usize,
    message: &'a Message,
}

/// The areas of a page, for the mouse.
#[derive(Clone, Copy, Default, Debug)]
struct Places {
    rows: Rect,
    first: usize,
    step: u16,
    count: usize,
    keys: Rect,
}

impl Places {
    /// The entry at a point.
    fn entry_at(&self, point: Point) -> Option<usize> {
        if !self.rows.contains(point) || self.step == 0 {
            return None;
        }
        let entry = self.first + usize::from((point.y - self.rows.y) / self.step);
        (entry < self.count).then_some(entry)
    }
}

/// The largest width of a page, and the smallest if the screen has room for it.
const MAX_WIDTH: u16 = 84;
const MIN_WIDTH: u16 = 48;

/// The widths of the parts of a page.
#[derive(Clone, Copy)]
struct Columns {
    left: u16,
    width: u16,
    label: u16,
    value: u16,
}

impl Columns {
    /// Values and their details change, and nothing may jump when they do: such a page has a fixed width.
    fn of(entries: &[ListEntry], value_width: usize, area: Rect) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text::columns(text)).max().unwrap_or(0) as u16
        };
        let label = widest(&mut entries.iter().map(|entry| &entry.label));
        let label = label.min(area.width.saturating_sub(8));
        let value = widest(&mut entries.iter().filter_map(|entry| entry.value.as_ref()));
        let has_values = value > 0;
        // Including the marks around the selected entry.
        let value = if has_values {
            value.max(value_width as u16) + 6
        } else {
            0
        };
        let detail = widest(&mut entries.iter().map(|entry| &entry.detail));
        let wanted = if has_values {
            MAX_WIDTH
        } else {
            4 + label + 2 + value + detail + 1
        };
        let width = wanted
            .clamp(MIN_WIDTH, MAX_WIDTH)
            .min(area.width.saturating_sub(2));
        Self {
            left: area.x + (area.width - width) / 2,
            width,
            label,
            value,
        }
    }

    /// The width left for the details; zero if that is only a few letters.
    const fn detail(self) -> u16 {
        match self.width.saturating_sub(4 + self.label + 2 + self.value) {
            0..8 => 0,
            room => room,
        }
    }
}

impl Drawing<'_> {
    fn draw(&self, frame: &mut Frame, appearance: &Appearance) -> Places {
        let area = frame.area();
        frame.buffer_mut().set_style(area, appearance.text());
        let keys = keys::row(area);
        let bar = KeyBar {
            keys: self.page.keys,
            appearance,
        };
        frame.render_widget(bar, keys);
        let columns = Columns::of(self.entries, self.page.value_width, area);
        let message_rows = if area.height >= 9 { 2 } else { 0 };
        let prompt_rows = u16::from(self.page.has_prompt);
        let rest = Rect {
            height: area.height.saturating_sub(1 + prompt_rows + message_rows),
            ..area
        };
        let message = Rect::new(columns.left, rest.bottom(), columns.width, message_rows);
        self.draw_message(frame, message, columns, appearance);

        let count = self.entries.len() as u16;
        // Spread the entries if there is room.
        let step = if rest.height >= count * 2 + 6 { 2 } else { 1 };
        let head_rows = match rest.height {
            0..6 => 0,
            6..12 => 2,
            _ => 4,
        };
        let list_rows = (count * step).min(rest.height.saturating_sub(head_rows));
        let top = rest.y + (rest.height - head_rows - list_rows) / 3;
        let head = Rect::new(columns.left, top, columns.width, head_rows);
        self.draw_head(frame, head, appearance);
        let rows = Rect::new(columns.left, top + head_rows, columns.width, list_rows);
        let shown = usize::from(list_rows / step).max(1);
        let first = (self.chosen + 1).saturating_sub(shown);
        let entries = self.entries.iter().enumerate().skip(first);
        for ((i, entry), row) in entries.zip(rows.rows().step_by(step.into())) {
            draw_entry(entry, i == self.chosen, row, columns, frame, appearance);
        }
        Places {
            rows,
            first,
            step,
            count: self.entries.len(),
            keys,
        }
    }

    /// Draws the title, and the line below it if there is room.
    fn draw_head(&self, frame: &mut Frame, area: Rect, appearance: &Appearance) {
        let mut rows = area.rows();
        if let Some(row) = rows.next() {
            let style = appearance.ink(Tone::Accent);
            let line = Line::from(vec![
                Span::styled(appearance.either("♞  ", ""), style),
                Span::styled(self.page.title, style.add_modifier(Modifier::BOLD)),
            ]);
            frame.render_widget(line, row);
        }
        if let Some(row) = rows.next().filter(|_| area.height > 2) {
            let about = text::clipped(self.page.about, row.width);
            frame.render_widget(Line::styled(about, appearance.ink(Tone::Dim)), row);
        }
    }

    /// Draws the message, or the full details of the entry if they do not fit beside it.
    fn draw_message(
        &self,
        frame: &mut Frame,
        area: Rect,
        columns: Columns,
        appearance: &Appearance,
    ) {
        let style = match self.message.kind {
            MessageKind::Note => appearance.ink(Tone::Ink),
            MessageKind::Refusal => appearance.ink(Tone::Bad),
            MessageKind::Good => appearance.ink(Tone::Good),
        };
        let detail = self.entries.get(self.chosen).map(|entry| &entry.detail);
        let is_cut = |detail: &&String| text::columns(detail) > columns.detail().into();
        let message = match self.message.text.as_str() {
            "" => detail.filter(is_cut).map_or("", String::as_str),
            message => message,
        };
        let lines = text::wrapped(message, area.width, area.height);
        for (line, row) in lines.into_iter().zip(area.rows()) {
            frame.render_widget(Line::styled(line, style), row);
        }
    }
}

fn draw_entry(
    entry: &ListEntry,
    is_chosen: bool,
    row: Rect,
    columns: Columns,
    frame: &mut Frame,
    appearance: &Appearance,
) {
    let mark = if is_chosen {
        appearance.either(" ▸ ", " > ")
    } else {
        "   "
    };
    let width = usize::from(columns.label);
    let label_style = if is_chosen {
        appearance.chosen()
    } else {
        appearance.ink(Tone::Ink)
    };
    let label = text::clipped(&entry.label, columns.label);
    let label = format!("{mark}{} ", text::padded(&label, width));
    let mut spans = vec![Span::styled(label, label_style), Span::raw("  ")];
    if let Some(value) = &entry.value {
        let (before, after, style) = if is_chosen {
            (
                appearance.either("‹", "<"),
                appearance.either("›", ">"),
                appearance.strong(),
            )
        } else {
            (" ", " ", appearance.ink(Tone::Ink))
        };
        let width = usize::from(columns.value);
        let shown = format!("{before} {value} {after}");
        spans.push(Span::styled(text::padded(&shown, width), style));
    }
    let detail = text::clipped(&entry.detail, columns.detail());
    spans.push(Span::styled(detail, appearance.ink(Tone::Dim)));
    frame.render_widget(Line::from(spans), row);
}

/// Draws the prompt of a page.
pub(crate) fn draw_prompt(prompt: &Prompt, frame: &mut Frame, appearance: &Appearance) {
    let area = frame.area();
    if area.height > 2 {
        let row = Rect {
            x: area.x + area.width.min(2),
            y: area.bottom() - 2,
            width: area.width.saturating_sub(4),
            height: 1,
        };
        prompt.draw(frame, row, appearance);
    }
}

/// The entry that a navigation key selects.
fn moved(code: KeyCode, chosen: usize, count: usize) -> Option<usize> {
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
