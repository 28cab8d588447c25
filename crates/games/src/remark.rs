//! What is odd about a game although it can be read.

use std::fmt;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Color, Outcome};
use tabiya_notation::GameResult;
use tabiya_notation::pgn::{decode_tag, result_in_tag};

use crate::check::GamePlace;

/// Something odd about a game that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// The tag and the moves disagree about the result.
    ConflictingResults {
        /// The value of the Result tag.
        tag: String,
        /// The result after the moves.
        after_moves: GameResult,
    },
    /// The last position decides the game in another way.
    WrongResult {
        /// Who is checkmated; `None` in stalemate.
        mated: Option<Color>,
        /// The result that the game gives.
        result: GameResult,
    },
    /// A comment contains a comment.
    NestedComment,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ConflictingResults { tag, after_moves } => {
                write!(
                    f,
                    "the Result tag says {tag}, but the moves end with {after_moves}"
                )
            }
            Self::WrongResult {
                mated: Some(color),
                result,
            } => write!(f, "{color} is checkmated, but the result is {result}"),
            Self::WrongResult {
                mated: None,
                result,
            } => write!(f, "the game ends in stalemate, but the result is {result}"),
            Self::NestedComment => f.write_str(
                "this comment contains a comment: other programs may end it at the first }",
            ),
        }
    }
}

/// A remark about a game, and where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRemark {
    /// The game, and the place of what is odd.
    pub place: GamePlace,
    /// What is odd.
    pub remark: Remark,
}

/// What is known of a game while it is replayed.
#[derive(Default)]
pub(crate) struct RemarkFinder<'a> {
    result_tag: Option<&'a [u8]>,
    /// Checkmate or stalemate, if the last position is one of the two.
    over: Option<Outcome>,
    nested: Option<&'a [u8]>,
}

impl<'a> RemarkFinder<'a> {
    pub(crate) fn tag(&mut self, name: &[u8], value: &'a [u8]) {
        if name == b"Result" {
            self.result_tag.get_or_insert(value);
        }
    }

    pub(crate) fn end_moves(&mut self, last: &Position) {
        if !last.has_legal_move() {
            self.over = Some(if last.is_check() {
                Outcome::Checkmate {
                    winner: !last.turn(),
                }
            } else {
                Outcome::Stalemate
            });
        }
    }

    #[inline]
    pub(crate) fn comment(&mut self, comment: &'a [u8]) {
        if memchr::memchr(b'}', comment).is_some() {
            self.nested.get_or_insert(comment);
        }
    }

    /// Returns the remarks and their offsets in the text. The game ends at `end`.
    pub(crate) fn remarks(
        self,
        text: &[u8],
        after_moves: Option<GameResult>,
        end: usize,
    ) -> impl Iterator<Item = (usize, Remark)> {
        let known =
            |result: Option<GameResult>| result.filter(|&result| result != GameResult::Unknown);
        let after_moves = known(after_moves);
        let tag = self.result_tag.map(decode_tag);
        let in_tag = tag.as_deref().map_or(Ok(None), result_in_tag);
        let contradicts = |result: &GameResult| match &in_tag {
            Ok(tag) => tag.is_some_and(|tag| tag != *result),
            Err(_) => true,
        };
        let results = after_moves.filter(contradicts).map(|after_moves| {
            let tag = tag.as_deref().unwrap_or_default();
            let tag = tag.chars().take(20).collect();
            (end, Remark::ConflictingResults { tag, after_moves })
        });
        let result = after_moves.or(known(in_tag.ok().flatten()));
        let scored = self.over.zip(result).and_then(|(outcome, result)| {
            let mated = outcome.winner().map(|winner| !winner);
            let right = GameResult::from_winner(outcome.winner());
            (result != right).then_some((end, Remark::WrongResult { mated, result }))
        });
        let nested = self.nested.and_then(|comment| {
            // A comment after a semicolon may contain braces.
            let start = comment.as_ptr() as usize - text.as_ptr() as usize - 1;
            (text.get(start) == Some(&b'{')).then_some((start, Remark::NestedComment))
        });
        nested.into_iter().chain(results).chain(scored)
    }
}
