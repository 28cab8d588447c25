//! Errors of games.

use tabiya_board::FenError;
use tabiya_board::unkeyed::Position;
use thiserror::Error;

use crate::pgn::event::SyntaxError;
use crate::pgn::text::decode;
use crate::san::SanError;

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind} (at byte {offset})")]
pub struct GameError {
    /// The number of bytes before the error.
    pub offset: usize,
    /// The kind of error.
    pub kind: GameErrorKind,
}

/// The kinds of error in a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameErrorKind {
    /// The text is not PGN.
    #[error("{0}")]
    Syntax(String),
    /// The FEN tag is not a position.
    #[error("invalid FEN tag: {0}")]
    Start(FenError),
    /// A move is not legal, or its piece letter is not known.
    #[error("{number}{} {text}: {reason}", if *white { "." } else { "..." })]
    Move {
        /// The number of the move.
        number: u16,
        /// Whether White moves.
        white: bool,
        /// The move as written.
        text: String,
        /// The reason.
        reason: SanError,
    },
    /// A variation before the first move.
    #[error("a variation must follow the move it replaces")]
    EarlyVariation,
    /// A null move on the main line, where it is not wanted.
    #[error("a null move is not a legal move")]
    NullMove,
    /// A null move in check.
    #[error("a null move is not allowed in check")]
    NullMoveInCheck,
    /// A game of another variant of chess; its name.
    #[error("this is a game of {0}, not of chess")]
    Variant(String),
    /// Too many variations are open.
    #[error("too many variations inside one another")]
    TooDeep,
    /// Too many moves, comments and tags for a game in memory.
    #[error("the game has more than {limit} moves and comments")]
    TooManyMoves {
        /// The most of them together.
        limit: usize,
    },
    /// A game larger than the reader was told to read.
    #[error("the game is larger than {} MB, the limit", limit.div_ceil(1_000_000))]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

impl GameErrorKind {
    /// Returns the error for a move of a position.
    #[cold]
    pub fn of_move(position: &Position, written: &[u8], reason: SanError) -> Self {
        Self::Move {
            number: position.fullmove_number(),
            white: position.turn().is_white(),
            text: shown(written),
            reason,
        }
    }
}

impl From<SyntaxError<'_>> for GameErrorKind {
    fn from(problem: SyntaxError<'_>) -> Self {
        Self::Syntax(match problem {
            SyntaxError::Word(word) => format!("{:?} is not a move", shown(word)),
            SyntaxError::Tag(tag) => {
                format!("{:?} is not a tag: write [Name \"value\"]", shown(tag))
            }
            SyntaxError::UnclosedComment => "this comment is never closed: add a }".to_owned(),
            SyntaxError::UnclosedVariation => "this variation is never closed: add a )".to_owned(),
            SyntaxError::Unopened(byte) => {
                format!("unexpected {}: nothing is open here", byte as char)
            }
        })
    }
}

/// Returns the start of a text, short enough for a sentence.
fn shown(bytes: &[u8]) -> String {
    let text = decode(bytes);
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}
