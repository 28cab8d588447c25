//! Splitting a stream of any length into pieces of whole games.

use std::io::{self, Read};

use super::event::Event;
use super::reader::{self, Reader};

/// Whole games, and their place in the stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// The bytes of the games.
    pub text: Vec<u8>,
    /// The number of lines before them.
    pub lines_before: usize,
    /// The number of bytes before them.
    pub bytes_before: u64,
    /// Whether these are whole games.
    pub kind: BatchKind,
}

/// What is in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BatchKind {
    /// Whole games.
    #[default]
    Games,
    /// The beginning of a game that is too large to be read.
    TooLarge {
        /// The limit in bytes that it exceeds.
        limit: usize,
    },
    /// More of the game in the batch before, which is too large to be read.
    Rest,
}

impl Batch {
    /// Whole games at the start of a stream.
    pub fn new(text: impl Into<Vec<u8>>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Returns the line and the column in the stream, both from 1, of an offset in this batch. If a line is longer than
    /// a batch, the column counts from the start of the batch.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let (line, column) = reader::line_and_column(&self.text, offset);
        (self.lines_before + line, column)
    }
}

/// Splits a stream into batches.
///
/// A batch ends where a line starts a game (`[Event `). If no such line comes for a long time, as in files without
/// tags, the batch ends after the last game that is certainly complete.
///
/// Memory is bounded by a few times the size of a batch or of the largest game. A game above
/// [a limit](Self::with_max_game) is handed out in pieces, and the next batch starts at the next game behind it that
/// has tags.
#[derive(Debug)]
pub struct Batches<R> {
    input: R,
    /// What has been read but not returned.
    pending: Vec<u8>,
    /// Memory for the next batch.
    spare: Vec<u8>,
    size: usize,
    max_game: usize,
    lines: usize,
    bytes: u64,
    at_end: bool,
    /// Where in a game too large to be read.
    oversized: Oversized,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Oversized {
    No,
    /// Its first piece comes next.
    First,
    /// Its first piece has been returned.
    Rest,
}

/// The size in bytes up to which [`Batches`] reads a game: 32 MB, more than any real game has.
pub const MAX_GAME: usize = 32_000_000;

/// A game is too large only if this much more than the limit belongs to it, as far as one can see.
const LOOK_AHEAD: usize = 4096;

/// The length of an empty line and the start of a tag, about: less than the smallest batch.
const LOOK_BACK: usize = 16;

/// After this many batches without a line that starts a game, the games are parsed to find where they end.
const PATIENCE: usize = 8;

impl<R: Read> Batches<R> {
    /// Splits a stream into batches of about `size` bytes.
    pub fn new(input: R, size: usize) -> Self {
        Self {
            input,
            pending: Vec::new(),
            spare: Vec::new(),
            size: size.max(64),
            max_game: MAX_GAME,
            lines: 0,
            bytes: 0,
            at_end: false,
            oversized: Oversized::No,
        }
    }

    /// Reads games up to this many bytes, rather than up to [`MAX_GAME`].
    #[must_use]
    pub fn with_max_game(mut self, bytes: usize) -> Self {
        self.max_game = bytes.max(1);
        self
    }

    /// Returns the next batch; `None` at the end of the stream.
    pub fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        if self.oversized != Oversized::No {
            return self.next_piece().map(Some);
        }
        let mut wanted = self.size;
        loop {
            self.fill(wanted)?;
            if self.pending.is_empty() {
                return Ok(None);
            }
            // So many bytes are surely larger than the limit, even with the start of the next game.
            let is_full = self.pending.len() >= self.max_game.saturating_add(LOOK_AHEAD);
            if self.at_end && !is_full {
                return Ok(Some(self.cut(self.pending.len())));
            }
            if let Some(end) = last_game(&self.pending) {
                return Ok(Some(self.cut(end)));
            }
            if self.pending.len() >= self.size * PATIENCE || is_full {
                // Nothing but white space, as in a file of zeros, belongs to no game.
                let end = if is_blank(&self.pending) {
                    Some(self.pending.len())
                } else {
                    whole_games(&self.pending)
                };
                if let Some(end) = end {
                    return Ok(Some(self.cut(end)));
                }
            }
            if is_full {
                self.oversized = Oversized::First;
                return self.next_piece().map(Some);
            }
            wanted = (self.pending.len() * 2).min(self.max_game.saturating_add(LOOK_AHEAD));
        }
    }

    /// Takes back a batch that is no longer needed, to use its memory for the next one.
    pub fn reuse(&mut self, batch: Batch) {
        self.spare = batch.text;
    }

