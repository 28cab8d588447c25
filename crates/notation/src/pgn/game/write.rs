//! Writing games.

use std::fmt;

use super::{Game, Ply, Step};
use crate::pgn::text::in_one_line;
use crate::san::write_san;

/// Movetext, wrapped into lines word by word.
struct Movetext<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// The last word, which may still grow: it is written when the next one comes.
    word: String,
    /// Whether the next word follows without a space, as after a parenthesis.
    glued: bool,
}

/// The standard's limit: lines are shorter than this.
const WIDTH: usize = 80;
/// A command in a comment that is longer than this may be wrapped.
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

    /// Writes the last word, on a new line if necessary.
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
            // It cannot be between braces, but after a semicolon.
            self.word(&format!("; {comment}"))?;
            self.flush()?;
            self.column = 0;
            return self.out.write_str("\n");
        }
        self.word("{")?;
        let (mut spaces, mut is_first) = (0, true);
        for word in words(&comment) {
            // One of several spaces may become a line break.
            if word.is_empty() {
                spaces += 1;
                continue;
            }
            // No line may start with something that has a meaning there.
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

    /// Writes a line for programs.
    fn escape(&mut self, line: &str) -> fmt::Result {
        self.flush()?;
        let start = if self.column > 0 { "\n" } else { "" };
        self.column = 0;
        writeln!(self.out, "{start}%{}", in_one_line(line))
    }

    /// Writes a closing parenthesis, without a space before it.
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

/// Splits a comment at its spaces, except those in commands: `[%clk 0:05:00]` stays on one line.
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
        // Whether Black's next move needs its number.
        let mut numbered = true;
        for step in self.walk() {
            let Ply {
                node: id,
                mv,
                before,
                ..
            } = match step {
                Step::Move(ply) => ply,
                Step::VariationStart => {
                    text.open()?;
                    numbered = true;
                    continue;
                }
                Step::VariationEnd => {
                    text.close()?;
                    numbered = true;
                    continue;
                }
            };
            let node = self.node(id);
            for comment in &node.comments_before {
                text.comment(comment)?;
            }
            if before.turn().is_white() {
                text.word(&format!("{}.", before.fullmove_number()))?;
            } else if numbered || !node.comments_before.is_empty() {
                text.word(&format!("{}...", before.fullmove_number()))?;
            }
            match mv {
                Some(mv) => text.word(&write_san(&before, mv))?,
                None => text.word("--")?,
            }
            for nag in &node.nags {
                text.word(&format!("${nag}"))?;
            }
            for comment in &node.comments {
                text.comment(comment)?;
            }
            for line in &node.escapes {
                text.escape(line)?;
            }
            numbered = !node.comments.is_empty();
        }
        text.word(self.known_result().as_str())?;
        text.flush()
    }
}

/// Writes the game in the standard's export format.
///
/// A game without tags that starts from the normal position is written as bare moves. Any other game gets the tags that
/// [`standardize`](Game::standardize) would give it.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags = self.standard_tags();
        for (name, value) in &tags {
            let value = in_one_line(value);
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        if !tags.is_empty() {
            f.write_str("\n")?;
        }
        self.write_moves(f)?;
        f.write_str("\n")
    }
}
