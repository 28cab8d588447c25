//! The moves played so far, for the rules that one position cannot decide.

use alloc::vec::Vec;

use crate::board::Board;
use crate::moves::Move;
use crate::outcome::{DrawClaim, DrawClaims, Outcome};
use crate::refusal::Refusal;

/// A board with the moves and boards that led to it: it finds repetitions and takes moves back.
///
/// ```
/// use tabiya_board::{Board, DrawClaim, GameHistory, Square};
///
/// let mut game = GameHistory::new(Board::start());
/// for _ in 0..2 {
///     for (from, to) in [
///         (Square::G1, Square::F3), (Square::G8, Square::F6),
///         (Square::F3, Square::G1), (Square::F6, Square::G8),
///     ] {
///         let mv = game.board().legal_move(from, to, None).unwrap();
///         game.play(mv);
///     }
/// }
/// assert_eq!(game.repetitions(), 3);
/// assert_eq!(game.claim(), Some(DrawClaim::ThreefoldRepetition));
/// game.undo();
/// assert_eq!(game.claim(), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameHistory {
    board: Board,
    /// Every move with the board before it.
    played: Vec<(Board, Move)>,
}

impl GameHistory {
    /// Starts a game from a board.
    pub const fn new(board: Board) -> Self {
        Self {
            board,
            played: Vec::new(),
        }
    }

    /// Returns the current board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the board before the first move.
    pub fn start(&self) -> &Board {
        self.played.first().map_or(&self.board, |(board, _)| board)
    }

    /// Returns the moves played so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator + '_ {
        self.played.iter().map(|&(_, mv)| mv)
    }

    /// Returns every move with the board before it.
    pub fn played(&self) -> &[(Board, Move)] {
        &self.played
    }

    /// Plays a legal move.
    ///
    /// # Panics
    ///
    /// Panics if the move is illegal. [`try_play`](Self::try_play) returns the reason instead.
    #[track_caller]
    pub fn play(&mut self, mv: Move) {
        let next = self.board.after(mv);
        self.played.push((self.board, mv));
        self.board = next;
    }

    /// Plays a move if it is legal, or returns the reason why it is not.
    pub fn try_play(&mut self, mv: Move) -> Result<(), Refusal> {
        self.board.validate(mv)?;
        self.play(mv);
        Ok(())
    }

    /// Takes back the last move and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let (board, mv) = self.played.pop()?;
        self.board = board;
        Some(mv)
    }

    /// Returns how many times the current position has occurred, this time included.
    ///
    /// Positions are the same if they have the same pieces, side to move, castling rights and legal en passant
    /// captures.
    pub fn repetitions(&self) -> usize {
        repetitions(&self.board, self.earlier_boards(1))
    }

    /// The boards before the current one, the latest first, beginning with one further back.
    fn earlier_boards(&self, skip: usize) -> impl Iterator<Item = &Board> {
        self.played.iter().rev().skip(skip).map(|(board, _)| board)
    }

    /// Returns how the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let outcome = self.board.outcome();
        match outcome {
            Some(Outcome::SeventyFiveMoves) | None if self.repetitions() >= 5 => {
                Some(Outcome::FivefoldRepetition)
            }
            _ => outcome,
        }
    }

    /// Returns a draw that the side to move may claim, if any: the first of [`claims`](Self::claims).
    pub fn claim(&self) -> Option<DrawClaim> {
        self.claims().first()
    }

    /// Returns all draws that the side to move may claim in the current position; none after mate and stalemate.
    ///
    /// A player may also claim a draw by a move that is still to be made: see [`claims_by`](Self::claims_by).
    pub fn claims(&self) -> DrawClaims {
        claims(&self.board, || self.repetitions())
    }

    /// Returns the draws that the side to move may claim by writing down a legal move without making it, because the
    /// position after the move has occurred three times or fulfils the fifty-move rule (FIDE Laws 9.2.1 and 9.3.1).
    ///
    /// ```
    /// use tabiya_board::{Board, DrawClaim, GameHistory, Square};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/4K2R w - - 99 80".parse().unwrap();
    /// let game = GameHistory::new(board);
    /// assert!(game.claims().is_empty());
    /// let mv = game.board().legal_move(Square::H1, Square::H2, None).unwrap();
    /// assert!(game.claims_by(mv).unwrap().contains(DrawClaim::FiftyMoves));
    /// assert!(game.can_claim_draw());
    /// ```
    pub fn claims_by(&self, mv: Move) -> Result<DrawClaims, Refusal> {
        self.board.validate(mv)?;
        Ok(self.claims_by_legal(mv))
    }

    /// Whether the side to move may claim a draw, at once or by one of its moves.
    pub fn can_claim_draw(&self) -> bool {
        let moves = self.board.legal_moves();
        let may_claim = |&mv: &Move| !self.claims_by_legal(mv).is_empty();
        !self.claims().is_empty() || moves.iter().any(may_claim)
    }

    fn claims_by_legal(&self, mv: Move) -> DrawClaims {
        let next = self.board.after_unchecked(mv);
        claims(&next, || repetitions(&next, self.earlier_boards(0)))
    }
}

/// How many times a position has occurred, given the boards before it, the latest first, beginning with the second last:
/// the same side is to move in every other one.
fn repetitions<'a>(board: &Board, earlier: impl Iterator<Item = &'a Board>) -> usize {
    let now = board.repetition_key();
    // Positions before the last capture or pawn move cannot occur again.
    let reversible = usize::from(board.halfmove_clock()) / 2;
    let same_side = earlier.step_by(2).take(reversible);
    1 + same_side
        .filter(|board| board.repetition_key() == now)
        .count()
}

/// The draws that may be claimed on a board.
fn claims(board: &Board, repetitions: impl Fn() -> usize) -> DrawClaims {
    let mut claims = DrawClaims::NONE;
    if board.halfmove_clock() >= 100 {
        // A mate by the last of the hundred moves wins.
        claims.insert_if(board.has_legal_move(), DrawClaim::FiftyMoves);
    }
    // A position that has occurred before has a legal move.
    claims.insert_if(repetitions() >= 3, DrawClaim::ThreefoldRepetition);
    claims
}

impl Default for GameHistory {
    fn default() -> Self {
        Self::new(Board::start())
    }
}

impl From<Board> for GameHistory {
    fn from(board: Board) -> Self {
        Self::new(board)
    }
}
