//! Reading lines while the clock runs.

use std::io::{BufRead, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

/// The longest line that is read. No command is longer.
const MAX_LINE: u64 = 1 << 16;

/// The result of waiting for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineInput {
    /// A line.
    Line(String),
    /// A line that is longer than any command.
    TooLong,
    /// No line before the deadline.
    Timeout,
    /// The end of the input.
    End,
}

/// Reads lines in its own thread, so that waiting for them can time out.
#[derive(Debug)]
pub struct LineReader(Receiver<LineInput>);

impl LineReader {
    /// Starts reading. The thread opens the input itself, because a lock on standard input cannot move between threads.
    pub fn spawn<R: BufRead>(open: impl FnOnce() -> R + Send + 'static) -> Self {
        // Without a buffer, no line is read ahead: what follows the game is left for others.
        let (sender, receiver) = mpsc::sync_channel(0);
        // If no thread can be started, the channel closes, which reads as the end of the input.
        let _ = thread::Builder::new().spawn(move || {
            let mut input = open();
            while let Some(line) = read(&mut input) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self(receiver)
    }

    /// Waits for the next line, until the deadline if there is one.
    pub fn next_line(&self, deadline: Option<Instant>) -> LineInput {
        let Some(deadline) = deadline else {
            return self.0.recv().unwrap_or(LineInput::End);
        };
        let left = deadline.saturating_duration_since(Instant::now());
        match self.0.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => LineInput::Timeout,
            Err(RecvTimeoutError::Disconnected) => LineInput::End,
        }
    }
}

/// The next line; `None` at the end, or if reading fails.
fn read(input: &mut impl BufRead) -> Option<LineInput> {
    let mut bytes = Vec::new();
    let mut limited = Read::take(&mut *input, MAX_LINE);
    if limited.read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n').ok()?;
        return Some(LineInput::TooLong);
    }
    Some(LineInput::Line(
        String::from_utf8_lossy(&bytes).into_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn lines_are_read_until_the_end() {
        let long = "x".repeat(1 << 17);
        let text = format!("e4\n{long}\nresign");
        let reader = LineReader::spawn(move || std::io::Cursor::new(text));
        assert_eq!(reader.next_line(None), LineInput::Line("e4\n".to_owned()));
        assert_eq!(reader.next_line(None), LineInput::TooLong);
        let last = reader.next_line(None);
        assert_eq!(last, LineInput::Line("resign".to_owned()));
        let deadline = Instant::now() + Duration::from_secs(3600);
        assert_eq!(reader.next_line(Some(deadline)), LineInput::End);
    }

    #[test]
    fn waiting_ends_at_the_deadline() {
        // An input that never has a line.
        let (writer, input) = mpsc::channel::<()>();
        let reader = LineReader::spawn(move || {
            let _ = input.recv();
            std::io::empty()
        });
        assert_eq!(reader.next_line(Some(Instant::now())), LineInput::Timeout);
        drop(writer);
        assert_eq!(reader.next_line(None), LineInput::End);
    }
}
