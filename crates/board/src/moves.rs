//! Moves and lists of moves.

use core::fmt;
use core::ops::Deref;

use crate::piece::Role;
use crate::position::CastlingSide;
use crate::square::Square;

/// What kind of move it is; for ordinary moves, what moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum MoveKind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    DoublePush,
    EnPassant,
    Castling,
    ToKnight,
    ToBishop,
    ToRook,
    ToQueen,
}

impl MoveKind {
    #[inline(always)]
    const fn from_bits(bits: u16) -> Self {
        match bits & 15 {
            0 => Self::Pawn,
            1 => Self::Knight,
            2 => Self::Bishop,
            3 => Self::Rook,
            4 => Self::Queen,
            5 => Self::King,
            6 => Self::DoublePush,
            7 => Self::EnPassant,
            8 => Self::Castling,
            9 => Self::ToKnight,
            10 => Self::ToBishop,
            11 => Self::ToRook,
            _ => Self::ToQueen,
        }
    }

    /// The kind of an ordinary move of a role.
    #[inline]
    pub(crate) const fn of(role: Role) -> Self {
        Self::from_bits(role as u16)
    }

    /// The kind of a promotion to a role; a queen's where the role is none to promote to.
    #[inline]
    pub(crate) const fn promotion(role: Role) -> Self {
        match role {
            Role::Knight => Self::ToKnight,
            Role::Bishop => Self::ToBishop,
            Role::Rook => Self::ToRook,
            _ => Self::ToQueen,
        }
    }
}

/// A move of one piece from one square to another, in two bytes.
///
/// It also knows what moves and what is special about it, but not on which board: playing it on another board than
/// the one it comes from is refused (or, with the unchecked functions, gives a meaningless board).
/// Castling goes from the king's square to the square where the king ends, in Chess960 too.
///
/// It prints as UCI writes it: `e2e4`, `e7e8q`, `e1g1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub(crate) const fn new(kind: MoveKind, from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// Where it starts.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// Where it ends (for castling: the king).
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32 >> 6)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> MoveKind {
        MoveKind::from_bits(self.0 >> 12)
    }

    /// What moves: for a promotion the pawn, for castling the king.
    #[inline]
    pub const fn role(self) -> Role {
        match self.kind() {
            MoveKind::Knight => Role::Knight,
            MoveKind::Bishop => Role::Bishop,
            MoveKind::Rook => Role::Rook,
            MoveKind::Queen => Role::Queen,
            MoveKind::King | MoveKind::Castling => Role::King,
            _ => Role::Pawn,
        }
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::ToKnight => Some(Role::Knight),
            MoveKind::ToBishop => Some(Role::Bishop),
            MoveKind::ToRook => Some(Role::Rook),
            MoveKind::ToQueen => Some(Role::Queen),
            _ => None,
        }
    }

    /// Whether it is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    /// The side to which it castles, if it does.
    #[inline]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        if !self.is_castling() {
            return None;
        }
        if self.to().file().index() == CastlingSide::KingSide.king_file().index() {
            Some(CastlingSide::KingSide)
        } else {
            Some(CastlingSide::QueenSide)
        }
    }

    /// Whether it is a capture en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind(), MoveKind::EnPassant)
    }

    /// Whether it is a pawn's step of two squares.
    #[inline]
    pub const fn is_double_push(self) -> bool {
        matches!(self.kind(), MoveKind::DoublePush)
    }

    /// The sixteen bits of the move, for tables that store it.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move of sixteen bits that [`to_bits`](Self::to_bits) gave. Any other bits give some move or other, which a
    /// board refuses unless it happens to be legal there: ask [`Board::is_legal`](crate::unkeyed::Position::is_legal).
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Self::new(
            MoveKind::from_bits(bits >> 12),
            Square::wrapping(bits as u32),
            Square::wrapping(bits as u32 >> 6),
        )
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.kind())
    }
}

/// Room for the moves of any position (none that can come from a game has more than 218).
const CAPACITY: usize = 256;

/// A list of moves that lives on the stack. It reads like a slice.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; CAPACITY],
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self {
            len: 0,
            moves: [Move(0); CAPACITY],
        }
    }

    /// Puts a move at the end.
    ///
    /// # Panics
    ///
    /// If there are 256 in it already, more than any position has.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = core::iter::Take<core::array::IntoIter<Move, CAPACITY>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
