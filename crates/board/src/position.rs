//! A position: the pieces, whose turn it is, what may still be castled, and the clocks.

use core::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::placement::Placement;
use crate::setup::Setup;
use crate::side::Side;
use crate::square::{File, Rank, Square};

/// The two sides to which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file: the king ends on the g-file.
    KingSide,
    /// Towards the a-file: the king ends on the c-file.
    QueenSide,
}

impl CastlingSide {
    /// The king's side, then the queen's.
    pub const ALL: [Self; 2] = [Self::KingSide, Self::QueenSide];

    /// The file on which the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::KingSide => File::G,
            Self::QueenSide => File::C,
        }
    }

    /// The file on which the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::KingSide => File::F,
            Self::QueenSide => File::D,
        }
    }

    /// Whether a king and a rook that castle to this side stand where they do at the start of usual chess, not of some
    /// other start of Chess960.
    #[inline]
    pub const fn is_standard(self, king: Square, rook: Square) -> bool {
        let corner = match self {
            Self::KingSide => File::H,
            Self::QueenSide => File::A,
        };
        king.file().index() == File::E.index() && rook.file().index() == corner.index()
    }
}

/// The rooks with which each side may still castle: a bit for each file of the back rank, Black's in the low byte.
///
/// In this order the rank 8 and rank 1 of a set of squares come together when it is rotated by eight bits, so that a
/// move takes away the rights of both its squares in one step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct CastlingRights(pub(crate) u16);

impl CastlingRights {
    /// All rights of a side.
    #[inline(always)]
    pub(crate) const fn all<S: Side>() -> u16 {
        if S::WHITE { 0xff00 } else { 0x00ff }
    }

    /// The rights of rooks on these squares.
    #[inline]
    pub(crate) const fn of(rooks: u64) -> u16 {
        rooks.rotate_left(8) as u16
    }

    /// The files of the rooks with which a side may castle.
    #[inline(always)]
    pub(crate) const fn files(self, color: Color) -> u8 {
        match color {
            Color::White => (self.0 >> 8) as u8,
            Color::Black => self.0 as u8,
        }
    }

    /// The files of those on one side of the king.
    #[inline(always)]
    pub(crate) const fn rook(self, color: Color, king: Square, side: CastlingSide) -> u8 {
        let file = king.index() & 7;
        let side_files = match side {
            CastlingSide::KingSide => (0xfe_u32 << file) as u8,
            CastlingSide::QueenSide => ((1_u32 << file) - 1) as u8,
        };
        self.files(color) & side_files
    }
}

/// A position that can be on a board: one king a side, the side that has just moved not in check, and so on.
///
/// It holds all that the rules need for the next move and nothing else, in 56 bytes. [`Board`](crate::Board) is the
/// same with a key for tables and repetitions; use that unless the key is too dear.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Pawns, knights, diagonal movers (bishops and queens), straight movers (rooks and queens); of both colours.
    pub(crate) movers: [u64; 4],
    /// White's and Black's pieces.
    pub(crate) colors: [u64; 2],
    pub(crate) kings: [Square; 2],
    pub(crate) castling: CastlingRights,
    /// The index of the square behind a pawn that has just made a double step next to an enemy pawn, or 0.
    pub(crate) en_passant: u8,
    pub(crate) halfmove_clock: u8,
    /// Half-moves since the start of the game; odd when Black is to move.
    pub(crate) ply: u16,
}

pub(crate) const PAWNS: usize = 0;
pub(crate) const KNIGHTS: usize = 1;
pub(crate) const DIAGONAL: usize = 2;
pub(crate) const STRAIGHT: usize = 3;

