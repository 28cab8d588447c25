//! The parts of a position, and the checks that make it a legal one.

use core::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::by::ByRole;
use crate::en_passant;
use crate::piece::{Color, Piece, Role};
use crate::placement::Placement;
use crate::position::{CastlingRights, CastlingSide, ClockAndEnPassantFile, Position};
use crate::square::{File, Rank, Square};

/// The parts of a position, legal or not. [`Board::new`](crate::Board::new) checks them.
///
/// ```
/// use tabiya_board::{Board, SetupError, Piece, Role, Color, Setup, Square};
///
/// let mut setup = Setup::default();
/// setup.pieces.put(Square::E1, Piece::new(Color::White, Role::King));
/// assert_eq!(Board::new(&setup).unwrap_err(), SetupError::NoKing(Color::Black));
/// setup.pieces.put(Square::E8, Piece::new(Color::Black, Role::King));
/// assert!(Board::new(&setup).is_ok());
/// ```
///
/// A setup is read from FEN and prints as FEN, also while it is unfinished:
///
/// ```
/// use tabiya_board::{Color, Setup};
///
/// let mut setup: Setup = "8/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
/// setup.turn = Color::Black;
/// assert_eq!(setup.to_string(), "8/8/8/8/8/8/8/4K3 b - - 0 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The pieces.
    pub pieces: Placement,
    /// The side to move.
    pub turn: Color,
    /// The squares of the rooks that may still castle.
    pub castling_rooks: Bitboard,
    /// The square that a pawn has just passed over by moving two squares.
    pub en_passant: Option<Square>,
    /// Halfmoves since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the next move, starting with 1.
    pub fullmove_number: u32,
}

