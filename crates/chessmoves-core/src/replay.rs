//! Playing a game line by line.

use tabiya_board::{Board, Color};
use tabiya_notation::{Dialect, SanError, parse_san};
use thiserror::Error;

use crate::line::{LineError, NotationLine, printable};

/// A game as far as it has been read and played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameReplay {
    board: Board,
    is_over: bool,
}

/// Why a line cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayLineError<'a> {
    /// The line cannot be read.
    #[error("{0}")]
    Line(LineError<'a>),
    /// A move cannot be read, is illegal or is ambiguous.
    #[error("{color}'s move {} cannot be played: {reason}", printable(text))]
    Move {
        /// The side that moves.
        color: Color,
        /// The move as written.
        text: &'a str,
        /// Why it cannot be played.
        reason: SanError,
    },
    /// The move number gives the first move to the side that is not to move.
    #[error(
        "{color}'s move {} comes out of turn: a move by {} is missing before it",
        printable(text),
        !*color
    )]
    OutOfTurn {
        /// The side that the number gives the move to.
        color: Color,
        /// The move as written.
        text: &'a str,
    },
    /// An earlier line already gave the result.
    #[error("the game is over: nothing may follow its result")]
    GameOver,
}

impl Default for GameReplay {
    fn default() -> Self {
        Self::new()
    }
}

impl GameReplay {
    /// Starts a game from the initial position.
    pub fn new() -> Self {
        Self {
            board: Board::start(),
            is_over: false,
        }
    }

    /// Returns the current board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Plays the moves of a line and passes the board after each move to `on_board`. Stops at the first error.
    ///
    /// Move numbers need not be consecutive. They only say which side moves.
    pub fn play_line<'a>(
        &mut self,
        text: &'a str,
        mut on_board: impl FnMut(&Board),
    ) -> Result<(), PlayLineError<'a>> {
        let line = NotationLine::parse(text).map_err(PlayLineError::Line)?;
        if line.is_empty() {
            return Ok(());
        }
        if self.is_over {
            return Err(PlayLineError::GameOver);
        }
        let moves = line.moves();
        if let (Some(color), Some(text)) = (line.first_to_move, moves[0])
            && color != self.board.turn()
        {
            return Err(PlayLineError::OutOfTurn { color, text });
        }
        for text in moves.into_iter().flatten() {
            let mv = parse_san(text, &self.board, Dialect::Lenient);
            let mv = mv.map_err(|reason| PlayLineError::Move {
                color: self.board.turn(),
                text,
                reason,
            })?;
            self.board.play(mv);
            on_board(&self.board);
        }
        self.is_over = line.result.is_some();
        Ok(())
    }
}
