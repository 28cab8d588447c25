//! What comes out of a PGN, piece by piece.

use crate::GameResult;
use crate::san;

/// Something that comes next in a PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// A tag. The value is as it stands between the quotation marks: [`decode_tag`](super::decode_tag) decodes it.
    Tag {
        /// Its name.
        name: &'a [u8],
        /// Its value.
        value: &'a [u8],
    },
    /// A move.
    Move(SanToken<'a>),
    /// `--` or `Z0`: nobody moves.
    NullMove,
    /// A numeric annotation glyph; `!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6.
    Nag(u8),
    /// A comment, without its braces or its semicolon.
    Comment(&'a [u8]),
    /// `(`
    VariationStart,
    /// `)`
    VariationEnd,
    /// Something that cannot be read. Reading goes on behind it.
    Error(SyntaxError<'a>),
    /// The end of a game: it comes once for each. Without a result if the text has none.
    End(Option<GameResult>),
}

/// A move as it stands in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SanToken<'a> {
    /// The move that is meant.
    pub san: san::San,
    /// How it is written, with its `+` or `#`.
    pub text: &'a [u8],
}

/// What is wrong in a PGN, as syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SyntaxError<'a> {
    /// A word that is no move and nothing else that can stand there.
    Word(&'a [u8]),
    /// A tag that is not `[Name "value"]`.
    Tag(&'a [u8]),
    /// A comment that is not closed before the next game.
    UnclosedComment,
    /// A variation that is not closed before the game ends.
    UnclosedVariation,
    /// A `)` or `}` that closes nothing.
    Unopened(u8),
}
