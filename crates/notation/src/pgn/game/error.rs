//! Why a game cannot be read.

use tabiya_board::FenError;
use tabiya_board::unkeyed::Position;
use thiserror::Error;

use crate::pgn::event::SyntaxError;
use crate::pgn::text::decode;
use crate::san::SanError;

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind} (after {offset} bytes)")]
pub struct GameError {
    /// The number of bytes before the place in the text.
    pub offset: usize,
    /// What is wrong there.
    pub kind: GameErrorKind,
}

/// What can be wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameErrorKind {
    /// The text is not PGN there.
    #[error("{0}")]
    Syntax(String),
    /// The FEN tag is no position.
    #[error("the FEN tag is wrong: {0}")]
    Start(FenError),
    /// A move is not legal, or written with letters that are not known.
    #[error("{number}{} {text}: {reason}", if *white { "." } else { "..." })]
    Move {
        /// The number of the move.
        number: u16,
        /// Whether White moves.
        white: bool,
        /// How it is written.
        text: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// A variation before there is a move that it could replace.
    #[error("a variation stands before the first move")]
    EarlyVariation,
    /// A null move of a side that is in check.
    #[error("a side that is in check cannot pass")]
    NullMoveInCheck,
}

impl GameErrorKind {
    /// What is wrong with a move of a position, with its number.
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
            SyntaxError::Word(word) => format!("{:?} is no move", shown(word)),
            SyntaxError::Tag(tag) => {
                format!("{:?} is no tag: a tag is [Name \"value\"]", shown(tag))
            }
            SyntaxError::UnclosedComment => {
                "a comment is opened with { and never closed".to_owned()
            }
            SyntaxError::UnclosedVariation => {
                "a variation is opened with ( and never closed".to_owned()
            }
            SyntaxError::Unopened(byte) => format!("{} closes nothing", byte as char),
        })
    }
}

/// As much of a text as a sentence can hold.
fn shown(bytes: &[u8]) -> String {
    let text = decode(bytes);
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}
