//! A position: the pieces, the side to move, the castling rights and the clocks.

use core::fmt;
use core::str::FromStr;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::by::{ByColor, ByRole};
use crate::moves::Move;
use crate::piece::{Color, ParseNameError, Piece, Role};
use crate::placement::Placement;
use crate::setup::Setup;
use crate::side::Side;
use crate::square::{File, Rank, Square};

/// The side to which a king castles.
///
/// ```
/// use tabiya_board::{CastlingSide, File};
/// assert_eq!(CastlingSide::QueenSide.king_file(), File::C);
/// assert_eq!(CastlingSide::QueenSide.rook_file(), File::D);
/// assert_eq!(CastlingSide::QueenSide.to_string(), "queenside");
/// assert_eq!("O-O-O".parse(), Ok(CastlingSide::QueenSide));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file: the king ends on the g-file.
    KingSide,
    /// Towards the a-file: the king ends on the c-file.
    QueenSide,
}

impl CastlingSide {
    /// Kingside, then queenside.
    pub const ALL: [Self; 2] = [Self::KingSide, Self::QueenSide];

    /// Returns the file where the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::KingSide => File::G,
            Self::QueenSide => File::C,
        }
    }

    /// Returns the file where the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::KingSide => File::F,
            Self::QueenSide => File::D,
        }
    }

    /// Whether a king and a rook that castle to this side are on their starting squares of standard chess.
    #[inline]
    pub const fn is_standard(self, king: Square, rook: Square) -> bool {
        let corner = match self {
            Self::KingSide => File::H,
            Self::QueenSide => File::A,
        };
        king.file().index() == File::E.index() && rook.file().index() == corner.index()
    }
}

/// Writes `kingside` or `queenside`, as in "White castles kingside".
impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KingSide => "kingside",
            Self::QueenSide => "queenside",
        })
    }
}

/// Reads `kingside` or `queenside`, a letter of `KQkq`, or `O-O` or `O-O-O`.
impl FromStr for CastlingSide {
    type Err = ParseNameError;

    fn from_str(text: &str) -> Result<Self, ParseNameError> {
        let spellings = [
            (Self::KingSide, ["kingside", "k", "O-O"]),
            (Self::QueenSide, ["queenside", "q", "O-O-O"]),
        ];
        spellings
            .into_iter()
            .find(|(_, texts)| texts.iter().any(|name| name.eq_ignore_ascii_case(text)))
            .map(|(side, _)| side)
            .ok_or(ParseNameError(
                "a castling side is kingside or queenside, k or q, O-O or O-O-O",
            ))
    }
}

/// The rooks with which each side may still castle: one bit for each file of the back rank, Black's in the low byte.
///
/// In this order, rotating a set of squares by eight bits brings its first and last rank together, so that a move
/// removes the rights of both its squares in one step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct CastlingRights(pub(crate) u16);

impl CastlingRights {
    /// All castling rights of a side.
    #[inline(always)]
    pub(crate) const fn all<S: Side>() -> u16 {
        if S::WHITE { 0xff00 } else { 0x00ff }
    }

    /// The castling rights of rooks on these squares.
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

    /// The file of the rook with which a side may castle kingside or queenside, as a bit; 0 if there is none.
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

/// The halfmove clock in the upper twelve bits, and the file of the en passant square in the lower four.
///
/// Together they take two bytes, and every move changes both: it advances the clock and ends the right to capture en
/// passant. The rank of the square follows from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct ClockAndEnPassantFile(u16);

impl ClockAndEnPassantFile {
    /// The clock stops here. The rules end a game at 150.
    pub(crate) const MAX_CLOCK: u16 = 0xfff;
    const HAS_FILE: u16 = 8;

    /// A clock of at most [`MAX_CLOCK`](Self::MAX_CLOCK), without an en passant square.
    pub(crate) const fn new(clock: u16) -> Self {
        Self(clock << 4)
    }

    #[inline(always)]
    pub(crate) const fn clock(self) -> u16 {
        self.0 >> 4
    }

    #[inline(always)]
    pub(crate) const fn has_en_passant_file(self) -> bool {
        self.0 & Self::HAS_FILE != 0
    }

    /// 0 if there is no en passant square, otherwise 8 more than the index of its file.
    #[inline(always)]
    pub(crate) const fn en_passant_index(self) -> usize {
        (self.0 & 0xf) as usize
    }

    /// The file of the en passant square.
    #[inline(always)]
    pub(crate) const fn en_passant_file(self) -> Option<File> {
        if self.has_en_passant_file() {
            Some(File::wrapping(self.0 as usize))
        } else {
            None
        }
    }

    #[inline(always)]
    pub(crate) const fn set_en_passant_file(&mut self, file: File) {
        self.0 = self.0 & !0xf | Self::HAS_FILE | file as u16;
    }

    /// Advances the clock and removes the en passant square.
    #[inline(always)]
    pub(crate) const fn tick(&mut self) {
        self.0 = self.0.saturating_add(1 << 4) & !0xf;
    }

    /// Sets the clock to 0 and removes the en passant square.
    #[inline(always)]
    pub(crate) const fn reset(&mut self) {
        self.0 = 0;
    }
}

/// A legal position without a Zobrist key, in 56 bytes.
///
/// Use [`Board`](crate::Board), which dereferences to this type and so has all its methods. A bare position is for code
/// that needs neither repetitions nor tables and has to be as fast as possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Pawns, knights, diagonal sliders (bishops and queens), orthogonal sliders (rooks and queens); of both colours.
    pub(crate) movers: [u64; 4],
    /// White's and Black's pieces.
    pub(crate) colors: [u64; 2],
    pub(crate) kings: [Square; 2],
    pub(crate) castling: CastlingRights,
    pub(crate) clock: ClockAndEnPassantFile,
    /// Half-moves since the start of the game; odd when Black is to move.
    pub(crate) ply: u16,
}

