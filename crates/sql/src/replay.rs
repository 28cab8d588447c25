//! The moves of a game, played from its start.

use datafusion::common::{DataFusionError, exec_datafusion_err, exec_err};
use tabiya_board::{Board, Move};
use tabiya_notation::polyglot;

/// Reads a FEN.
pub(crate) fn board(fen: &str) -> Result<Board, DataFusionError> {
    fen.parse()
        .map_err(|error| exec_datafusion_err!("'{fen}' is not a position: {error}"))
}

/// The positions of a game, one after another.
pub(crate) struct Replay<'a> {
    board: Board,
    /// Two bytes for each move that is still to come.
    moves: &'a [[u8; 2]],
    played: usize,
}

impl<'a> Replay<'a> {
    /// A game from its column `moves`, and the FEN of its start if it is not the usual one.
    pub(crate) fn new(moves: &'a [u8], start: Option<&str>) -> Result<Self, DataFusionError> {
        let (moves, rest) = moves.as_chunks();
        if !rest.is_empty() {
            return exec_err!("these are not moves: use the column moves of the table games");
        }
        Ok(Self {
            board: start.map_or_else(|| Ok(Board::start()), board)?,
            moves,
            played: 0,
        })
    }

    pub(crate) const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the next move, unless the game has ended.
    pub(crate) fn next_move(&self) -> Result<Option<Move>, DataFusionError> {
        let Some(packed) = self.moves.first() else {
            return Ok(None);
        };
        let number = u128::from(u16::from_le_bytes(*packed)) << 48;
        let mv = polyglot::Entry::from_bytes(&number.to_be_bytes()).to_move(&self.board);
        if mv.is_none() {
            return exec_err!(
                "move {} of a game is not legal: if the game starts from another position, give its FEN as the last \
                 argument, as in fen_after(moves, 10, FEN)",
                self.played + 1
            );
        }
        Ok(mv)
    }

    /// Plays the next move and returns it, unless the game has ended.
    pub(crate) fn play(&mut self) -> Result<Option<Move>, DataFusionError> {
        let mv = self.next_move()?;
        if let Some(mv) = mv {
            self.board.play_unchecked(mv);
            self.moves = &self.moves[1..];
            self.played += 1;
        }
        Ok(mv)
    }

    /// Plays this many moves. Returns whether the game is that long.
    pub(crate) fn play_to(&mut self, ply: i64) -> Result<bool, DataFusionError> {
        // Not an error: a query asks for move 40 of all games, and some are shorter.
        if ply < 0 || ply > self.moves.len() as i64 {
            return Ok(false);
        }
        for _ in 0..ply {
            self.play()?;
        }
        Ok(true)
    }
}
