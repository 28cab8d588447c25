//! Splitting a stream of any length into pieces of whole games.

use std::io::{self, Read};

use super::event::Event;
use super::reader::{self, Reader};

/// Whole games, and their place in the stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The bytes of the games.
    pub text: Vec<u8>,
    /// The number of lines before them.
    pub lines_before: usize,
    /// The number of bytes before them.
    pub bytes_before: u64,
}

impl Batch {
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
/// tags, the batch ends after the last game that is certainly complete. So memory is bounded by a few times the size of
/// a batch or of the longest game.
#[derive(Debug)]
pub struct Batches<R> {
    input: R,
    /// What has been read but not returned.
    pending: Vec<u8>,
    /// Memory for the next batch.
    spare: Vec<u8>,
    size: usize,
    lines: usize,
    bytes: u64,
    at_end: bool,
}

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
            lines: 0,
            bytes: 0,
            at_end: false,
        }
    }

    /// Returns the next batch; `None` at the end of the stream.
    pub fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        let mut wanted = self.size;
        loop {
            self.fill(wanted)?;
            if self.pending.is_empty() {
                return Ok(None);
            }
            if self.at_end {
                return Ok(Some(self.cut(self.pending.len())));
            }
            if let Some(end) = last_game(&self.pending) {
                return Ok(Some(self.cut(end)));
            }
            if self.pending.len() >= self.size * PATIENCE
                && let Some(end) = whole_games(&self.pending)
            {
                return Ok(Some(self.cut(end)));
            }
            wanted = self.pending.len() * 2;
        }
    }

    /// Takes back a batch that is no longer needed, to use its memory for the next one.
    pub fn reuse(&mut self, batch: Batch) {
        self.spare = batch.text;
    }

    /// Reads until `wanted` bytes are pending, or the stream ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.pending.len());
        self.pending.reserve(missing);
        let mut limited = self.input.by_ref().take(missing as u64);
        let read = limited.read_to_end(&mut self.pending)?;
        if read < missing {
            self.at_end = true;
        }
        Ok(())
    }

    /// Returns the first bytes.
    fn cut(&mut self, end: usize) -> Batch {
        let mut rest = std::mem::take(&mut self.spare);
        rest.clear();
        rest.extend_from_slice(&self.pending[end..]);
        let mut text = std::mem::replace(&mut self.pending, rest);
        text.truncate(end);
        let batch = Batch {
            lines_before: self.lines,
            bytes_before: self.bytes,
            text,
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

/// Returns where the last line that starts a game is, unless it is the very first.
fn last_game(text: &[u8]) -> Option<usize> {
    memchr::memmem::rfind_iter(text, b"[Event ").find(|&at| at > 0 && reader::starts_game(text, at))
}

/// Returns where the last game ends that is certainly complete, by parsing. Prefers a game that ends its line.
fn whole_games(text: &[u8]) -> Option<usize> {
    let mut reader = Reader::new(text);
    let mut last = None;
    let (mut anywhere, mut with_line) = (None, None);
    while let Some(event) = reader.next() {
        // Something follows the last end, so it is one whatever comes later, unless this is the start of a tag.
        if reader.ran_out {
            break;
        }
        if let Some(end) = last.take() {
            anywhere = Some(end);
            let is_newline = |byte: &u8| matches!(byte, b'\n' | b'\r');
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
    with_line.or(anywhere)
}
