//! A move as it is written, packed into a number and taken apart.

use std::fmt;

use tabiya_board::{Bitboard, CastlingSide, File, Rank, Role, Square};

/// A move as it is written, before a position says which move that is, in four bytes.
///
/// [`parts`](Self::parts) takes it apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct San(u32);

/// What a [`San`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SanParts {
    /// A piece goes to a square.
    Piece(PieceMove),
    /// Castling.
    Castle(CastlingSide),
    /// `--`: nobody moves.
    Null,
}

/// What notation tells of an ordinary move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMove {
    /// What moves.
    pub role: Role,
    /// The file it comes from, if written.
    pub file: Option<File>,
    /// The rank it comes from, if written.
    pub rank: Option<Rank>,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
    /// Whether a capture is written.
    pub capture: bool,
    /// Whether the capture is marked as en passant.
    pub en_passant: bool,
}

/// Where the parts of a move stand in its 32 bits. A file, a rank or a promotion that is not written has the value 8,
/// the role of castling and of a null move are 6 and 7, with the wing in place of the square.
pub(super) mod field {
    pub(in crate::san) const TO: u32 = 0;
    pub(in crate::san) const ROLE: u32 = 6;
    pub(in crate::san) const FILE: u32 = 9;
    pub(in crate::san) const RANK: u32 = 13;
    pub(in crate::san) const PROMOTION: u32 = 17;
    pub(in crate::san) const CAPTURE: u32 = 21;
    pub(in crate::san) const EN_PASSANT: u32 = 22;

    pub(in crate::san) const CASTLE: u32 = 6;
    pub(in crate::san) const NULL: u32 = 7;
    pub(in crate::san) const ABSENT: u32 = 8;
}

impl San {
    /// Nobody moves.
    pub const NULL: Self = Self(field::NULL << field::ROLE);

    /// Castling.
    pub const fn castle(wing: CastlingSide) -> Self {
        Self(field::CASTLE << field::ROLE | wing as u32)
    }

    /// A move of which only this is known: the role, and the file and the rank it comes from, 8 if they are not written.
    pub(crate) const fn packed(role: u32, file: u32, rank: u32) -> Self {
        Self(
            role << field::ROLE
                | file << field::FILE
                | rank << field::RANK
                | field::ABSENT << field::PROMOTION,
        )
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// The same move with what the pawn becomes.
    pub(crate) const fn promoting(self, role: Role) -> Self {
        let all = 15 << field::PROMOTION;
        Self(self.0 & !all | (role as u32) << field::PROMOTION)
    }

    /// A move from bits that lack the target, perhaps with something else above them.
    #[inline(always)]
    pub(crate) const fn scanned(bits: u32, to: u32, capture: u32) -> Self {
        let mask = (1 << field::CAPTURE) - 1;
        Self(bits & mask | to << field::TO | capture << field::CAPTURE)
    }

    #[inline(always)]
    pub(super) const fn get(self, at: u32, bits: u32) -> u32 {
        self.0 >> at & ((1 << bits) - 1)
    }

    /// Its parts.
    pub fn parts(self) -> SanParts {
        let role = self.get(field::ROLE, 3);
        match Role::ALL.get(role as usize) {
            None if role == field::NULL => SanParts::Null,
            None => SanParts::Castle(CastlingSide::ALL[self.get(field::TO, 1) as usize]),
            Some(&role) => SanParts::Piece(PieceMove {
                role,
                file: File::ALL.get(self.get(field::FILE, 4) as usize).copied(),
                rank: Rank::ALL.get(self.get(field::RANK, 4) as usize).copied(),
                to: self.to(),
                promotion: self.promotion(),
                capture: self.get(field::CAPTURE, 1) != 0,
                en_passant: self.get(field::EN_PASSANT, 1) != 0,
            }),
        }
    }

    #[inline(always)]
    pub(super) fn to(self) -> Square {
        // Six bits are always a square.
        Square::from_index(self.get(field::TO, 6) as usize).unwrap_or(Square::A1)
    }

    #[inline(always)]
    pub(super) fn promotion(self) -> Option<Role> {
        match self.get(field::PROMOTION, 4) {
            field::ABSENT => None,
            role => Role::ALL.get(role as usize).copied(),
        }
    }

    /// Whether a pawn reaches the end of the board and nothing is written of what it becomes.
    pub(crate) fn lacks_promotion(self) -> bool {
        match self.parts() {
            SanParts::Piece(piece) => {
                piece.role == Role::Pawn
                    && piece.promotion.is_none()
                    && matches!(piece.to.rank(), Rank::First | Rank::Eighth)
            }
            _ => false,
        }
    }

    /// The squares the piece can come from.
    #[inline(always)]
    pub(super) fn origins(self) -> Bitboard {
        const FILES: [Bitboard; 16] = {
            let mut sets = [Bitboard::FULL; 16];
            let mut i = 0;
            while i < 8 {
                sets[i] = Bitboard::file(File::ALL[i]);
                i += 1;
            }
            sets
        };
        const RANKS: [Bitboard; 16] = {
            let mut sets = [Bitboard::FULL; 16];
            let mut i = 0;
            while i < 8 {
                sets[i] = Bitboard::rank(Rank::ALL[i]);
                i += 1;
            }
            sets
        };
        FILES[self.get(field::FILE, 4) as usize] & RANKS[self.get(field::RANK, 4) as usize]
    }
}

impl From<PieceMove> for San {
    fn from(piece: PieceMove) -> Self {
        let from = Self::packed(
            piece.role as u32,
            piece.file.map_or(field::ABSENT, |file| file as u32),
            piece.rank.map_or(field::ABSENT, |rank| rank as u32),
        );
        let mut packed = Self::scanned(from.0, piece.to.index() as u32, piece.capture as u32);
        if let Some(role) = piece.promotion {
            packed = packed.promoting(role);
        }
        Self(packed.0 | (piece.en_passant as u32) << field::EN_PASSANT)
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.parts(), f)
    }
}
