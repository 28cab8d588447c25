//! A move in SAN, packed into a number.

use std::fmt;
use std::str::FromStr;

use tabiya_board::{Bitboard, CastlingSide, File, Rank, Role, Square};

use super::{Dialect, SanError};

/// A move in SAN, not yet matched with a position, in four bytes.
///
/// [`parts`](Self::parts) unpacks it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct San(u32);

/// What a [`San`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SanParts {
    /// A piece moves to a square.
    Piece(PieceMove),
    /// Castling.
    Castle(CastlingSide),
    /// A null move, `--`.
    Null,
}

/// What SAN says about a move other than castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMove {
    /// The piece that moves.
    pub role: Role,
    /// The file it comes from, if given.
    pub file: Option<File>,
    /// The rank it comes from, if given.
    pub rank: Option<Rank>,
    /// The target square.
    pub to: Square,
    /// The piece a pawn promotes to.
    pub promotion: Option<Role>,
    /// Whether there is an `x`.
    pub capture: bool,
    /// Whether there is an `e.p.`.
    pub en_passant: bool,
}

/// The bits of each part. A file, rank or promotion that is not given has the value 8; castling and null moves have the
/// roles 6 and 7, and castling has its side in place of the square.
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
    /// A null move.
    pub const NULL: Self = Self(field::NULL << field::ROLE);

    /// Castling.
    pub const fn castle(wing: CastlingSide) -> Self {
        Self(field::CASTLE << field::ROLE | wing as u32)
    }

    /// A move without a target: the role, and the file and rank it comes from, 8 if not given.
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

    /// Returns the same move with a promotion.
    pub(crate) const fn promoting(self, role: Role) -> Self {
        let all = 15 << field::PROMOTION;
        Self(self.0 & !all | (role as u32) << field::PROMOTION)
    }

    /// Completes bits without a target; bits above those of a move are ignored.
    #[inline(always)]
    pub(crate) const fn scanned(bits: u32, to: u32, capture: u32) -> Self {
        let mask = (1 << field::CAPTURE) - 1;
        Self(bits & mask | to << field::TO | capture << field::CAPTURE)
    }

    #[inline(always)]
    pub(super) const fn get(self, at: u32, bits: u32) -> u32 {
        self.0 >> at & ((1 << bits) - 1)
    }

    /// Returns its parts.
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
        // Six bits always give a square.
        Square::from_index(self.get(field::TO, 6) as usize).unwrap_or(Square::A1)
    }

    #[inline(always)]
    pub(super) fn promotion(self) -> Option<Role> {
        match self.get(field::PROMOTION, 4) {
            field::ABSENT => None,
            role => Role::ALL.get(role as usize).copied(),
        }
    }

    /// Whether a pawn reaches the last rank and the promotion is missing.
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

    /// Returns the squares that the piece can come from.
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

/// Reads a move as [`Dialect::Import`] does, with English piece letters.
///
/// ```
/// use tabiya_notation::San;
///
/// let san: San = "Nbxd2+".parse()?;
/// assert_eq!(san.to_string(), "Nbxd2");
/// # Ok::<(), tabiya_notation::SanError>(())
/// ```
impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        Self::parse(text, Dialect::Import)
    }
}

/// Writes what it says, which need not be enough to find the move. Signs for check and mate need a position:
/// [`write_san`](super::write_san) writes them.
impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piece = match self.parts() {
            SanParts::Null => return f.write_str("--"),
            SanParts::Castle(CastlingSide::KingSide) => return f.write_str("O-O"),
            SanParts::Castle(CastlingSide::QueenSide) => return f.write_str("O-O-O"),
            SanParts::Piece(piece) => piece,
        };
        if piece.role != Role::Pawn {
            write!(f, "{}", piece.role.upper_char())?;
        }
        if let Some(file) = piece.file {
            write!(f, "{file}")?;
        }
        if let Some(rank) = piece.rank {
            write!(f, "{rank}")?;
        }
        if piece.capture {
            f.write_str("x")?;
        }
        write!(f, "{}", piece.to)?;
        match piece.promotion {
            Some(role) => write!(f, "={}", role.upper_char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.parts(), f)
    }
}
