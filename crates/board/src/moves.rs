//! Moves.

use core::fmt;

use crate::piece::Role;
use crate::position::CastlingSide;
use crate::square::Square;

/// The kind of a move; for ordinary moves, the role of the piece.
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

    /// The kind of a promotion to a role; to a queen if pawns cannot become this role.
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

/// The role of the piece by the kind of the move. A table, because from a `match` the compiler sometimes makes a jump
/// that the processor cannot predict.
const ROLES: [Role; 16] = {
    let mut roles = [Role::Pawn; 16];
    roles[MoveKind::Knight as usize] = Role::Knight;
    roles[MoveKind::Bishop as usize] = Role::Bishop;
    roles[MoveKind::Rook as usize] = Role::Rook;
    roles[MoveKind::Queen as usize] = Role::Queen;
    roles[MoveKind::King as usize] = Role::King;
    roles[MoveKind::Castling as usize] = Role::King;
    roles
};

/// A move, in two bytes: its squares, the role of the piece, and whether it is a special move.
///
/// A move does not know its board. On a board where it is illegal, [`Board::play`](crate::Board::play) panics,
/// [`Board::try_play`](crate::Board::try_play) returns an error, and the unchecked functions leave a meaningless board.
/// Castling is the king's move from its square to the one where it ends, also in Chess960.
///
/// Moves print as UCI writes them:
///
/// ```
/// use tabiya_board::{Board, Role, Square};
///
/// let board: Board = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
/// let promotion = board.legal_move(Square::A7, Square::A8, Some(Role::Queen)).unwrap();
/// assert_eq!(promotion.to_string(), "a7a8q");
/// let castling = board.legal_move(Square::E1, Square::H1, None).unwrap();
/// assert_eq!(castling.to_string(), "e1g1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub(crate) u16);

impl Move {
    #[inline(always)]
    pub(crate) const fn new(kind: MoveKind, from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// Returns the starting square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u32)
    }

    /// Returns the target square; for castling, where the king ends.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32 >> 6)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> MoveKind {
        MoveKind::from_bits(self.0 >> 12)
    }

    /// The index of the role of the piece, if the move is plain: no castling, no double push, no capture en passant,
    /// no promotion.
    #[inline(always)]
    pub(crate) const fn plain_role(self) -> Option<usize> {
        let kind = (self.0 >> 12) as usize;
        if kind <= MoveKind::King as usize {
            Some(kind)
        } else {
            None
        }
    }

    /// Returns the role of the moving piece: the pawn for promotions, the king for castling.
    #[inline]
    pub const fn role(self) -> Role {
        ROLES[(self.0 >> 12) as usize]
    }

    /// Returns the role that the pawn becomes, for promotions.
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

    /// Whether the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    /// Returns the side to which the king castles, for castling.
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

    /// Whether the move is a capture en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind(), MoveKind::EnPassant)
    }

    /// Whether the move is a pawn's move of two squares.
    #[inline]
    pub const fn is_double_push(self) -> bool {
        matches!(self.kind(), MoveKind::DoublePush)
    }

    /// Returns the sixteen bits of the move, for tables.
    ///
    /// ```
    /// use tabiya_board::{Board, Move};
    /// let mv = Board::start().legal_moves()[0];
    /// assert_eq!(Move::from_bits(mv.to_bits()), mv);
    /// ```
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Returns the move of the bits from [`to_bits`](Self::to_bits). Other bits give an arbitrary move: check it with
    /// [`Board::is_legal`](crate::unkeyed::Position::is_legal).
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        Self::new(
            MoveKind::from_bits(bits >> 12),
            Square::wrapping(bits as u32),
            Square::wrapping(bits as u32 >> 6),
        )
    }
}

/// Moves of one kind that differ by their target square: from one square, or by a fixed step.
///
/// The bits of a move are those of `first` plus `factor` times the index of its target.
#[derive(Clone, Copy)]
pub(crate) struct MovePattern {
    pub(crate) first: u16,
    pub(crate) factor: u16,
}

impl MovePattern {
    /// Moves from one square.
    #[inline(always)]
    pub(crate) const fn from(kind: MoveKind, from: Square) -> Self {
        Self {
            first: Move::new(kind, from, Square::A1).0,
            factor: 1 << 6,
        }
    }

    /// Moves from the square that is some squares before the target.
    #[inline(always)]
    pub(crate) const fn by_step(kind: MoveKind, step: i32) -> Self {
        Self {
            first: ((kind as u16) << 12).wrapping_sub(step as u16),
            factor: (1 << 6) + 1,
        }
    }

    /// The move to the square of an index. Larger indices give an arbitrary move.
    #[inline(always)]
    pub(crate) const fn to(self, index: u32) -> Move {
        Move(
            (index as u16)
                .wrapping_mul(self.factor)
                .wrapping_add(self.first),
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
