//! Why a game cannot be read.

use tabiya_board::FenError;
use thiserror::Error;

use crate::pgn::reader::Problem;
use crate::pgn::text::text;
use crate::san::{Dialect, San, SanError};

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError {
    /// The number of bytes before the place in the text.
    pub offset: usize,
    /// What is wrong there.
    pub problem: GameProblem,
}

/// What can be wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameProblem {
    /// The text is not PGN there.
    #[error("{0}")]
    Syntax(String),
    /// The FEN tag is no position.
    #[error("the FEN tag is wrong: {0}")]
    Start(FenError),
    /// A move is not legal.
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

impl From<Problem<'_>> for GameProblem {
    fn from(problem: Problem<'_>) -> Self {
        let shown = |bytes: &[u8]| {
            let text = text(bytes);
            let short: String = text.chars().take(40).collect();
            if short.len() < text.len() {
                format!("{short}…")
            } else {
                short
            }
        };
        Self::Syntax(match problem {
            Problem::Word(word) => match San::read(&text(word), Dialect::Import) {
                // Where only the letter is wrong, those that are known help.
                Err(reason @ SanError::UnknownPiece { .. }) if ends_in_square(word) => {
                    format!("{:?} is no move: {reason}", shown(word))
                }
                _ => format!("{:?} is no move", shown(word)),
            },
            Problem::Tag(tag) => format!("{:?} is no tag: a tag is [Name \"value\"]", shown(tag)),
            Problem::UnclosedComment => "a comment is opened with { and never closed".to_owned(),
            Problem::UnclosedVariation => {
                "a variation is opened with ( and never closed".to_owned()
            }
            Problem::Unopened(byte) => format!("{} closes nothing", byte as char),
        })
    }
}

/// Whether a word ends in a square, as moves do, but for what may follow it.
fn ends_in_square(word: &[u8]) -> bool {
    let rank = word.iter().rposition(|byte| matches!(byte, b'1'..=b'8'));
    rank.is_some_and(|rank| rank > 0 && matches!(word[rank - 1], b'a'..=b'h'))
}