impl Default for Setup {
    /// Returns an empty board with White to play move 1.
    fn default() -> Self {
        Self {
            pieces: Placement::EMPTY,
            turn: Color::White,
            castling_rooks: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}

/// Why a setup is not a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetupError {
    /// A side has no king.
    NoKing(Color),
    /// A side has more than one king.
    TooManyKings(Color),
    /// A pawn is on the first or last rank.
    PawnOnBackRank(Square),
    /// A side has more pieces than its pawns can have become. [Forgivable](Self::is_forgivable).
    TooManyPieces(Color),
    /// The king of the side not to move is attacked.
    OpponentInCheck {
        /// The king's square.
        king: Square,
        /// The square of an attacker.
        by: Square,
    },
    /// More pieces give check than a single move can cause. [Forgivable](Self::is_forgivable).
    TooManyCheckers(Bitboard),
    /// The right to castle with a king that is not on its back rank.
    CastlingKing(Color),
    /// The right to castle with a rook that is not there.
    CastlingRook(Color, Square),
    /// The right to castle to a side without a rook.
    NoCastlingRook(Color, CastlingSide),
    /// The right to castle with two rooks on one side.
    TwoCastlingRooks(Color, CastlingSide),
    /// An en passant square that no pawn can have just passed over.
    EnPassant(Square),
    /// A halfmove clock over 4095.
    HalfmoveClock(u32),
    /// A move number of 0 or over 32,768.
    FullmoveNumber(u32),
}

impl SetupError {
    /// Whether the error only means that no game leads to the position: too many pieces, or too many checks at once.
    ///
    /// All rules still hold on such a board, so [`Board::new_forgiving`](crate::Board::new_forgiving) can build it. The
    /// other errors cannot be forgiven, because they leave the legal moves undefined.
    pub const fn is_forgivable(self) -> bool {
        matches!(self, Self::TooManyPieces(_) | Self::TooManyCheckers(_))
    }
}

/// Starts with a small letter or a name and has no full stop, like [`Refusal`](crate::Refusal).
impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoKing(color) => write!(f, "{color} has no king"),
            Self::TooManyKings(color) => write!(f, "{color} has more than one king"),
            Self::PawnOnBackRank(square) => {
                write!(
                    f,
                    "there is a pawn on {square}: pawns cannot be on the first or last rank"
                )
            }
            Self::TooManyPieces(color) => {
                write!(f, "{color} has more pieces than promotions can explain")
            }
            Self::OpponentInCheck { king, by } => write!(
                f,
                "the side not to move is in check: its king on {king} is attacked from {by}"
            ),
            Self::TooManyCheckers(checkers) => {
                f.write_str("no single move can give check from all of these squares: ")?;
                for (i, square) in checkers.into_iter().enumerate() {
                    write!(f, "{}{square}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::CastlingKing(color) => write!(
                f,
                "{color} has the right to castle, but its king is not on its back rank"
            ),
            Self::CastlingRook(color, square) => write!(
                f,
                "{color} has the right to castle with a rook on {square}, but has no rook there"
            ),
            Self::NoCastlingRook(color, side) => write!(
                f,
                "{color} has the right to castle {side}, but has no rook on that side"
            ),
            Self::TwoCastlingRooks(color, side) => write!(
                f,
                "{color} has the right to castle {side} with two rooks, but can have it with one only"
            ),
            Self::EnPassant(square) => write!(
                f,
                "{square} cannot be an en passant square: no pawn can have just passed over it"
            ),
            Self::HalfmoveClock(value) => {
                write!(
                    f,
                    "the halfmove clock is {value}, but it can be at most {}",
                    ClockAndEnPassantFile::MAX_CLOCK
                )
            }
            Self::FullmoveNumber(value) => {
                write!(
                    f,
                    "the move number is {value}, but it must be from 1 to 32768"
                )
            }
        }
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// Checks everything and builds the position.
    pub(crate) fn validate(&self) -> Result<Position, SetupError> {
        self.validate_forgiving(|_| false)
    }

    /// Checks everything and builds the position, unless there is an error that is not forgiven.
    pub(crate) fn validate_forgiving(
        &self,
        mut forgive: impl FnMut(SetupError) -> bool,
    ) -> Result<Position, SetupError> {
        let mut check = |error: SetupError| {
            if error.is_forgivable() && forgive(error) {
                Ok(())
            } else {
                Err(error)
            }
        };
        let pieces = &self.pieces;
        let mut kings = [Square::A1; 2];
        for color in Color::ALL {
            let own = pieces.pieces(color, Role::King);
            kings[color.index()] = own.first().ok_or(SetupError::NoKing(color))?;
            if own.more_than_one() {
                return Err(SetupError::TooManyKings(color));
            }
        }
        let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        if let Some(square) = (pieces.by_role(Role::Pawn) & back_ranks).first() {
            return Err(SetupError::PawnOnBackRank(square));
        }
        for color in Color::ALL {
            if too_many_pieces(pieces, color) {
                check(SetupError::TooManyPieces(color))?;
            }
        }
        let queens = pieces.by_role(Role::Queen);
        let ply = self.ply()?;
        let position = Position {
            movers: [
                pieces.by_role(Role::Pawn).0,
                pieces.by_role(Role::Knight).0,
                (pieces.by_role(Role::Bishop) | queens).0,
                (pieces.by_role(Role::Rook) | queens).0,
            ],
            colors: Color::ALL.map(|color| pieces.by_color(color).0),
            kings,
            castling: self.castling(kings)?,
            clock: self.clock()?,
            ply,
        };
        let king = position.king(!self.turn);
        if let Some(by) = position
            .attackers(king, self.turn, position.occupied())
            .first()
        {
            return Err(SetupError::OpponentInCheck { king, by });
        }
        let checkers = position.checkers();
        if checkers.len() > 2 {
            check(SetupError::TooManyCheckers(checkers))?;
        }
        Ok(position)
    }

    fn ply(&self) -> Result<u16, SetupError> {
        let moves = self.fullmove_number;
        if moves == 0 || moves > u32::from(u16::MAX / 2) + 1 {
            return Err(SetupError::FullmoveNumber(moves));
        }
        Ok((moves - 1) as u16 * 2 + self.turn.index() as u16)
    }

    fn castling(&self, kings: [Square; 2]) -> Result<CastlingRights, SetupError> {
        let mut rights = CastlingRights::default();
        for rook in self.castling_rooks {
            let color = match rook.rank() {
                Rank::First => Color::White,
                Rank::Eighth => Color::Black,
                rank => {
                    let color = if rank < Rank::Fifth {
                        Color::White
                    } else {
                        Color::Black
                    };
                    return Err(SetupError::CastlingRook(color, rook));
                }
            };
            if !self.pieces.pieces(color, Role::Rook).contains(rook) {
                return Err(SetupError::CastlingRook(color, rook));
            }
            let king = kings[color.index()];
            if king.rank() != color.relative_rank(Rank::First) {
                return Err(SetupError::CastlingKing(color));
            }
            let side = if rook > king {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            if rights.rook(color, king, side) != 0 {
                return Err(SetupError::TwoCastlingRooks(color, side));
            }
            rights.0 |= CastlingRights::of(Bitboard::from(rook).0);
        }
        Ok(rights)
    }

    fn clock(&self) -> Result<ClockAndEnPassantFile, SetupError> {
        let clock = u16::try_from(self.halfmove_clock)
            .ok()
            .filter(|&clock| clock <= ClockAndEnPassantFile::MAX_CLOCK)
            .ok_or(SetupError::HalfmoveClock(self.halfmove_clock))?;
        let mut clock = ClockAndEnPassantFile::new(clock);
        if let Some(square) = self.en_passant_square()? {
            clock.set_en_passant_file(square.file());
        }
        Ok(clock)
    }

    /// The en passant square, if a pawn stands ready to capture there.
    fn en_passant_square(&self) -> Result<Option<Square>, SetupError> {
        let Some(square) = self.en_passant else {
            return Ok(None);
        };
        let them = !self.turn;
        let start = Square::new(square.file(), them.relative_rank(Rank::Second));
        if !en_passant::may_be_en_passant_square(&self.pieces, them, square)
            || self.pieces.occupied().contains(start)
        {
            return Err(SetupError::EnPassant(square));
        }
        let ready = attacks::pawn(them, square) & self.pieces.pieces(self.turn, Role::Pawn);
        Ok(if ready.is_empty() { None } else { Some(square) })
    }
}

/// Whether a side has more extra pieces than pawns that can have become them.
fn too_many_pieces(pieces: &Placement, color: Color) -> bool {
    let count = ByRole::from_fn(|role| pieces.pieces(color, role).len());
    let bishops = pieces.pieces(color, Role::Bishop);
    let promoted = count.knight.saturating_sub(2)
        + (bishops & Bitboard::LIGHT).len().saturating_sub(1)
        + (bishops & Bitboard::DARK).len().saturating_sub(1)
        + count.rook.saturating_sub(2)
        + count.queen.saturating_sub(1);
    count.pawn + promoted > 8
}

impl Setup {
    /// The starting position of Chess960 with a number.
    pub(crate) fn chess960_start(number: u16) -> Self {
        let mut setup = Self::default();
        for (file, role) in File::ALL.into_iter().zip(chess960_back_rank(number % 960)) {
            for color in Color::ALL {
                let square = |rank| Square::new(file, color.relative_rank(rank));
                let pieces = &mut setup.pieces;
                pieces.put(square(Rank::First), Piece::new(color, role));
                pieces.put(square(Rank::Second), Piece::new(color, Role::Pawn));
                if role == Role::Rook {
                    setup.castling_rooks.insert(square(Rank::First));
                }
            }
        }
        setup
    }
}

/// The back rank in Scharnagl's numbering.
fn chess960_back_rank(number: u16) -> [Role; 8] {
    let mut number = usize::from(number);
    let mut take = |choices: usize| {
        let choice = number % choices;
        number /= choices;
        choice
    };
    let mut rank: [Option<Role>; 8] = [None; 8];
    rank[2 * take(4) + 1] = Some(Role::Bishop);
    rank[2 * take(4)] = Some(Role::Bishop);
    let mut place = |nth: usize, role| {
        if let Some(free) = rank.iter_mut().filter(|square| square.is_none()).nth(nth) {
            *free = Some(role);
        }
    };
    place(take(6), Role::Queen);
    // The ten ways to put two knights on five squares.
    let knights = take(10);
    let (first, second) = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ][knights];
    place(first, Role::Knight);
    // The first knight has taken one of the free squares.
    place(second - 1, Role::Knight);
    place(0, Role::Rook);
    place(0, Role::King);
    place(0, Role::Rook);
    rank.map(|role| role.unwrap_or(Role::Rook))
}
