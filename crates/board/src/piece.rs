//! Colours, roles and pieces.

use core::fmt;
use core::ops::Not;
use core::str::FromStr;

use crate::square::Rank;

/// A text that is not the name of a colour, a role, a piece, a file, a rank or a castling side. It prints as a sentence
/// that says what is expected.
///
/// ```
/// use tabiya_board::Role;
/// let error = "horse".parse::<Role>().unwrap_err();
/// assert_eq!(error.to_string(), "a role is a name such as knight, or a letter of pnbrqk");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseNameError(pub(crate) &'static str);

impl fmt::Display for ParseNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for ParseNameError {}

/// The only character of a text.
pub(crate) fn single_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// White or Black.
///
/// A colour is read from its name or, as in FEN, from its first letter:
///
/// ```
/// use tabiya_board::Color;
/// assert_eq!("White".parse(), Ok(Color::White));
/// assert_eq!("b".parse(), Ok(Color::Black));
/// assert_eq!(Color::Black.to_string(), "Black");
/// assert_eq!(Color::Black.char(), 'b');
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Returns 0 for White and 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether the colour is White.
    #[inline]
    pub const fn is_white(self) -> bool {
        matches!(self, Self::White)
    }

    /// Returns the colour of a letter: `w` or `b`, small or capital.
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'w' | 'W' => Some(Self::White),
            'b' | 'B' => Some(Self::Black),
            _ => None,
        }
    }

    /// Returns the small first letter, as FEN writes the side to move.
    #[inline]
    pub const fn char(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// Returns the name in small letters, as in data for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// Returns the nth rank as this side counts them: its own back rank is the first.
    ///
    /// ```
    /// use tabiya_board::{Color, Rank};
    /// assert_eq!(Color::Black.relative_rank(Rank::Second), Rank::Seventh);
    /// ```
    #[inline]
    pub const fn relative_rank(self, nth: Rank) -> Rank {
        Rank::wrapping(nth.index() ^ (self.index() * 7))
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// Reads a name or a first letter, small or capital.
impl FromStr for Color {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        let named = Self::ALL
            .into_iter()
            .find(|color| text.eq_ignore_ascii_case(color.name()));
        named
            .or_else(|| Self::from_char(single_char(text)?))
            .ok_or(ParseNameError("a colour is white or black, or w or b"))
    }
}

/// The kind of a piece, without its colour.
///
/// ```
/// use tabiya_board::Role;
/// assert_eq!("knight".parse(), Ok(Role::Knight));
/// assert_eq!("N".parse(), Ok(Role::Knight));
/// assert_eq!(Role::Knight.to_string(), "knight");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// From the pawn to the king.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// The roles that a pawn can become, the queen first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// Returns 0 for the pawn to 5 for the king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the role of an English piece letter, small or capital.
    ///
    /// ```
    /// use tabiya_board::Role;
    /// assert_eq!(Role::from_char('N'), Some(Role::Knight));
    /// ```
    pub const fn from_char(letter: char) -> Option<Self> {
        Some(match letter {
            'p' | 'P' => Self::Pawn,
            'n' | 'N' => Self::Knight,
            'b' | 'B' => Self::Bishop,
            'r' | 'R' => Self::Rook,
            'q' | 'Q' => Self::Queen,
            'k' | 'K' => Self::King,
            _ => return None,
        })
    }

    /// Returns the small English letter.
    #[inline]
    pub const fn char(self) -> char {
        b"pnbrqk"[self as usize] as char
    }

    /// Returns the capital English letter.
    #[inline]
    pub const fn upper_char(self) -> char {
        b"PNBRQK"[self as usize] as char
    }

    /// Returns the English name, such as `knight`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads an English name or letter, small or capital.
impl FromStr for Role {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        let named = Self::ALL
            .into_iter()
            .find(|role| text.eq_ignore_ascii_case(role.name()));
        named
            .or_else(|| Self::from_char(single_char(text)?))
            .ok_or(ParseNameError(
                "a role is a name such as knight, or a letter of pnbrqk",
            ))
    }
}

/// A role with a colour.
///
/// A piece prints in words, and is read from words or from its FEN letter:
///
/// ```
/// use tabiya_board::{Color, Piece, Role};
/// let knight = Piece::new(Color::Black, Role::Knight);
/// assert_eq!(knight.char(), 'n');
/// assert_eq!(Piece::from_char('n'), Some(knight));
/// assert_eq!("n".parse(), Ok(knight));
/// assert_eq!(knight.to_string(), "Black knight");
/// assert_eq!("Black knight".parse(), Ok(knight));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The side that it belongs to.
    pub color: Color,
    /// The kind of piece.
    pub role: Role,
}

impl Piece {
    /// Returns the piece of a colour and role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self { color, role }
    }

    /// Returns the piece of a FEN letter; capital letters are White.
    pub const fn from_char(letter: char) -> Option<Self> {
        match Role::from_char(letter) {
            Some(role) if letter.is_ascii_uppercase() => Some(Self::new(Color::White, role)),
            Some(role) => Some(Self::new(Color::Black, role)),
            None => None,
        }
    }

    /// Returns the FEN letter; capital letters are White.
    #[inline]
    pub const fn char(self) -> char {
        match self.color {
            Color::White => self.role.upper_char(),
            Color::Black => self.role.char(),
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.role)
    }
}

/// Reads a FEN letter, or a colour and a role such as `Black knight`.
impl FromStr for Piece {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        let in_words = || {
            let (color, role) = text.split_once(' ')?;
            Some(Self::new(color.parse().ok()?, role.parse().ok()?))
        };
        single_char(text)
            .and_then(Self::from_char)
            .or_else(in_words)
            .ok_or(ParseNameError(
                "a piece is a letter of PNBRQK or pnbrqk, or a colour and a role such as black knight",
            ))
    }
}
