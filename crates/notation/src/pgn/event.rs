//! The events of a PGN reader.

use crate::GameResult;
use crate::san;

/// The next thing in a PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A tag. Its value is what is between the quotation marks: [`decode_tag`](super::decode_tag) turns it into text.
    Tag {
        /// Its name.
        name: &'a [u8],
        /// Its value.
        value: &'a [u8],
    },
    /// A move.
    Move(SanToken<'a>),
    /// A null move, `--` or `Z0`.
    NullMove,
    /// A numeric annotation glyph; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    Nag(u8),
    /// A comment, without its braces or its semicolon.
    Comment(&'a [u8]),
    /// `(`
    VariationStart,
    /// `)`
    VariationEnd,
    /// Something that cannot be read. The next event is what follows it.
    Error(SyntaxError<'a>),
    /// The end of a game, with its result if there is one. Every game has exactly one end.
    End(Option<GameResult>),
}

/// A move in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SanToken<'a> {
    /// What it says.
    pub san: san::San,
    /// The text, with its `+` or `#`.
    pub text: &'a [u8],
}

/// A syntax error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SyntaxError<'a> {
    /// A word that means nothing in PGN.
    Word(&'a [u8]),
    /// A line that starts like a tag but is not `[Name "value"]`.
    Tag(&'a [u8]),
    /// A comment that is still open where the next game starts.
    UnclosedComment,
    /// A variation that is still open where the game ends.
    UnclosedVariation,
    /// A `)` or `}` without its opening counterpart.
    Unopened(u8),
}
