//! Are these moves legal? Boards and moves, one puzzle a line, checked on all cores.
//!
//! A line is a board, a colon and moves. The board is a list of `piece column row`, small letters for White, capitals for
//! Black, and a move is four numbers. White moves first. There is no castling, no en passant and no promotion.
//!
//! ```
//! use tabiya_classics::checker::verdict;
//!
//! let board = "k 4 4 r 8 2 B 1 1 K 4 7";
//! let answer = |moves: &str| verdict(format!("{board}: {moves}").as_bytes()).to_string();
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
pub use line::{Problem, Step, Verdict, verdict};
pub use stream::check;

/// What some editors put at the start of a file, which means nothing.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What was found in a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// All lines.
    pub lines: u64,
    /// The lines with a move that is not legal.
    pub illegal: u64,
    /// The lines that are not in the format.
    pub errors: u64,
}

impl Summary {
    fn count(&mut self, verdict: &Verdict) {
        self.lines += 1;
        match verdict {
            Verdict::Legal => {}
            Verdict::Illegal(_) => self.illegal += 1,
            Verdict::Error(_) => self.errors += 1,
        }
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.illegal += other.illegal;
        self.errors += other.errors;
    }
}

/// Why a file could not be checked to its end.
#[derive(Debug, Error)]
pub enum Failure {
    /// The input cannot be read.
    #[error("cannot read the lines: {0}")]
    Read(#[source] io::Error),
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[source] io::Error),
    /// The explanation cannot be written.
    #[error("cannot write the explanation: {0}")]
    Explain(#[source] io::Error),
    /// There are no threads to be had.
    #[error("the system gives no threads: try with one")]
    NoThreads(#[source] io::Error),
}
