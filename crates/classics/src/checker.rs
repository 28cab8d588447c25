//! Checks files of boards and move sequences for legality, on all cores.
//!
//! A line is a board, a colon and moves. The board is a list of `piece column row`, with small letters for White and
//! capitals for Black. A move is four numbers. White moves first. There is no castling, en passant or promotion.
//!
//! ```
//! use tabiya_classics::checker::check_line;
//!
//! let board = "k 4 4 r 8 2 B 1 1 K 4 7";
//! let answer = |moves: &str| check_line(format!("{board}: {moves}").as_bytes()).to_string();
//! assert_eq!(answer("8 2 2 2 1 1 2 2"), "Legal");
//! assert_eq!(answer("8 2 2 2 1 1 3 3"), "1 1 3 3 illegal");
//! assert_eq!(answer("8 2 2 9"), "error: '9' is not a number from 1 to 8 (character 32)");
//! ```

mod explain;
mod line;
mod stream;

use std::io;

use thiserror::Error;

pub use explain::explain;
pub use line::{FormatError, FromTo, LineVerdict, check_line};
pub use stream::check;

/// The mark that some editors put at the start of a UTF-8 file. It is ignored.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How many lines of each kind a file has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CheckSummary {
    /// All lines.
    pub lines: u64,
    /// The lines with an illegal move.
    pub illegal: u64,
    /// The malformed lines.
    pub errors: u64,
}

impl CheckSummary {
    fn count(&mut self, verdict: &LineVerdict) {
        self.lines += 1;
        match verdict {
            LineVerdict::Legal => {}
            LineVerdict::Illegal(_) => self.illegal += 1,
            LineVerdict::Error(_) => self.errors += 1,
        }
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.illegal += other.illegal;
        self.errors += other.errors;
    }
}

/// Why checking a file failed.
#[derive(Debug, Error)]
pub enum CheckerError {
    /// The input cannot be read.
    #[error("cannot read the lines: {0}")]
    Read(#[source] io::Error),
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[source] io::Error),
    /// The explanation cannot be written.
    #[error("cannot write the explanation: {0}")]
    Explain(#[source] io::Error),
    /// The system refused to start a thread.
    #[error("cannot start a thread: try --threads 1")]
    NoThreads(#[source] io::Error),
}