impl Position {
    /// Whose turn it is.
    #[inline]
    pub const fn turn(&self) -> Color {
        if self.ply & 1 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The squares with pieces on them.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0] | self.colors[1])
    }

    /// The squares with pieces of a colour.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        Bitboard(self.colors[color.index()])
    }

    /// The squares with pieces of a role, of both colours.
    #[inline]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        let [pawns, knights, diagonal, straight] = self.movers;
        Bitboard(match role {
            Role::Pawn => pawns,
            Role::Knight => knights,
            Role::Bishop => diagonal & !straight,
            Role::Rook => straight & !diagonal,
            Role::Queen => diagonal & straight,
            Role::King => 1 << self.kings[0].index() | 1 << self.kings[1].index(),
        })
    }

    /// The squares with a piece of this colour and role.
    #[inline]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.by_role(role).0 & self.by_color(color).0)
    }

    /// Bishops and queens, of both colours.
    #[inline]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.movers[DIAGONAL])
    }

    /// Rooks and queens, of both colours.
    #[inline]
    pub const fn orthogonal_sliders(&self) -> Bitboard {
        Bitboard(self.movers[STRAIGHT])
    }

    /// Where a side's king is.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// What stands on a square, whatever its colour.
    #[inline]
    pub const fn role_at(&self, square: Square) -> Option<Role> {
        let bit = 1 << square.index();
        if self.occupied().0 & bit == 0 {
            return None;
        }
        Some(self.role_of(bit))
    }

    /// The role of the piece on an occupied square, given as its bit.
    #[inline(always)]
    pub(crate) const fn role_of(&self, bit: u64) -> Role {
        let [pawns, knights, diagonal, straight] = self.movers;
        if pawns & bit != 0 {
            Role::Pawn
        } else if knights & bit != 0 {
            Role::Knight
        } else if diagonal & bit != 0 {
            if straight & bit != 0 {
                Role::Queen
            } else {
                Role::Bishop
            }
        } else if straight & bit != 0 {
            Role::Rook
        } else {
            Role::King
        }
    }

    /// Whose piece stands on a square.
    #[inline]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        let bit = 1 << square.index();
        if self.colors[0] & bit != 0 {
            Some(Color::White)
        } else if self.colors[1] & bit != 0 {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The piece on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        match (self.color_at(square), self.role_at(square)) {
            (Some(color), Some(role)) => Some(Piece::new(color, role)),
            _ => None,
        }
    }

    /// The rook with which a side may still castle to a side, if it may; whether it may now is another question.
    #[inline]
    pub const fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let files = self.castling.rook(color, king, side);
        if files == 0 {
            return None;
        }
        let file = File::wrapping(files.trailing_zeros() as usize);
        Some(Square::new(file, color.relative_rank(Rank::First)))
    }

    /// The squares of all rooks with which either side may still castle.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        Bitboard((self.castling.0 as u64).rotate_right(8))
    }

    /// The square a pawn has just passed over, if a pawn stands ready to capture it there.
    ///
    /// Where none does, a position does not remember the double step: it makes no difference to what may be played.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        match self.en_passant {
            0 => None,
            square => Some(Square::wrapping(square as u32)),
        }
    }

    /// Half-moves since the last capture or pawn move. It stops counting at 255, long after the rules end a game.
    #[inline]
    pub const fn halfmove_clock(&self) -> u8 {
        self.halfmove_clock
    }

    /// The number of the move to come, counted from 1 and after Black's moves.
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.ply / 2 + 1
    }

    /// The pieces alone.
    pub fn placement(&self) -> Placement {
        let mut placement = Placement::EMPTY;
        for color in Color::ALL {
            for role in Role::ALL {
                for square in self.pieces(color, role) {
                    placement.put(square, Piece::new(color, role));
                }
            }
        }
        placement
    }

    /// The position taken apart, to be changed and put together again.
    pub fn setup(&self) -> Setup {
        Setup {
            pieces: self.placement(),
            turn: self.turn(),
            castling_rooks: self.castling_rooks(),
            en_passant: self.en_passant(),
            halfmove_clock: u32::from(self.halfmove_clock),
            fullmove_number: u32::from(self.fullmove_number()),
        }
    }

    /// What a legal move takes, if anything.
    ///
    /// ```
    /// use tabiya_board::{Board, Role, Square};
    /// let board: Board = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".parse().unwrap();
    /// let mv = board.legal_move(Square::E5, Square::D6, None).unwrap();
    /// assert_eq!(board.captured(mv), Some(Role::Pawn));
    /// ```
    #[inline]
    pub const fn captured(&self, mv: Move) -> Option<Role> {
        if mv.is_en_passant() {
            Some(Role::Pawn)
        } else if mv.is_castling() {
            // In Chess960 the king may end where its own rook stands.
            None
        } else {
            self.role_at(mv.to())
        }
    }

    /// The pieces of a colour that attack a square when these squares are occupied.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, diagonal, straight] = self.movers.map(Bitboard);
        let attackers = attacks::pawn(!by, square) & pawns
            | attacks::knight(square) & knights
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & straight
            | attacks::king(square) & Bitboard::from(self.king(by));
        attackers & self.by_color(by) & occupied
    }

    /// The pieces of both colours that attack a square when these squares are occupied.
    #[inline]
    pub fn all_attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, diagonal, straight] = self.movers.map(Bitboard);
        let (white, black) = (self.by_color(Color::White), self.by_color(Color::Black));
        let attackers = attacks::pawn(Color::Black, square) & pawns & white
            | attacks::pawn(Color::White, square) & pawns & black
            | attacks::knight(square) & knights
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & straight
            | attacks::king(square) & self.by_role(Role::King);
        attackers & occupied
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let turn = self.turn();
        self.attackers(self.king(turn), !turn, self.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The pieces of the side to move that shield their king from an attack and so may move only along its line.
    pub fn pinned(&self) -> Bitboard {
        let (us, them) = (self.by_color(self.turn()), self.by_color(!self.turn()));
        let king = self.king(self.turn());
        let snipers = (attacks::bishop(king, them) & self.diagonal_sliders()
            | attacks::rook(king, them) & self.orthogonal_sliders())
            & them;
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & us;
            if !shield.more_than_one() {
                pinned |= shield;
            }
        }
        pinned
    }
}

/// Writes the position as FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
