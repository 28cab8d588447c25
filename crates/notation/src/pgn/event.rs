//! The events of a PGN reader.

use std::borrow::Cow;
use std::fmt;

use crate::GameResult;
use crate::san;

/// The next thing in a PGN.
#[derive(Clone, Copy, PartialEq, Eq)]
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SanToken<'a> {
    /// What it says.
    pub san: san::San,
    /// The text, with its `+` or `#`.
    pub text: &'a [u8],
}

/// A syntax error.
#[derive(Clone, Copy, PartialEq, Eq)]
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

/// The bytes of a file as text, where a derived `Debug` would print a list of numbers.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag { name, value } => f
                .debug_struct("Tag")
                .field("name", &text(name))
                .field("value", &text(value))
                .finish(),
            Self::Move(token) => f.debug_tuple("Move").field(token).finish(),
            Self::NullMove => f.write_str("NullMove"),
            Self::Nag(nag) => f.debug_tuple("Nag").field(nag).finish(),
            Self::Comment(comment) => f.debug_tuple("Comment").field(&text(comment)).finish(),
            Self::VariationStart => f.write_str("VariationStart"),
            Self::VariationEnd => f.write_str("VariationEnd"),
            Self::Error(error) => f.debug_tuple("Error").field(error).finish(),
            Self::End(result) => f.debug_tuple("End").field(result).finish(),
        }
    }
}

impl fmt::Debug for SanToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SanToken")
            .field("san", &self.san)
            .field("text", &text(self.text))
            .finish()
    }
}

impl fmt::Debug for SyntaxError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.debug_tuple("Word").field(&text(word)).finish(),
            Self::Tag(line) => f.debug_tuple("Tag").field(&text(line)).finish(),
            Self::UnclosedComment => f.write_str("UnclosedComment"),
            Self::UnclosedVariation => f.write_str("UnclosedVariation"),
            Self::Unopened(byte) => f.debug_tuple("Unopened").field(&(*byte as char)).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pgn::Reader;

    #[test]
    fn events_print_as_text() {
        let file = "[White \"Réti\"]\n\n1. Nf3 $1 {good} ) ?? *\n";
        let events: Vec<String> = Reader::new(file.as_bytes())
            .map(|event| format!("{event:?}"))
            .collect();
        assert_eq!(events[0], "Tag { name: \"White\", value: \"Réti\" }");
        assert!(events[1].ends_with("text: \"Nf3\" })"), "{}", events[1]);
        assert_eq!(events[2..4], ["Nag(1)", "Comment(\"good\")"]);
        assert_eq!(events[4], "Error(Unopened(')'))");
        assert_eq!(events.last().unwrap(), "End(Some(Unknown))");
    }
}
