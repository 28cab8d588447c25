//! Lines that somebody types, while time passes.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

/// No command is longer.
const LONGEST: u64 = 1 << 16;

/// What has been typed.
pub(super) enum Typed {
    Line(String),
    /// A line that is longer than any command.
    TooLong,
    /// Nothing so far.
    Nothing,
    /// Nothing will be typed any more.
    End,
}

/// The lines of standard input, read by a thread of their own.
pub(super) struct Input(Receiver<Typed>);

impl Input {
    pub(super) fn start() -> Self {
        // Lines are read when they are wanted and no earlier, so that what follows the game is left to others.
        let (sender, receiver) = mpsc::sync_channel(0);
        let _ = thread::Builder::new().spawn(move || {
            let mut stdin = io::stdin().lock();
            while let Some(typed) = read(&mut stdin) {
                if sender.send(typed).is_err() {
                    return;
                }
            }
        });
        Self(receiver)
    }

    pub(super) fn next(&self) -> Typed {
        self.0.recv().unwrap_or(Typed::End)
    }

    pub(super) fn next_before(&self, until: Instant) -> Typed {
        let left = until.saturating_duration_since(Instant::now());
        match self.0.recv_timeout(left) {
            Ok(typed) => typed,
            Err(RecvTimeoutError::Timeout) => Typed::Nothing,
            Err(RecvTimeoutError::Disconnected) => Typed::End,
        }
    }
}

/// The next line; nothing at the end, or where reading fails.
fn read(input: &mut impl BufRead) -> Option<Typed> {
    let mut bytes = Vec::new();
    let mut limited = Read::take(&mut *input, LONGEST);
    if limited.read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n').ok()?;
        return Some(Typed::TooLong);
    }
    Some(Typed::Line(String::from_utf8_lossy(&bytes).into_owned()))
}
