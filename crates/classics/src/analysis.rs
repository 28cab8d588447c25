//! Reads a game, says how it stands (mate, stalemate, incomplete or wrong), and suggests a move.
//!
//! ```
//! use tabiya_classics::analysis::{GameStatus, read_game};
//!
//! let game = read_game(&mut "f3 e5 g4 Qh4\n".as_bytes())?.unwrap();
//! assert_eq!(GameStatus::of(game.board()).to_string(), "black wins by checkmate");
//!
//! let error = read_game(&mut "e4 d5 ed5\n".as_bytes())?.unwrap_err();
//! assert_eq!(error.to_string(), "parse error at character 'd'");
//! # Ok::<(), std::io::Error>(())
//! ```

mod read;
mod suggest;

use std::fmt;

use tabiya_board::{Board, Color};

pub use read::{MoveListError, read_game};
pub use suggest::{DEFAULT_NODES, Suggestion, suggest};

/// How a game stands. Its `Display` is the line that the program prints.
///
/// Repetition, the fifty-move rule and bare kings don't end a game here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameStatus {
    /// The side to move is checkmated.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Anything else.
    Incomplete,
}

impl GameStatus {
    /// Returns the status of a position.
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

impl fmt::Display for GameStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Checkmate { winner } => write!(f, "{} wins by checkmate", player(winner)),
            Self::Stalemate => f.write_str("draw by stalemate"),
            Self::Incomplete => f.write_str("game incomplete"),
        }
    }
}

/// Returns the word for a side.
const fn player(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
