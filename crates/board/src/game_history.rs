//! The moves played so far, for the rules that one position cannot decide.

use alloc::vec::Vec;

use crate::board::Board;
use crate::moves::Move;
use crate::outcome::{DrawClaim, Outcome};
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
        let now = self.board.repetition_key();
        // Positions before the last capture or pawn move cannot occur again.
        let reversible = usize::from(self.board.halfmove_clock());
        let earlier = self.played.iter().rev().take(reversible);
        // The same side is to move in every other position.
        let same_side = earlier.skip(1).step_by(2);
        1 + same_side
            .filter(|(board, _)| board.repetition_key() == now)
            .count()
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

    /// Returns the draw that the side to move may claim, if any.
    pub fn claim(&self) -> Option<DrawClaim> {
        if self.repetitions() >= 3 {
            Some(DrawClaim::ThreefoldRepetition)
        } else if self.board.halfmove_clock() >= 100 {
            Some(DrawClaim::FiftyMoves)
        } else {
            None
        }
    }
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
