//! What comes out of a PGN, piece by piece.

use crate::san;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl GameResult {
    /// As PGN writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

/// Something that comes next in a PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// A tag. The value is as it stands between the quotation marks: [`tag_value`](super::tag_value) decodes it.
    Tag {
        /// Its name.
        name: &'a [u8],
        /// Its value.
        value: &'a [u8],
    },
    /// A move.
    Move(San<'a>),
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
    Problem(Problem<'a>),
    /// The end of a game: it comes once for each. Without a result if the text has none.
    End(Option<GameResult>),
}

/// A move as it stands in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San<'a> {
    /// The move that is meant.
    pub san: san::San,
    /// How it is written, with its `+` or `#`.
    pub text: &'a [u8],
}

/// What is wrong in a PGN, as syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem<'a> {
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
