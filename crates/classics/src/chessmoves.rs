//! A game from notation, board by board.
//!
//! ```
//! use tabiya_classics::chessmoves;
//!
//! let mut printed = Vec::new();
//! let stopped = chessmoves::run(&b"1. e4 e5\n2. Nf3 Bc3\n"[..], &mut printed).unwrap_err();
//! assert_eq!(
//!     stopped.to_string(),
//!     "line 2: Black's move Bc3 cannot be played: no bishop of the side to move goes to c3"
//! );
//! assert_eq!(printed.len(), 4 * chessmoves::BOARD_SIZE);
//! ```

mod drawing;
mod game;
mod line;

use std::io::{self, BufRead, Read, Write};

use thiserror::Error;

pub use drawing::{BOARD_SIZE, Rows, draw, letter, piece, rows};
pub use game::{Game, Problem};
pub use line::{Line, LineError};

/// A line longer than this is no line of notation.
const LONGEST_LINE: usize = 1000;

/// Why the boards end before the game.
#[derive(Debug, Error)]
pub enum Stopped {
    /// A line cannot be read, or a move cannot be played.
    #[error("line {line}: {problem}")]
    Problem {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// The input cannot be read on.
    #[error(transparent)]
    Input(io::Error),
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
}

/// Plays the lines of a game and prints the starting board and the board after every move, each line's as soon as it is
/// read.
pub fn run(input: impl BufRead, mut output: impl Write) -> Result<(), Stopped> {
    let mut game = Game::new();
    let mut write = |text: &[u8]| {
        let written = output.write_all(text).and_then(|()| output.flush());
        written.map_err(Stopped::Output)
    };
    write(&draw(&rows(&game.board().placement())))?;
    let mut lines = Lines { input, number: 0 };
    while let Some(bytes) = lines.next().map_err(Stopped::Input)? {
        let stopped = |problem: String| Stopped::Problem {
            line: lines.number,
            problem,
        };
        if bytes.len() > LONGEST_LINE {
            return Err(stopped(format!(
                "it is longer than {LONGEST_LINE} characters: write one pair of moves a line"
            )));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| stopped("it is no text (UTF-8 is expected)".to_owned()))?;
        let mut boards = Vec::with_capacity(2 * BOARD_SIZE);
        let played = game.play_line(text, |board| {
            boards.extend_from_slice(&draw(&rows(&board.placement())));
        });
        write(&boards)?;
        played.map_err(|problem| stopped(problem.to_string()))?;
    }
    Ok(())
}

/// The lines of a text, of which none takes more memory than is good for it.
struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line with its end, cut off when it is longer than the longest.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let limit = LONGEST_LINE as u64 + 1;
        self.input
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        // Some Windows programs mark UTF-8 at its start.
        if self.number == 1 && line.starts_with("\u{feff}".as_bytes()) {
            line.drain(.."\u{feff}".len());
        }
        Ok(Some(line))
    }
}
