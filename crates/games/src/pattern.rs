//! Patterns that positions match: material, pawn structures, pieces on squares, endings.
//!
//! `docs/archive.md` describes the language.

mod ending;
mod material;
mod squares;

use std::str::FromStr;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Color, Piece, Role, Square};
use thiserror::Error;

use material::Count;

pub use material::material;
pub use squares::pawn_structure;

/// A pattern that positions match or don't.
///
/// As text it is pieces on squares, or begins with `material`, `pawns` or `ending` and means what the functions of these
/// names mean.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_games::Pattern;
///
/// let board: Board = "3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".parse()?;
/// for text in [
///     "white: Kg1 pawns f2 g2 h2",
///     "*/*ppp/*/*/*/*/*PPP/*K?",
///     "material KRPPPkrppp",
///     "material KRP+vKRP+",
///     "pawns f2 g2 h2 black: f7 g7 h7",
///     "ending rook",
/// ] {
///     assert!(text.parse::<Pattern>()?.matches(&board), "{text}");
/// }
/// assert!(!Pattern::ending("queen ending")?.matches(&board));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// One of these must hold.
    alternatives: Vec<Conditions>,
}

/// Why a text is not a pattern, in a sentence that names the word.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PatternError(String);

impl PatternError {
    fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// What must hold at the same time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Conditions {
    /// A piece of this kind is on one of these squares.
    present: Vec<(Piece, Bitboard)>,
    /// No piece of this kind is on any of these squares.
    absent: Vec<(Piece, Bitboard)>,
    empty: Bitboard,
    turn: Option<Color>,
    /// The pieces of White and of Black.
    counts: Option<[Count; 2]>,
    bishops: Option<Bishops>,
}

/// Whether the two sides' single bishops are on the same colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bishops {
    SameColor,
    OppositeColors,
}

impl Pattern {
    /// Reads pieces on squares: a board as in a FEN with `?` and `*` for anything, or a list such as
    /// `white: Kg1 pawns f2 g2 h2`. After `either:` the pattern may also stand with the colours exchanged.
    pub fn pieces(text: &str) -> Result<Self, PatternError> {
        squares::pieces(text)
    }

    /// Reads a pawn structure: a board with nothing but pawns, as [`pawn_structure`] writes it, a list of squares, or a
    /// name. All pawns count, and no other pieces.
    pub fn pawns(text: &str) -> Result<Self, PatternError> {
        squares::pawns(text)
    }

    /// Reads material: `KRPkrp` with the colours of FEN, or `KRPvKR` for either colour. After a piece, `*` means any
    /// number of it, `+` one or more, and `?` one or none.
    pub fn material(text: &str) -> Result<Self, PatternError> {
        material::parse(text)
    }

    /// Reads the name of an ending, such as `rook ending`, `queen vs rook` or `opposite-coloured bishops`.
    pub fn ending(text: &str) -> Result<Self, PatternError> {
        ending::parse(text)
    }

    /// Whether a position matches.
    pub fn matches(&self, position: &Position) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|conditions| conditions.hold(position))
    }

    fn of(conditions: Conditions) -> Self {
        Self {
            alternatives: vec![conditions],
        }
    }

    /// For either colour.
    fn of_either(conditions: Conditions) -> Self {
        let mirrored = conditions.mirrored();
        let mut pattern = Self::of(conditions);
        if pattern.alternatives[0] != mirrored {
            pattern.alternatives.push(mirrored);
        }
        pattern
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match first {
            "material" => Self::material(rest),
            "pawns" => Self::pawns(rest),
            "ending" => Self::ending(rest),
            _ => Self::pieces(text),
        }
    }
}

impl Conditions {
    fn hold(&self, position: &Position) -> bool {
        let is_on = |&(piece, squares): &(Piece, Bitboard)| {
            position.pieces(piece.color, piece.role).intersects(squares)
        };
        self.turn.is_none_or(|turn| turn == position.turn())
            && !position.occupied().intersects(self.empty)
            && self.present.iter().all(is_on)
            && !self.absent.iter().any(is_on)
            && self.counts.as_ref().is_none_or(|counts| {
                let mut sides = counts.iter().zip(Color::ALL);
                sides.all(|(count, color)| count.allows(position, color))
            })
            && self
                .bishops
                .is_none_or(|bishops| bishops.stand_in(position))
    }

    /// The same with the colours exchanged.
    fn mirrored(&self) -> Self {
        let flip = |squares: Bitboard| Bitboard(squares.0.swap_bytes());
        let mirror = |pieces: &[(Piece, Bitboard)]| -> Vec<_> {
            let pieces = pieces.iter();
            pieces
                .map(|&(piece, squares)| (Piece::new(!piece.color, piece.role), flip(squares)))
                .collect()
        };
        Self {
            present: mirror(&self.present),
            absent: mirror(&self.absent),
            empty: flip(self.empty),
            turn: self.turn.map(|turn| !turn),
            counts: self.counts.map(|[white, black]| [black, white]),
            bishops: self.bishops,
        }
    }
}

impl Bishops {
    fn stand_in(self, position: &Position) -> bool {
        let squares = Color::ALL.map(|color| {
            position
                .pieces(color, Role::Bishop)
                .first()
                .map(Square::is_light)
        });
        match squares {
            [Some(white), Some(black)] => (white == black) == (self == Self::SameColor),
            _ => false,
        }
    }
}
