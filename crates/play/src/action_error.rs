//! Errors for actions that the game does not allow.

use tabiya_board::Color;
use thiserror::Error;

use crate::parse_move::ParseMoveError;
use crate::termination::Termination;

/// An action that is not possible now. Prints as a sentence without a capital letter and full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ActionError {
    /// The game is over.
    #[error("the game is over: {0}")]
    GameOver(Termination),
    /// The text is not a move, or the move is illegal.
    #[error("{0}")]
    Move(#[from] ParseMoveError),
    /// The computer plays the side to move.
    #[error("it's the computer's turn")]
    NotYourTurn(Color),
    /// There is no move to take back.
    #[error("there is no move to take back")]
    NothingToTakeBack,
    /// The computer plays this side.
    #[error("{0} is the computer's")]
    NotAPerson(Color),
    /// No move was taken back.
    #[error("no move was taken back, so there is nothing to redo")]
    NothingToRedo,
    /// The computer plays both sides.
    #[error("the computer plays both sides")]
    NoPerson,
    /// This side's draw offer is still open.
    #[error("{0} has already offered a draw; wait for {other} to answer or move", other = !*.0)]
    AlreadyOffered(Color),
    /// There is no draw offer to answer.
    #[error("there is no draw offer to answer")]
    NoDrawOffered,
    /// Neither threefold repetition nor the fifty-move rule applies.
    #[error(
        "no draw to claim: this position has occurred {}, and the last capture or pawn move was {} ago",
        times(*.repetitions),
        moves(*.halfmoves)
    )]
    NoDrawToClaim {
        /// How often the position has occurred.
        repetitions: usize,
        /// Half-moves since the last capture or pawn move.
        halfmoves: u16,
    },
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

/// Half-moves as full moves, which is what the fifty-move rule counts.
fn moves(halfmoves: u16) -> String {
    match halfmoves / 2 {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}
