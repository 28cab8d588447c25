//! The prompt for moves and commands.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use ratatui::text::{Line, Span};

use crate::appearance::Appearance;
use crate::text;
use crate::theme::Tone;

/// The longest input.
const MAX_LENGTH: usize = 200;

/// A line of text being typed.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    /// The label before the input.
    pub(crate) label: &'static str,
    /// A placeholder, shown while the line is empty.
    pub(crate) example: &'static str,
    letters: Vec<char>,
    cursor: usize,
    /// What was cut last, for Ctrl+Y.
    cut: Vec<char>,
}

impl Prompt {
    pub(crate) const fn new(label: &'static str, example: &'static str) -> Self {
        Self {
            label,
            example,
            letters: Vec::new(),
            cursor: 0,
            cut: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    pub(crate) fn text(&self) -> String {
        self.letters.iter().collect()
    }

    pub(crate) fn clear(&mut self) {
        self.letters.clear();
        self.cursor = 0;
    }

    /// Takes the text and clears the line.
    pub(crate) fn take(&mut self) -> String {
        let text = self.text().trim().to_owned();
        self.clear();
        text
    }

    /// Inserts text without control characters.
    pub(crate) fn insert(&mut self, typed: &str) {
        for letter in typed.chars().filter(|letter| !letter.is_control()) {
            if self.letters.len() < MAX_LENGTH {
                self.letters.insert(self.cursor, letter);
                self.cursor += 1;
            }
        }
    }

    /// Edits the line as a shell does. Returns whether the key was used. An empty line leaves all keys but letters to
    /// others.
    pub(crate) fn edit(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char(letter) if !control && !alt => {
                self.insert(letter.encode_utf8(&mut [0; 4]));
            }
            _ if self.is_empty() => return false,
            KeyCode::Char(letter) if control => return self.control(letter),
            KeyCode::Char('b') | KeyCode::Left if alt || control => self.cursor = self.word_start(),
            KeyCode::Char('f') | KeyCode::Right if alt || control => self.cursor = self.word_end(),
            KeyCode::Char('d') if alt => self.cut_between(self.cursor, self.word_end()),
            KeyCode::Backspace if alt || control => {
                self.cut_between(self.word_start(), self.cursor);
            }
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.letters.remove(self.cursor);
            }
            KeyCode::Backspace => {}
            KeyCode::Delete if self.cursor < self.letters.len() => {
                self.letters.remove(self.cursor);
            }
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.letters.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.letters.len(),
            KeyCode::Esc => self.clear(),
            _ => return false,
        }
        true
    }

    /// A letter with Ctrl.
    fn control(&mut self, letter: char) -> bool {
        let end = self.letters.len();
        match letter {
            'a' => self.cursor = 0,
            'e' => self.cursor = end,
            'b' => self.cursor = self.cursor.saturating_sub(1),
            'f' => self.cursor = (self.cursor + 1).min(end),
            'd' if self.cursor < end => {
                self.letters.remove(self.cursor);
            }
            'h' if self.cursor > 0 => {
                self.cursor -= 1;
                self.letters.remove(self.cursor);
            }
            'k' => self.cut_between(self.cursor, end),
            'u' => self.cut_between(0, self.cursor),
            'w' => self.cut_between(self.blank_before(), self.cursor),
            'y' => self.insert(&self.cut.iter().collect::<String>()),
            't' if self.cursor > 0 && end > 1 => {
                let right = self.cursor.min(end - 1);
                self.letters.swap(right - 1, right);
                self.cursor = right + 1;
            }
            // These do nothing if there is nothing to edit.
            'd' | 'h' | 't' => {}
            _ => return false,
        }
        true
    }

    fn cut_between(&mut self, start: usize, end: usize) {
        if start < end {
            self.cut = self.letters.drain(start..end).collect();
            self.cursor = start;
        }
    }

    /// The start of the word before the cursor. Words consist of letters and digits.
    fn word_start(&self) -> usize {
        let before = &self.letters[..self.cursor];
        let word = before.iter().rposition(|letter| letter.is_alphanumeric());
        let word = word.map_or(0, |last| last + 1);
        let gap = before[..word]
            .iter()
            .rposition(|letter| !letter.is_alphanumeric());
        gap.map_or(0, |gap| gap + 1)
    }

    /// The end of the word at or after the cursor.
    fn word_end(&self) -> usize {
        let word = |at: usize| self.letters[at..].iter().position(|l| l.is_alphanumeric());
        let Some(skipped) = word(self.cursor) else {
            return self.letters.len();
        };
        let start = self.cursor + skipped;
        let length = self.letters[start..]
            .iter()
            .position(|letter| !letter.is_alphanumeric());
        length.map_or(self.letters.len(), |length| start + length)
    }

