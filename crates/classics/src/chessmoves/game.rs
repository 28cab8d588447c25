//! A game that is played line by line.

use tabiya_board::{Board, Color};
use tabiya_notation::{Dialect, SanError, read_move};
use thiserror::Error;

use super::line::{Line, LineError, shown};

/// A game as far as it has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    board: Board,
    is_over: bool,
}

/// Why a line cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem<'a> {
    /// It cannot be read.
    #[error("{0}")]
    Line(LineError<'a>),
    /// A move on it cannot be read, is not legal, or may mean several.
    #[error("{color}'s move {} cannot be played: {reason}", shown(text))]
    Move {
        /// Whose move it is.
        color: Color,
        /// How it is written.
        text: &'a str,
        /// What is wrong with it.
        reason: SanError,
    },
    /// The number says that it starts with the move of the side that is not to move.
    #[error(
        "{color}'s move {} comes out of turn: a move by {} is missing before it",
        shown(text),
        !*color
    )]
    OutOfTurn {
        /// Whose move it would be.
        color: Color,
        /// How it is written.
        text: &'a str,
    },
    /// The result stood on an earlier line.
    #[error("the game is over: nothing may stand behind its result")]
    Over,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game that begins.
    pub fn new() -> Self {
        Self {
            board: Board::start(),
            is_over: false,
        }
    }

    /// The board that has been reached.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Plays the moves of a line and shows the board after each of them. What cannot be read or played ends it there.
    ///
    /// Numbers are not counted, but they say whose move it is.
    pub fn play_line<'a>(
        &mut self,
        text: &'a str,
        mut reached: impl FnMut(&Board),
    ) -> Result<(), Problem<'a>> {
        let line = Line::read(text).map_err(Problem::Line)?;
        if line.is_empty() {
            return Ok(());
        }
        if self.is_over {
            return Err(Problem::Over);
        }
        let moves = line.moves();
        if let (Some(color), Some(text)) = (line.starts, moves[0])
            && color != self.board.turn()
        {
            return Err(Problem::OutOfTurn { color, text });
        }
        for text in moves.into_iter().flatten() {
            let mv = read_move(text, &self.board, Dialect::Chessmoves);
            let mv = mv.map_err(|reason| Problem::Move {
                color: self.board.turn(),
                text,
                reason,
            })?;
            self.board.play(mv);
            reached(&self.board);
        }
        self.is_over = line.result.is_some();
        Ok(())
    }
}
