//! The board: a position with its Zobrist key.

use core::fmt;
use core::ops::Deref;

use crate::children::Children;
use crate::dispatch;
use crate::fen::FenError;
use crate::moves::Move;
use crate::piece::Piece;
use crate::play::{self, Playable};
use crate::position::Position;
use crate::refusal::Refusal;
use crate::setup::{Setup, SetupError};
use crate::side::by_side;
use crate::square::Square;
use crate::zobrist;

/// A legal position and its Zobrist key, in 64 bytes.
///
/// A board has all methods of a [`Position`], listed below under "Methods from Deref".
///
/// # Equality and hashing
///
/// Boards are equal if their FENs are: pieces, side to move, castling rights, en passant square *and both clocks*.
/// `Hash` agrees with that. To compare positions alone, as the rules of repetition do, or to count them in a map, use
/// [`without_clocks`](Self::without_clocks) or, if a rare collision does no harm, [`key`](Self::key).
///
/// ```
/// use tabiya_board::Board;
///
/// let early: Board = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
/// let late: Board = "4k3/8/8/8/8/8/8/R3K3 w Q - 30 70".parse()?;
/// assert_ne!(early, late);
/// assert_eq!(early.without_clocks(), late.without_clocks());
/// assert_eq!(early.key(), late.key());
/// # Ok::<(), tabiya_board::FenError>(())
/// ```
///
/// # Example
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
    /// Returns the starting position.
    ///
    /// ```
    /// use tabiya_board::{Board, Color};
    /// assert_eq!(Board::start().turn(), Color::White);
    /// ```
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

    /// Builds the board of a setup, or returns why the setup is invalid.
    ///
    /// ```
    /// use tabiya_board::{Board, Color, Setup, SetupError};
    /// assert_eq!(Board::new(&Setup::default()), Err(SetupError::NoKing(Color::White)));
    /// ```
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        Ok(setup.validate()?.into())
    }

    /// Builds the board of a setup that no game may lead to, as puzzles use them: with more queens than pawns could
    /// become, or with three checks at once.
    ///
    /// Calls `forgive` with every error that [can be forgiven](SetupError::is_forgivable), and returns the error if the
    /// answer is `false`, as it does with all other errors. The board follows all rules: each side has one king, and
    /// the side not to move is not in check.
    ///
    /// ```
    /// use tabiya_board::{Board, Color, Setup, SetupError};
    ///
    /// let setup: Setup = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1".parse().unwrap();
    /// assert_eq!(Board::new(&setup), Err(SetupError::TooManyPieces(Color::White)));
    /// let board = Board::new_forgiving(&setup, |_| true).unwrap();
    /// assert_eq!(board.legal_moves().len(), 270);
    /// ```
    pub fn new_forgiving(
        setup: &Setup,
        forgive: impl FnMut(SetupError) -> bool,
    ) -> Result<Self, SetupError> {
        Ok(setup.validate_forgiving(forgive)?.into())
    }

    /// Reads a FEN like [`str::parse`], but forgives like [`new_forgiving`](Self::new_forgiving).
    ///
    /// ```
    /// use tabiya_board::Board;
    ///
    /// let fen = "4k3/4p3/8/8/8/8/QQQQQQQQ/QQQQK3 w - - 0 1";
    /// assert!(fen.parse::<Board>().is_err());
    /// let mut remarks = Vec::new();
    /// let board = Board::from_fen_forgiving(fen, |error| {
    ///     remarks.push(error.to_string());
    ///     true
    /// });
    /// assert_eq!(board.unwrap().to_string(), fen);
    /// assert_eq!(remarks, ["White has more pieces than promotions can explain"]);
    /// ```
    pub fn from_fen_forgiving(
        fen: &str,
        forgive: impl FnMut(SetupError) -> bool,
    ) -> Result<Self, FenError> {
        Self::new_forgiving(&Setup::from_fen(fen)?, forgive).map_err(FenError::from)
    }

    /// Returns the board with its clocks set back: halfmove clock 0, move number 1.
    ///
    /// Two such boards are equal exactly if their positions are the same in the sense of the rules of repetition:
    /// pieces, side to move, castling rights and legal en passant captures. So this is what to compare, or to use as
    /// the key of a map, where clocks don't matter. [`key`](Self::key) is smaller, but may collide.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use tabiya_board::{Board, GameHistory, Square};
    ///
    /// let mut visits: HashMap<Board, u32> = HashMap::new();
    /// let mut game = GameHistory::default();
    /// for (from, to) in [
    ///     (Square::G1, Square::F3), (Square::G8, Square::F6), (Square::F3, Square::G1), (Square::F6, Square::G8),
    /// ] {
    ///     *visits.entry(game.board().without_clocks()).or_default() += 1;
    ///     game.play(game.board().legal_move(from, to, None)?);
    /// }
    /// assert_ne!(*game.board(), Board::start()); // the clocks differ
    /// assert_eq!(visits[&game.board().without_clocks()], 1);
    /// # Ok::<(), tabiya_board::Refusal>(())
    /// ```
    #[must_use]
    pub fn without_clocks(&self) -> Self {
        let mut position = self.position;
        let passed = position
            .clock
            .en_passant_file()
            .filter(|_| self.has_legal_en_passant());
        position.clock.reset();
        if let Some(file) = passed {
            position.clock.set_en_passant_file(file);
        }
        position.ply &= 1;
        Self {
            position,
            key: self.repetition_key(),
        }
    }

    /// Returns the position without its key.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the Zobrist key, with Polyglot's constants and conventions. Equal positions have equal keys, whatever
    /// their clocks; different positions nearly always have different keys.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// assert_eq!(Board::start().key(), 0x463b_9618_1691_fc9c);
    /// ```
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Returns the number that a piece on a square contributes to the key. A search can tell from it which positions
    /// are one move apart.
    ///
    /// ```
    /// use tabiya_board::{Board, Piece, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    /// let with_pawn: Board = "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
    /// let pawn = Piece::from_char('P').unwrap();
    /// assert_eq!(board.key() ^ Board::piece_key(pawn, Square::E4), with_pawn.key());
    /// ```
    #[inline]
    pub fn piece_key(piece: Piece, square: Square) -> u64 {
        zobrist::piece(piece, square)
    }

    /// Returns the key that finds repetitions. It ignores an en passant square where no capture is legal because of the
    /// king, unlike [`key`](Self::key).
    pub fn repetition_key(&self) -> u64 {
        match self.en_passant() {
            Some(square) if !self.has_legal_en_passant() => {
                self.key ^ zobrist::en_passant(square.file())
            }
            _ => self.key,
        }
    }

    /// Plays a legal move.
    ///
    /// # Panics
    ///
    /// Panics if the move is illegal. [`try_play`](Self::try_play) returns the reason instead.
    #[inline]
    #[track_caller]
    pub fn play(&mut self, mv: Move) {
        self.require_legal(mv);
        self.play_unchecked(mv);
    }

    /// Returns the board after a legal move.
    ///
    /// # Panics
    ///
    /// Panics if the move is illegal.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn after(&self, mv: Move) -> Self {
        self.require_legal(mv);
        self.after_unchecked(mv)
    }

    /// Panics if a move is illegal.
    #[inline]
    #[track_caller]
    fn require_legal(&self, mv: Move) {
        assert!(self.is_legal(mv), "{mv} is illegal in {self}");
    }

    /// Plays a move if it is legal, or returns the reason why it is not.
    pub fn try_play(&mut self, mv: Move) -> Result<(), Refusal> {
        self.validate(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move without checking that it is legal. An illegal move leaves a meaningless board.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        play::play(self, mv);
    }

    /// Returns every legal move with the board after it.
    ///
    /// The moves are known to be legal, so nothing is checked: this takes half the time of [`after`](Self::after) for
    /// each of the [`legal_moves`](Position::legal_moves).
    ///
    /// ```
    /// use tabiya_board::Board;
    ///
    /// let board: Board = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse()?;
    /// for (mv, next) in board.children() {
    ///     if next.is_checkmate() {
    ///         assert_eq!(mv.to_string(), "d1d8");
    ///     }
    /// }
    /// # Ok::<(), tabiya_board::FenError>(())
    /// ```
    #[inline]
    pub fn children(&self) -> Children<'_> {
        Children::of(self)
    }

    /// Calls a function with every legal move and the board after it. This is the fastest way to visit all boards that
    /// are one move away: faster than [`children`](Self::children), because it shares work between the moves of a
    /// piece. The moves may come in another order.
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

    /// Returns the board after a move, without checking that it is legal.
    #[inline]
    #[must_use]
    pub fn after_unchecked(&self, mv: Move) -> Self {
        play::after(self, mv)
    }

    /// Returns the board after a null move, which passes the turn, or `None` if the side to move is in check.
    ///
    /// A null move ends the right to capture en passant and counts for the clocks like a move of a piece. It is not a
    /// legal move: engines use it to prune, and analysts write it as `--` in PGN.
    ///
    /// ```
    /// use tabiya_board::Board;
    ///
    /// let board: Board = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 40".parse().unwrap();
    /// let next = board.null_move().unwrap();
    /// assert_eq!(next.to_string(), "4k3/8/8/8/3pP3/8/8/4K3 w - - 1 41");
    /// let board: Board = "4k3/4R3/8/8/8/8/8/4K3 b - - 0 40".parse().unwrap();
    /// assert_eq!(board.null_move(), None);
    /// ```
    #[must_use]
    pub fn null_move(&self) -> Option<Self> {
        play::null_move(self)
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

    const HAS_KEY: bool = true;

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn new(position: Position, key: u64) -> Self {
        Self { position, key }
    }
}

/// The methods of [`Board`] that would update its key.
impl Position {
    /// Plays a move without checking that it is legal. An illegal move leaves a meaningless position.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        play::play(self, mv);
    }

    /// Returns the position after a null move, like [`Board::null_move`].
    #[must_use]
    pub fn null_move(&self) -> Option<Self> {
        play::null_move(self)
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
