//! Writing games.

use std::fmt;

use tabiya_board::Board;

use super::{Game, Node};
use crate::GameResult;
use crate::pgn::text::in_one_line;
use crate::san::write_san;

/// Words of movetext, wrapped into lines.
struct Movetext<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// The last word, which may go on: it is written when the next one comes.
    word: String,
    /// Whether the next word follows without a space, as behind a parenthesis.
    glued: bool,
}

/// Lines of movetext end before this column, as the standard asks.
const WIDTH: usize = 80;
/// Commands that end within so many bytes of a word of a comment are part of it.
const COMMAND: usize = 60;

impl Movetext<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        if !self.glued {
            self.flush()?;
        }
        self.glued = false;
        self.word.push_str(word);
        Ok(())
    }

    /// Writes the last word, in a new line if need be.
    fn flush(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let length = self.word.chars().count();
        if self.column > 0 {
            if self.column + 1 + length >= WIDTH {
                self.out.write_str("\n")?;
                self.column = 0;
            } else {
                self.out.write_str(" ")?;
                self.column += 1;
            }
        }
        self.column += length;
        self.out.write_str(&self.word)?;
        self.word.clear();
        Ok(())
    }

    fn comment(&mut self, comment: &str) -> fmt::Result {
        let comment = in_one_line(comment);
        if comment.contains('}') {
            // Braces cannot hold it: a comment to the end of the line can.
            self.word(&format!("; {comment}"))?;
            self.flush()?;
            self.column = 0;
            return self.out.write_str("\n");
        }
        self.word("{")?;
        let (mut spaces, mut is_first) = (0, true);
        for word in words(&comment) {
            // Of several spaces, one may become a line break.
            if word.is_empty() {
                spaces += 1;
                continue;
            }
            // No line starts with what would mean something else there.
            if is_first || word.starts_with("[Event") || word.starts_with('%') {
                self.word.push(' ');
                self.glued = true;
            }
            is_first = false;
            let spaces = " ".repeat(std::mem::take(&mut spaces));
            self.word(&format!("{spaces}{word}"))?;
        }
        self.word.push_str(" }");
        Ok(())
    }

    /// A line of its own, for programs.
    fn escape(&mut self, line: &str) -> fmt::Result {
        self.flush()?;
        let start = if self.column > 0 { "\n" } else { "" };
        self.column = 0;
        writeln!(self.out, "{start}%{}", in_one_line(line))
    }

    /// A closing parenthesis, which stands directly behind what comes before it.
    fn close(&mut self) -> fmt::Result {
        self.glued = !self.word.is_empty() && self.word.len() + 1 < WIDTH;
        self.word(")")
    }

    fn open(&mut self) -> fmt::Result {
        self.word("(")?;
        self.glued = true;
        Ok(())
    }
}

/// What is between the spaces of a comment, but for those in commands: `[%clk 0:05:00]` stays in one line.
fn words(comment: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(comment);
    std::iter::from_fn(move || {
        let text = rest?;
        let end_of_word = |from: usize| text[from..].find(' ').map_or(text.len(), |at| from + at);
        let mut end = end_of_word(0);
        while let Some(start) = text[..end].rfind("[%") {
            let mut near = text.bytes().enumerate().take(COMMAND).skip(start);
            match near.find(|&(_, byte)| byte == b']') {
                Some((close, _)) if close >= end => end = end_of_word(close),
                _ => break,
            }
        }
        rest = text.get(end + 1..);
        Some(&text[..end])
    })
}

/// What is still to be written.
enum Task {
    /// A move, and then all that follows it.
    Line {
        node: usize,
        /// Whether the number is needed even before a move of Black.
        numbered: bool,
    },
    /// The parentheses around a variation.
    Open,
    Close,
}

impl Game {
    fn write_moves(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Movetext {
            out,
            column: 0,
            word: String::new(),
            glued: false,
        };
        for nag in &self.nodes[0].nags {
            text.word(&format!("${nag}"))?;
        }
        for comment in &self.nodes[0].comments {
            text.comment(comment)?;
        }
        for line in &self.nodes[0].escapes {
            text.escape(line)?;
        }
        // The boards of the places on the way, so that none has to be found from the start again.
        let mut boards: Vec<Option<Board>> = vec![None; self.nodes.len()];
        boards[0] = Some(self.start);
        let mut tasks = Vec::new();
        if let Some(&first) = self.nodes[0].children.first() {
            tasks.push(Task::Line {
                node: first,
                numbered: true,
            });
        }
        while let Some(task) = tasks.pop() {
            let (node, numbered) = match task {
                Task::Line { node, numbered } => (node, numbered),
                Task::Open => {
                    text.open()?;
                    continue;
                }
                Task::Close => {
                    text.close()?;
                    continue;
                }
            };
            let Node {
                mv,
                parent,
                nags,
                comments_before,
                comments,
                escapes,
                ..
            } = &self.nodes[node];
            let parent = parent.unwrap_or(0);
            let before = boards[parent].unwrap_or(self.start);
            for comment in comments_before {
                text.comment(comment)?;
            }
            if before.turn().is_white() {
                text.word(&format!("{}.", before.fullmove_number()))?;
            } else if numbered || !comments_before.is_empty() {
                text.word(&format!("{}...", before.fullmove_number()))?;
            }
            match mv {
                Some(mv) => text.word(&write_san(&before, *mv))?,
                None => text.word("--")?,
            }
            boards[node] = match mv {
                Some(mv) => Some(before.after_unchecked(*mv)),
                None => Some(before.null_move().unwrap_or(before)),
            };
            for nag in nags {
                text.word(&format!("${nag}"))?;
            }
            for comment in comments {
                text.comment(comment)?;
            }
            for line in escapes {
                text.escape(line)?;
            }
            // Behind the main move come its alternatives in parentheses, and then what follows it.
            let siblings = &self.nodes[parent].children;
            let is_main = siblings.first() == Some(&node);
            let alternatives = if is_main { &siblings[1..] } else { &[] };
            let interrupted = !comments.is_empty() || !alternatives.is_empty();
            if let Some(&next) = self.nodes[node].children.first() {
                tasks.push(Task::Line {
                    node: next,
                    numbered: interrupted,
                });
            }
            for &alternative in alternatives.iter().rev() {
                tasks.push(Task::Close);
                tasks.push(Task::Line {
                    node: alternative,
                    numbered: true,
                });
                tasks.push(Task::Open);
            }
        }
        text.word(self.result.unwrap_or(GameResult::Unknown).as_str())?;
        text.flush()
    }
}

/// Writes the game as the standard's export format wants it. Tags are written in the order they are in.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = in_one_line(value);
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        if !self.tags.is_empty() {
            f.write_str("\n")?;
        }
        self.write_moves(f)?;
        f.write_str("\n")
    }
}