    /// Reads until `wanted` bytes are pending, or the stream ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.pending.len());
        // A large game grows to the limit, not to the next power of two.
        self.pending.reserve_exact(missing);
        let mut limited = self.input.by_ref().take(missing as u64);
        let read = limited.read_to_end(&mut self.pending)?;
        if read < missing {
            self.at_end = true;
        }
        Ok(())
    }

    /// Returns the next piece of a game that is too large. Something is pending.
    fn next_piece(&mut self) -> io::Result<Batch> {
        self.fill(self.size)?;
        // The first piece starts with the tags of this game, perhaps after empty lines.
        let blank = self.pending.iter().take_while(|&&byte| byte <= b' ');
        let own = match self.oversized {
            Oversized::First => blank.count() + 1,
            _ => 0,
        };
        let next_game = next_game(&self.pending, own);
        let is_last = next_game.is_some() || self.at_end;
        // The line that starts the next game may be pending only in part.
        let all = self.pending.len() - if is_last { 0 } else { LOOK_BACK };
        let kind = match self.oversized {
            Oversized::First => BatchKind::TooLarge {
                limit: self.max_game,
            },
            _ => BatchKind::Rest,
        };
        self.oversized = if is_last {
            Oversized::No
        } else {
            Oversized::Rest
        };
        let mut batch = self.cut(next_game.unwrap_or(all));
        batch.kind = kind;
        Ok(batch)
    }

    /// Returns the first bytes.
    fn cut(&mut self, end: usize) -> Batch {
        let mut rest = std::mem::take(&mut self.spare);
        rest.clear();
        rest.extend_from_slice(&self.pending[end..]);
        let mut text = std::mem::replace(&mut self.pending, rest);
        text.truncate(end);
        self.batch(text)
    }

    fn batch(&mut self, text: Vec<u8>) -> Batch {
        let batch = Batch {
            lines_before: self.lines,
            bytes_before: self.bytes,
            text,
            kind: BatchKind::Games,
        };
        self.lines += reader::line_breaks(&batch.text);
        self.bytes += batch.text.len() as u64;
        batch
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte <= b' ')
}

/// Returns where the last line that starts a game is, unless it is the very first.
fn last_game(text: &[u8]) -> Option<usize> {
    memchr::memmem::rfind_iter(text, b"[Event ").find(|&at| at > 0 && reader::starts_game(text, at))
}

/// Returns where the first line is that starts a game, behind a game that cannot be parsed: with an `Event` tag, or with
/// another tag after an empty line.
fn next_game(text: &[u8], from: usize) -> Option<usize> {
    let mut brackets = memchr::memchr_iter(b'[', text).skip_while(|&at| at < from);
    brackets.find(|&at| {
        let above = &text[..at];
        let is_tag = text.get(at + 1).is_some_and(u8::is_ascii_uppercase);
        let after_empty_line = [&b"\n\n"[..], b"\n\r\n", b"\r\r"]
            .iter()
            .any(|end| above.ends_with(end));
        at > 0 && (reader::starts_game(text, at) || is_tag && after_empty_line)
    })
}

/// Returns where the last game ends that is certainly complete, by parsing. Prefers a game that ends its line.
fn whole_games(text: &[u8]) -> Option<usize> {
    let mut reader = Reader::new(text);
    let mut last = None;
    let (mut anywhere, mut with_line) = (None, None);
    let is_newline = |byte: &u8| matches!(byte, b'\n' | b'\r');
    while let Some(event) = reader.next() {
        // Something follows the last end, so it is one whatever comes later, unless this is the start of a tag.
        if reader.ran_out {
            break;
        }
        if let Some(end) = last.take() {
            anywhere = Some(end);
            if text.get(end).is_some_and(is_newline) || is_newline(&text[end - 1]) {
                with_line = anywhere;
            }
        }
        let at = reader.offset();
        // A percent sign would be at the start of a line if the next batch started with it.
        if matches!(event, Event::End(_)) && text.get(at) != Some(&b'%') {
            last = Some(at);
        }
    }
    // A game is complete, too, if nothing but a lot of white space follows.
    let follows_blank = |end: &usize| text.len() - end > LOOK_AHEAD && is_blank(&text[*end..]);
    with_line.or(anywhere).or(last.filter(follows_blank))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds, and the number of bytes, of the batches of a text.
    fn kinds(text: &[u8], max_game: usize) -> Vec<(BatchKind, usize)> {
        let mut batches = Batches::new(text, 64).with_max_game(max_game);
        let mut kinds: Vec<(BatchKind, usize)> = Vec::new();
        let mut joined = Vec::new();
        while let Some(batch) = batches.next_batch().unwrap() {
            joined.extend_from_slice(&batch.text);
            match kinds.last_mut() {
                Some((kind, bytes)) if *kind == batch.kind => *bytes += batch.text.len(),
                _ => kinds.push((batch.kind, batch.text.len())),
            }
        }
        assert_eq!(joined, text, "nothing is lost");
        kinds
    }

    #[test]
    fn blanks_behind_a_game_do_not_make_it_too_large() {
        for blank in [" ", "\n", "\0"] {
            let text = format!("1. e4 *{}", blank.repeat(50_000));
            assert_eq!(
                kinds(text.as_bytes(), 10_000),
                [(BatchKind::Games, text.len())]
            );
        }
    }

    #[test]
    fn games_above_the_limit_come_in_pieces() {
        let game =
            |size: usize, event: &str| format!("{event}\n\n1. e4 {{{}}} *\n\n", "x".repeat(size));
        let limit = 10_000;
        let event = "[Event \"?\"]";
        let small = [game(100, event), game(9_000, event)].concat();
        assert_eq!(
            kinds(small.as_bytes(), limit),
            [(BatchKind::Games, small.len())]
        );
        for start in [event, "[White \"A\"]"] {
            for size in [20_000, 20_001, 100_000] {
                let large = format!("\n\n{}", game(size, start));
                let next = game(5, start);
                let text = [&*small, &large, &next].concat();
                let kinds = kinds(text.as_bytes(), limit);
                let [
                    (BatchKind::Games, before),
                    (BatchKind::TooLarge { .. }, first),
                    (BatchKind::Rest, rest),
                    (BatchKind::Games, after),
                ] = kinds[..]
                else {
                    panic!("{kinds:?}");
                };
                assert_eq!(before + first + rest, small.len() + large.len());
                assert_eq!(after, next.len());
            }
        }
    }

    #[test]
    fn white_space_is_no_game() {
        let zeros = vec![0; 100_000];
        assert_eq!(kinds(&zeros, 1000), [(BatchKind::Games, zeros.len())]);
    }
}
