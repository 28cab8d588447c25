//! Piece letters in different languages.

use std::fmt;
use std::str::FromStr;

use tabiya_board::Role;
use thiserror::Error;

/// The letters of pawn, knight, bishop, rook, queen and king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceLetters {
    language: &'static str,
    letters: [&'static str; 6],
}

/// The two-letter code of each language, and its letters from pawn to king.
const LANGUAGES: [(&str, [&str; 6]); 16] = [
    ("en", ["P", "N", "B", "R", "Q", "K"]),
    ("cs", ["P", "J", "S", "V", "D", "K"]),
    ("da", ["B", "S", "L", "T", "D", "K"]),
    ("de", ["B", "S", "L", "T", "D", "K"]),
    ("es", ["P", "C", "A", "T", "D", "R"]),
    ("fi", ["P", "R", "L", "T", "D", "K"]),
    ("fr", ["P", "C", "F", "T", "D", "R"]),
    ("hu", ["G", "H", "F", "B", "V", "K"]),
    ("it", ["P", "C", "A", "T", "D", "R"]),
    ("nl", ["O", "P", "L", "T", "D", "K"]),
    ("no", ["B", "S", "L", "T", "D", "K"]),
    ("pl", ["P", "S", "G", "W", "H", "K"]),
    ("pt", ["P", "C", "B", "T", "D", "R"]),
    ("ro", ["P", "C", "N", "T", "D", "R"]),
    ("ru", ["П", "К", "С", "Л", "Ф", "Кр"]),
    ("sv", ["B", "S", "L", "T", "D", "K"]),
];

impl PieceLetters {
    /// P N B R Q K.
    pub const ENGLISH: Self = Self {
        language: LANGUAGES[0].0,
        letters: LANGUAGES[0].1,
    };

    /// Returns whether these are the letters of the PGN standard.
    #[inline]
    pub(crate) fn is_english(&self) -> bool {
        std::ptr::eq(self.language, Self::ENGLISH.language)
    }

    /// Returns all known languages, English first.
    pub fn all() -> impl Iterator<Item = Self> {
        LANGUAGES
            .iter()
            .map(|&(language, letters)| Self { language, letters })
    }

    /// Returns the letters of a language, or the English ones if it is not known.
    pub(crate) fn of_language(code: &str) -> Self {
        let known = Self::all().find(|letters| letters.language.eq_ignore_ascii_case(code));
        known.unwrap_or(Self::ENGLISH)
    }

    /// Returns the codes of the languages in which a letter is a piece.
    pub fn languages_with(letter: char) -> Vec<&'static str> {
        let mut buffer = [0; 4];
        let text: &str = letter.encode_utf8(&mut buffer);
        Self::all()
            .filter(|letters| letters.role(text).is_some())
            .map(|letters| letters.language)
            .collect()
    }

    /// Returns the two-letter code of the language.
    pub const fn language(&self) -> &'static str {
        self.language
    }

    /// Returns the letter of a role.
    pub const fn letter(&self, role: Role) -> &'static str {
        self.letters[role.index()]
    }

    /// Returns the role whose letter a text starts with, and the length of that letter in bytes.
    pub fn role(&self, text: &str) -> Option<(Role, usize)> {
        // The longest match: in Russian, К is the knight and Кр the king.
        Role::ALL
            .into_iter()
            .map(|role| (role, self.letter(role)))
            .filter(|(_, letter)| text.starts_with(letter))
            .max_by_key(|(_, letter)| letter.len())
            .map(|(role, letter)| (role, letter.len()))
    }

    /// Returns a move in English letters with these letters instead.
    pub fn localize(&self, english: &str) -> String {
        if self.is_english() {
            return english.to_owned();
        }
        let mut local = String::with_capacity(english.len() + 2);
        for letter in english.chars() {
            match Role::from_char(letter).filter(|_| letter.is_ascii_uppercase()) {
                Some(role) => local.push_str(self.letter(role)),
                None => local.push(letter),
            }
        }
        local
    }
}

/// The text is not the code of a known language.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown language {code:?}: use one of {}", known())]
pub struct UnknownLanguageError {
    /// The unknown code.
    pub code: String,
}

fn known() -> String {
    LANGUAGES.map(|(language, _)| language).join(", ")
}

impl FromStr for PieceLetters {
    type Err = UnknownLanguageError;

    fn from_str(code: &str) -> Result<Self, UnknownLanguageError> {
        Self::all()
            .find(|letters| letters.language.eq_ignore_ascii_case(code))
            .ok_or_else(|| UnknownLanguageError {
                code: code.to_owned(),
            })
    }
}

/// Writes the letters: `P N B R Q K`.
impl fmt::Display for PieceLetters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, letter) in self.letters.iter().enumerate() {
            write!(f, "{}{letter}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
