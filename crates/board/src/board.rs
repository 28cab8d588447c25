//! The board most programs want: a position with its Zobrist key.

use core::fmt;
use core::ops::Deref;

use crate::dispatch;
use crate::moves::Move;
use crate::piece::Piece;
use crate::play::{self, Playable};
use crate::position::Position;
use crate::refusal::Refusal;
use crate::setup::{Setup, SetupError};
use crate::side::by_side;
use crate::square::Square;
use crate::zobrist;

/// A position and its Zobrist key, kept up to date with every move, in 64 bytes.
///
/// Everything that can be asked of a [`Position`] can be asked of a board.
///
/// ```
/// use tabiya_board::{Board, Square};
///
/// let mut board = Board::start();
/// let mv = board.legal_move(Square::E2, Square::E4, None).unwrap();
/// board.play(mv);
/// assert_eq!(board.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// assert_eq!(board.legal_moves().len(), 20);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    position: Position,
    key: u64,
}

impl Board {
    /// The starting position.
    pub fn start() -> Self {
        Self::chess960_start(518)
    }

    /// Returns the Chess960 starting position of a number from 0 to 959; 518 is that of standard chess. Larger numbers
    /// wrap around.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// assert!(Board::chess960_start(0).to_string().starts_with("bbqnnrkr/"));
    /// assert!(Board::chess960_start(518).to_string().starts_with("rnbqkbnr/"));
    /// ```
    pub fn chess960_start(number: u16) -> Self {
        match Self::new(&Setup::chess960_start(number)) {
            Ok(board) => board,
            Err(_) => unreachable!("every Chess960 starting position is valid"),
        }
    }

    /// Builds the board of a setup, or returns what is wrong with it.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        Ok(setup.validate()?.into())
    }

    /// The position without its key.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The Zobrist key, with Polyglot's constants and conventions: the same for equal positions whatever their
    /// clocks, and (nearly always) another one for others.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// assert_eq!(Board::start().key(), 0x463b_9618_1691_fc9c);
    /// ```
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// What a piece on a square puts into the key: by the keys of a move's two squares a search knows positions that are
    /// one move apart.
    #[inline]
    pub fn piece_key(piece: Piece, square: Square) -> u64 {
        zobrist::piece(piece, square)
    }

    /// The key by which repetitions are told: a capture en passant that would leave the king in check, though it counts
    /// for [`key`](Self::key), does not make the position another one.
    pub fn repetition_key(&self) -> u64 {
        match self.en_passant() {
            Some(square) if !self.legal_moves().iter().any(|mv| mv.is_en_passant()) => {
                self.key ^ zobrist::en_passant(square.file())
            }
            _ => self.key,
        }
    }

    /// Plays a legal move.
    ///
    /// # Panics
    ///
    /// If the move is not legal here. [`try_play`](Self::try_play) gives the reason instead.
    #[inline]
    #[track_caller]
    pub fn play(&mut self, mv: Move) {
        assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        self.play_unchecked(mv);
    }

    /// The board after a legal move.
    ///
    /// # Panics
    ///
    /// If the move is not legal here.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// Plays a move if it is legal, or says why it is not.
    pub fn try_play(&mut self, mv: Move) -> Result<(), Refusal> {
        self.validate(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal, as fast as can be. Any other move leaves a meaningless board.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        play::play(self, mv);
    }

    /// Plays every legal move, each from this board, and shows the moves and what comes of them. This is the fastest
    /// way to look at all boards that are one move away.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// let mut checks = 0;
    /// Board::start().for_each_child(|_, next| checks += usize::from(next.is_check()));
    /// assert_eq!(checks, 0);
    /// ```
    #[inline]
    pub fn for_each_child(&self, mut visit: impl FnMut(Move, &Self)) {
        let legal = dispatch::legal(self);
        by_side!(self.turn(), S => play::for_each_child::<S, _>(self, &legal, &mut visit));
    }

    /// The board after a move that is known to be legal.
    #[inline]
    #[must_use]
    pub fn after_unchecked(&self, mv: Move) -> Self {
        play::after(self, mv)
    }

    /// The board after a null move: nothing on it changes, but it is the other side's turn, and a capture en passant is
    /// no longer possible. The clocks count it like a move of a piece. Nothing comes of it where the side to move is in
    /// check, because then its king could be taken.
    ///
    /// No rule of chess allows it; analysts write it (`--` in a PGN) and engines think it.
    ///
    /// ```
    /// use tabiya_board::Board;
    ///
    /// let board: Board = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 40".parse().unwrap();
    /// let passed = board.null_move().unwrap();
    /// assert_eq!(passed.to_string(), "4k3/8/8/8/3pP3/8/8/4K3 w - - 1 41");
    /// let board: Board = "4k3/4R3/8/8/8/8/8/4K3 b - - 0 40".parse().unwrap();
    /// assert_eq!(board.null_move(), None);
    /// ```
    #[must_use]
    pub fn null_move(&self) -> Option<Self> {
        play::pass(self)
    }
}

impl Playable for Board {
    #[inline(always)]
    fn position(&self) -> &Position {
        &self.position
    }

    #[inline(always)]
    fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    #[inline(always)]
    fn toggle(&mut self, number: impl FnOnce(&Position) -> u64) {
        self.key ^= number(&self.position);
    }
}

/// What [`Board`] does too, but without keeping a key up to date.
impl Position {
    /// Plays a move that is known to be legal, as fast as can be. Any other move leaves a meaningless position.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        play::play(self, mv);
    }

    /// The position after a null move; nothing where the side to move is in check. [`Board::null_move`] tells more.
    #[must_use]
    pub fn null_move(&self) -> Option<Self> {
        play::pass(self)
    }
}

impl From<Position> for Board {
    fn from(position: Position) -> Self {
        Self {
            position,
            key: play::key_of(&position),
        }
    }
}

impl Deref for Board {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        &self.position
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::start()
    }
}

/// Writes the board as FEN.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.position, f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