    /// The start of the word before the cursor, if only blanks separate words.
    fn blank_before(&self) -> usize {
        let before = &self.letters[..self.cursor];
        let word = before.iter().rposition(|letter| !letter.is_whitespace());
        let gap = before[..word.map_or(0, |last| last + 1)]
            .iter()
            .rposition(|letter| letter.is_whitespace());
        gap.map_or(0, |gap| gap + 1)
    }

    pub(crate) fn draw(&self, frame: &mut Frame, area: Rect, appearance: &Appearance) {
        let label = format!("{} {} ", self.label, appearance.either("›", ">"));
        let left = text::columns(&label);
        let room = usize::from(area.width).saturating_sub(left + 1);
        let before: String = self.letters[..self.cursor].iter().collect();
        // Keep the cursor in view.
        let seen = end_of(&before, room);
        let behind: String = self.letters[self.cursor..].iter().collect();
        let shown = format!("{seen}{behind}");
        let shown = text::split(&shown, room).0.to_owned();
        let rest = if self.is_empty() {
            let example = text::clipped(self.example, room as u16);
            Span::styled(example, appearance.ink(Tone::Dim))
        } else {
            Span::styled(shown, appearance.strong())
        };
        let line = Line::from(vec![
            Span::styled(label, appearance.ink(Tone::Accent)),
            rest,
        ]);
        frame.render_widget(line, area);
        let column = area.x + (left + text::columns(seen)) as u16;
        frame.set_cursor_position(Point::new(
            column.min(area.right().saturating_sub(1)),
            area.y,
        ));
    }
}

/// The longest end of a text that fits.
fn end_of(typed: &str, room: usize) -> &str {
    let mut starts = typed.char_indices().map(|(at, _)| &typed[at..]);
    starts
        .find(|end| text::columns(end) <= room)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_at_the_front() {
        assert_eq!(end_of("Nf3", 9), "Nf3");
        assert_eq!(end_of("Nf3", 2), "f3");
        assert_eq!(end_of("王皓", 3), "皓");
        assert_eq!(end_of("", 3), "");
    }

    fn press(prompt: &mut Prompt, code: KeyCode) -> bool {
        prompt.edit(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn keys_edit_the_line() {
        let mut prompt = Prompt::new("Move", "e4");
        assert!(!press(&mut prompt, KeyCode::Left));
        assert!(!press(&mut prompt, KeyCode::Backspace));
        for letter in "Nf".chars() {
            assert!(press(&mut prompt, KeyCode::Char(letter)));
        }
        for (code, text) in [
            (KeyCode::Left, "Nf"),
            (KeyCode::Char('g'), "Ngf"),
            (KeyCode::End, "Ngf"),
            (KeyCode::Char('3'), "Ngf3"),
            (KeyCode::Home, "Ngf3"),
            (KeyCode::Backspace, "Ngf3"),
            (KeyCode::Delete, "gf3"),
            (KeyCode::Right, "gf3"),
            (KeyCode::Backspace, "f3"),
        ] {
            assert!(press(&mut prompt, code), "{code}");
            assert_eq!(prompt.text(), text, "{code}");
        }
        let control = KeyEvent::new(KeyCode::Char('r'), KeyModifiers::CONTROL);
        assert!(!prompt.edit(control));
        prompt.insert(" \u{1b}\n");
        assert_eq!(prompt.take(), "f3");
        assert!(prompt.is_empty());
    }

    #[test]
    fn control_keys_edit_as_in_a_shell() {
        let mut prompt = Prompt::new("Move", "e4");
        let press = |prompt: &mut Prompt, letter, modifier| {
            prompt.edit(KeyEvent::new(KeyCode::Char(letter), modifier))
        };
        let (control, alt) = (KeyModifiers::CONTROL, KeyModifiers::ALT);
        // On an empty line these keys belong to the game.
        for letter in "abdefhkuwy".chars() {
            assert!(!press(&mut prompt, letter, control), "{letter}");
        }
        prompt.insert("save my-games old.pgn");
        for (letter, modifier, text, cursor) in [
            ('w', control, "save my-games ", 14),
            ('y', control, "save my-games old.pgn", 21),
            ('b', alt, "save my-games old.pgn", 18),
            ('b', alt, "save my-games old.pgn", 14),
            ('b', control, "save my-games old.pgn", 13),
            ('k', control, "save my-games", 13),
            ('d', control, "save my-games", 13),
            ('a', control, "save my-games", 0),
            ('f', alt, "save my-games", 4),
            ('f', control, "save my-games", 5),
            ('d', alt, "save -games", 5),
            ('d', control, "save games", 5),
            ('h', control, "savegames", 4),
            ('t', control, "savgeames", 5),
            ('e', control, "savgeames", 9),
            ('u', control, "", 0),
        ] {
            assert!(press(&mut prompt, letter, modifier), "{letter} {text}");
            let found = (prompt.text(), prompt.cursor);
            assert_eq!(found, (text.to_owned(), cursor), "{letter}");
        }
    }
}
