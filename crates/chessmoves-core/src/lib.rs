//! Plays a game from notation and draws the board after every move.
//!
//! `tabiya classic chessmoves` and the C library `libchessmoves` share this code.
//!
//! ```
//! let mut printed = Vec::new();
//! let error = tabiya_chessmoves_core::run(&b"1. e4 e5\n2. Nf3 Bc9\n"[..], &mut printed).unwrap_err();
//! assert!(error.to_string().starts_with("line 2: Black's move Bc9 cannot be played: "));
//! assert_eq!(printed.len(), 4 * tabiya_chessmoves_core::BOARD_SIZE);
//! ```
#![forbid(unsafe_code)]

mod drawing;
mod line;
mod replay;

use std::io::{self, BufRead, Read, Write};

use thiserror::Error;

pub use drawing::{BOARD_SIZE, BoardRows, draw, letter, piece, rows};
pub use line::{LineError, NotationLine};
pub use replay::{GameReplay, PlayLineError};

/// The longest line we accept, in bytes.
const MAX_LINE: usize = 1000;

/// Why a replay stopped before the end of the game.
#[derive(Debug, Error)]
pub enum ChessmovesError {
    /// A line cannot be read, or one of its moves cannot be played.
    #[error("line {line}: {reason}")]
    Line {
        /// The line number, from 1.
        line: u64,
        /// The reason, as text.
        reason: String,
    },
    /// The input cannot be read.
    #[error(transparent)]
    Input(io::Error),
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
}

/// Plays a game line by line. Prints the starting board and the board after every move, as soon as each line is read.
pub fn run(input: impl BufRead, mut output: impl Write) -> Result<(), ChessmovesError> {
    let mut replay = GameReplay::new();
    let mut write = |text: &[u8]| {
        let written = output.write_all(text).and_then(|()| output.flush());
        written.map_err(ChessmovesError::Output)
    };
    write(&draw(&rows(&replay.board().placement())))?;
    let mut lines = Lines { input, number: 0 };
    while let Some(bytes) = lines.next().map_err(ChessmovesError::Input)? {
        let error = |reason: String| ChessmovesError::Line {
            line: lines.number,
            reason,
        };
        if bytes.len() > MAX_LINE {
            return Err(error(format!(
                "the line is longer than {MAX_LINE} characters: write one pair of moves per line"
            )));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| error("the line is not valid UTF-8 text".to_owned()))?;
        let mut boards = Vec::with_capacity(2 * BOARD_SIZE);
        let played = replay.play_line(text, |board| {
            boards.extend_from_slice(&draw(&rows(&board.placement())));
        });
        write(&boards)?;
        played.map_err(|reason| error(reason.to_string()))?;
    }
    Ok(())
}

/// Reads lines, and at most [`MAX_LINE`] bytes of each, so that an endless line cannot fill the memory.
struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Returns the next line with its line break. A line that is too long comes one byte longer than the limit.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let limit = MAX_LINE as u64 + 1;
        self.input
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        // Some Windows programs start a file with a byte order mark.
        if self.number == 1 && line.starts_with("\u{feff}".as_bytes()) {
            line.drain(.."\u{feff}".len());
        }
        Ok(Some(line))
    }
}
