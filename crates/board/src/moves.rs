//! Moves and lists of moves.

use core::fmt;
use core::ops::Deref;

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
pub struct Move(u16);

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

    /// Returns the role of the moving piece: the pawn for promotions, the king for castling.
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

/// Room for the moves of any position. No position of a game has more than 218.
const CAPACITY: usize = 256;

/// A list of moves on the stack. It dereferences to a slice.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; CAPACITY],
}

impl MoveList {
    /// Returns an empty list.
    #[inline]
    pub const fn new() -> Self {
        Self {
            len: 0,
            moves: [Move(0); CAPACITY],
        }
    }

    /// Appends a move.
    ///
    /// # Panics
    ///
    /// Panics if the list already has 256 moves, more than any position.
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
