//! A position and how it came about.

use serde::Deserialize;
use tabiya_board::{Board, GameHistory, Move};
use tabiya_notation::uci;

use crate::problem::Problem;

/// The most moves of a line: more than the longest game under the rule of 75 moves.
pub(crate) const MAX_MOVES: usize = 12_000;

/// A starting position and moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Line {
    /// The starting position; the usual one if it is missing.
    #[serde(default)]
    pub fen: Option<String>,
    /// Moves in UCI notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Line {
    /// The starting position.
    pub fn start(&self) -> Result<Board, Problem> {
        match self.fen.as_deref() {
            None => Ok(Board::start()),
            Some(fen) => Ok(fen.parse()?),
        }
    }

    /// Plays the moves. The error names the first that is illegal.
    pub fn history(&self) -> Result<GameHistory, Problem> {
        if self.moves.len() > MAX_MOVES {
            let most = format!("a line has {MAX_MOVES} moves at most");
            return Err(Problem::new(&most));
        }
        let mut history = GameHistory::new(self.start()?);
        for text in &self.moves {
            let mv = read(history.board(), text)?;
            history.play(mv);
        }
        Ok(history)
    }
}

/// Reads a legal move in UCI notation.
pub(crate) fn read(board: &Board, text: &str) -> Result<Move, Problem> {
    uci::parse(text, board).map_err(|error| {
        let squares = match &error {
            uci::UciError::Illegal(refusal) => refusal.squares(),
            _ => tabiya_board::Bitboard::EMPTY,
        };
        let number = board.fullmove_number();
        let dots = if board.turn().is_white() { "." } else { "..." };
        let shown: String = text.chars().take(10).collect();
        Problem::at(&format!("{number}{dots} {shown}: {error}"), squares)
    })
}
