//! The verdict on a game: mate, stalemate, still going on, or what is wrong with it; and a move to go on with.
//!
//! ```
//! use tabiya_classics::analysis::{Verdict, read};
//!
//! let line = read(&mut "f3 e5 g4 Qh4\n".as_bytes())?.unwrap();
//! assert_eq!(Verdict::of(line.board()).to_string(), "black wins by checkmate");
//!
//! let fault = read(&mut "e4 d5 ed5\n".as_bytes())?.unwrap_err();
//! assert_eq!(fault.to_string(), "parse error at character 'd'");
//! # Ok::<(), std::io::Error>(())
//! ```

mod read;
mod suggest;

use std::fmt;

use tabiya_board::{Board, Color};

pub use read::{Fault, read};
pub use suggest::{Suggestion, USUAL_NODES, suggest};

/// How a game stands. It prints as the line that the program answers with.
///
/// Neither repetitions nor the fifty-move rule nor bare kings end a game here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move is mated.
    Checkmate {
        /// The other side.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Anything else.
    Incomplete,
}

impl Verdict {
    /// The verdict on a position.
    pub fn of(board: &Board) -> Self {
        if board.is_checkmate() {
            Self::Checkmate {
                winner: !board.turn(),
            }
        } else if board.is_stalemate() {
            Self::Stalemate
        } else {
            Self::Incomplete
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Checkmate { winner } => write!(f, "{} wins by checkmate", player(winner)),
            Self::Stalemate => f.write_str("draw by stalemate"),
            Self::Incomplete => f.write_str("game incomplete"),
        }
    }
}

/// The word for a side.
const fn player(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
