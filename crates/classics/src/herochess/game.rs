//! A game in progress.

use std::fmt;

use tabiya_board::{Board, Claim, Color, Line, Move, Outcome, Piece, Refusal, Role, Square};

/// The moves so far and what follows from them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Game {
    line: Line,
}

/// How a game has ended.
///
/// Nobody has to claim a draw: the third time of a position and fifty moves without progress end the game by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself.
    Outcome(Outcome),
    /// By a draw that either player could claim.
    Claim(Claim),
}

impl End {
    /// Who has won; nobody in a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Outcome(outcome) => outcome.winner(),
            Self::Claim(_) => None,
        }
    }
}

/// The reason alone: `checkmate`, `stalemate`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Outcome(Outcome::Checkmate { .. }) => "checkmate",
            Self::Outcome(Outcome::Stalemate) => "stalemate",
            Self::Outcome(Outcome::DeadPosition) => "neither side has enough pieces to give mate",
            Self::Outcome(Outcome::SeventyFiveMoves) => {
                "seventy-five moves without a capture or a pawn move"
            }
            Self::Outcome(Outcome::FivefoldRepetition) => "the same position for the fifth time",
            Self::Claim(Claim::ThreefoldRepetition) => "the same position for the third time",
            Self::Claim(Claim::FiftyMoves) => "fifty moves without a capture or a pawn move",
        })
    }
}

impl Game {
    /// A game that starts here.
    pub const fn new(board: Board) -> Self {
        Self {
            line: Line::new(board),
        }
    }

    /// All moves.
    pub const fn line(&self) -> &Line {
        &self.line
    }

    /// The board now.
    pub const fn board(&self) -> &Board {
        self.line.board()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.board().turn()
    }

    /// How many moves a side has made.
    pub fn moves_of(&self, color: Color) -> usize {
        let by = |(board, _): &&(Board, Move)| board.turn() == color;
        self.line.played().iter().filter(by).count()
    }

    /// The move of the side to move from one square to another, or the reason why there is none. Castling may be asked
    /// for by the king's two squares, by the king and its rook, or by the rook and its king.
    pub fn find(&self, from: Square, to: Square, promotion: Option<Role>) -> Result<Move, Refusal> {
        let board = self.board();
        let is_own = |square, role| board.piece_at(square) == Some(Piece::new(board.turn(), role));
        if is_own(from, Role::Rook) && is_own(to, Role::King) {
            return board.why_not(to, from, promotion);
        }
        board.why_not(from, to, promotion)
    }

    /// Plays a move that [`find`](Self::find) gave.
    pub fn play(&mut self, mv: Move) -> Result<(), Refusal> {
        self.line.try_play(mv)
    }

    /// Takes back the last two moves, one of each side.
    pub fn take_back_both(&mut self) {
        self.line.undo();
        self.line.undo();
    }

    /// The pieces that have been captured, in that order.
    pub fn captured(&self) -> Vec<Piece> {
        tabiya_play::captures(&self.line).collect()
    }

    /// How the game has ended, if it has.
    pub fn end(&self) -> Option<End> {
        let by_itself = self.line.outcome().map(End::Outcome);
        by_itself.or_else(|| self.line.claim().map(End::Claim))
    }
}