pub(crate) const PAWNS: usize = 0;
pub(crate) const KNIGHTS: usize = 1;
pub(crate) const DIAGONAL: usize = 2;
pub(crate) const STRAIGHT: usize = 3;

/// The role of a piece by the sets of [`Position::movers`] that contain it. The processor could not predict branches.
const ROLES: [Role; 16] = {
    let mut roles = [Role::King; 16];
    roles[1 << PAWNS] = Role::Pawn;
    roles[1 << KNIGHTS] = Role::Knight;
    roles[1 << DIAGONAL] = Role::Bishop;
    roles[1 << STRAIGHT] = Role::Rook;
    roles[1 << DIAGONAL | 1 << STRAIGHT] = Role::Queen;
    roles
};

impl Position {
    /// Returns the side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        if self.ply & 1 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Returns the occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0] | self.colors[1])
    }

    /// Returns the squares of the pieces of a colour.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        Bitboard(self.colors[color.index()])
    }

    /// Returns the squares of the pieces of a role, of both colours.
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

    /// Returns the squares of the pieces of a colour and role.
    ///
    /// ```
    /// use tabiya_board::{Board, Color, Role};
    /// assert_eq!(Board::start().pieces(Color::White, Role::Pawn).len(), 8);
    /// ```
    #[inline]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.by_role(role).0 & self.by_color(color).0)
    }

    /// Returns the number of pieces of each colour and role.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// let board: Board = "4k3/8/8/8/8/8/PP6/4K2R w - - 0 1".parse().unwrap();
    /// assert_eq!(board.material().white.pawn, 2);
    /// assert_eq!(board.material().black.rook, 0);
    /// ```
    pub fn material(&self) -> ByColor<ByRole<u8>> {
        self.placement().material()
    }

    /// Returns the squares of bishops and queens, of both colours.
    #[inline]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.movers[DIAGONAL])
    }

    /// Returns the squares of rooks and queens, of both colours.
    #[inline]
    pub const fn orthogonal_sliders(&self) -> Bitboard {
        Bitboard(self.movers[STRAIGHT])
    }

    /// Returns the square of a side's king.
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// Returns the role of the piece on a square.
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
        let sets = (pawns & bit != 0) as usize
            | ((knights & bit != 0) as usize) << 1
            | ((diagonal & bit != 0) as usize) << 2
            | ((straight & bit != 0) as usize) << 3;
        ROLES[sets]
    }

    /// Returns the colour of the piece on a square.
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

    /// Returns the piece on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        match (self.color_at(square), self.role_at(square)) {
            (Some(color), Some(role)) => Some(Piece::new(color, role)),
            _ => None,
        }
    }

    /// Returns the rook with which a colour has the right to castle to a side, even if castling is not legal now.
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

    /// Returns the squares of all rooks that have the right to castle.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        Bitboard((self.castling.0 as u64).rotate_right(8))
    }

    /// Returns the square that a pawn has just passed over, if an enemy pawn attacks that square.
    ///
    /// If no pawn does, the position forgets the square, which makes no difference to the legal moves.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        match self.clock.en_passant_file() {
            Some(file) => Some(Square::new(file, self.turn().relative_rank(Rank::Sixth))),
            None => None,
        }
    }

    /// Returns the number of halfmoves since the last capture or pawn move. It stops at 4095, long after the rules end
    /// the game.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.clock.clock()
    }

    /// Returns the number of the next move. It starts with 1 and grows after each move of Black.
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.ply / 2 + 1
    }

    /// Returns the pieces alone.
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

    /// Returns the parts of the position, to change them and build another board.
    ///
    /// ```
    /// use tabiya_board::{Board, Color};
    ///
    /// let mut setup = Board::start().setup();
    /// setup.turn = Color::Black;
    /// assert_eq!(Board::new(&setup).unwrap().turn(), Color::Black);
    /// ```
    pub fn setup(&self) -> Setup {
        Setup {
            pieces: self.placement(),
            turn: self.turn(),
            castling_rooks: self.castling_rooks(),
            en_passant: self.en_passant(),
            halfmove_clock: u32::from(self.halfmove_clock()),
            fullmove_number: u32::from(self.fullmove_number()),
        }
    }

    /// Returns the role of the piece that a legal move captures.
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
            // In Chess960 the king may end on the square of its own rook.
            None
        } else {
            self.role_at(mv.to())
        }
    }

    /// Returns the pieces of a colour that attack a square, with `occupied` as the occupied squares.
    ///
    /// ```
    /// use tabiya_board::{Board, Color, Square};
    ///
    /// let board = Board::start();
    /// let attackers = board.attackers(Square::F3, Color::White, board.occupied());
    /// assert_eq!(attackers.len(), 3); // e2, g1, g2
    /// ```
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

    /// Whether a piece of a colour attacks a square.
    ///
    /// ```
    /// use tabiya_board::{Board, Color, Square};
    /// assert!(Board::start().is_attacked(Square::F3, Color::White));
    /// assert!(!Board::start().is_attacked(Square::F3, Color::Black));
    /// ```
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        !self.attackers(square, by, self.occupied()).is_empty()
    }

    /// Returns the pieces of both colours that attack a square, with `occupied` as the occupied squares.
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

    /// Returns the pieces that give check to the side to move.
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

    /// Returns the pinned pieces of the side to move: those that shield their king from a slider.
    ///
    /// ```
    /// use tabiya_board::{Bitboard, Board, Square};
    /// let board: Board = "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1".parse().unwrap();
    /// assert_eq!(board.pinned(), Bitboard::from(Square::E2));
    /// ```
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
