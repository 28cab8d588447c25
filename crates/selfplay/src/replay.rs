//! The proof of a game: it is played again by the rules.

use tabiya_board::{Board, GameHistory, Refusal};
use thiserror::Error;

use crate::MAX_PLIES;
use crate::blocks::Block;
use crate::game::{EndReason, SelfplayGame, Wdl};
use crate::record::{TrainingRecord, RecordError};
use crate::referee::{ScoreAdjudication, Referee, end_by_rules};

/// What is wrong with a game. Plies are counted from 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayError {
    /// A move that the rules forbid.
    #[error("ply {ply}: {mv} is not legal: {why}")]
    IllegalMove {
        /// Which move.
        ply: usize,
        /// The move.
        mv: crate::PackedMove,
        /// The rule.
        why: Refusal,
    },
    /// Sixteen bits that are no move.
    #[error("ply {ply}: {mv} is no move")]
    InvalidMove {
        /// Which move.
        ply: usize,
        /// The move.
        mv: crate::PackedMove,
    },
    /// The game was over and went on.
    #[error("ply {ply}: the game was over here ({ending}) and went on")]
    PlayedOn {
        /// The move that ended it.
        ply: usize,
        /// How it had ended.
        ending: EndReason,
    },
    /// The game ended otherwise than it says.
    #[error("the game says {said} ({said_result}), but it is {ending} ({result})")]
    WrongEnd {
        /// What the game says.
        said: EndReason,
        /// And with what result.
        said_result: Wdl,
        /// How it ended.
        ending: EndReason,
        /// And with what result.
        result: Wdl,
    },
    /// The game says that it has ended, but it has not.
    #[error(
        "the game says {said} ({said_result}), but nothing in the last position or the scores ends it so"
    )]
    NotOver {
        /// What the game says.
        said: EndReason,
        /// And with what result.
        said_result: Wdl,
    },
    /// A record that cannot be read.
    #[error("the record of ply {ply}: {error}")]
    Record {
        /// The move found in it.
        ply: usize,
        /// What is wrong.
        error: RecordError,
    },
    /// A record of another position than the game had.
    #[error(
        "the record of ply {ply} has another position than the game: {found} instead of {expected}"
    )]
    WrongPosition {
        /// The move found in it.
        ply: usize,
        /// The position of the record.
        found: Box<Board>,
        /// The position of the game.
        expected: Box<Board>,
    },
    /// A record that says something else about its position than the game.
    #[error("the record of ply {ply} has a wrong ply, result or flag")]
    WrongRecord {
        /// The move found in it.
        ply: usize,
    },
}

/// Plays a game again from the normal start: every move has to be legal, and the game has to end when and how it says.
///
/// With the adjudication under which it was played, the scores have to end it exactly then. Without, a win that was
/// called has to be one by the last score, and a game that was too long has to be long.
pub fn replay(game: &SelfplayGame, adjudication: Option<ScoreAdjudication>) -> Result<GameHistory, ReplayError> {
    let mut line = GameHistory::default();
    for &mv in &game.opening {
        play(&mut line, mv)?;
    }
    let mut referee = adjudication.map(Referee::new);
    let mut over = end_by_rules(&line);
    for (i, &(mv, score)) in game.searched.iter().enumerate() {
        // Random moves may lead to a position that is over by repetition, and nobody asks.
        if let Some((ending, _)) = over
            && i > 0
        {
            let ply = line.played().len();
            return Err(ReplayError::PlayedOn { ply, ending });
        }
        play(&mut line, mv)?;
        over = match &mut referee {
            Some(referee) => referee.judge(&line, score),
            None => end_by_rules(&line),
        };
    }
    let said = (game.end_reason, game.result);
    match over {
        Some(over) if over == said => Ok(line),
        Some((ending, result)) => Err(ReplayError::WrongEnd {
            said: said.0,
            said_result: said.1,
            ending,
            result,
        }),
        None if adjudication.is_none() && can_be_called(game) => Ok(line),
        None => Err(ReplayError::NotOver {
            said: said.0,
            said_result: said.1,
        }),
    }
}

/// Whether a game that is not over by the rules may have ended as it says.
fn can_be_called(game: &SelfplayGame) -> bool {
    match game.end_reason {
        EndReason::AdjudicatedWin => game.searched.last().is_some_and(|&(_, score)| {
            let mover_is_white = game.plies() % 2 == 1;
            let white_wins = (score > 0) == mover_is_white;
            score != 0
                && game.result == [Wdl::Loss, Wdl::Win][usize::from(white_wins)]
        }),
        EndReason::AdjudicatedDraw => game.result == Wdl::Draw,
        EndReason::MaxPlies => game.result == Wdl::Draw && game.plies() >= MAX_PLIES,
        _ => false,
    }
}

fn play(line: &mut GameHistory, mv: crate::PackedMove) -> Result<(), ReplayError> {
    let ply = line.played().len() + 1;
    let legal = mv.on(line.board()).map_err(|why| match why {
        Some(why) => ReplayError::IllegalMove { ply, mv, why },
        None => ReplayError::InvalidMove { ply, mv },
    })?;
    line.play(legal);
    Ok(())
}

/// The records of a game that has been replayed.
pub(crate) fn records(game: &SelfplayGame, line: &GameHistory) -> Vec<TrainingRecord> {
    let first = game.opening.len();
    let played = line.played().iter().enumerate().skip(first);
    let record = |((ply, (board, mv)), &(_, score)): ((usize, &(Board, _)), &(_, i16))| {
        TrainingRecord::new(board, *mv, score, ply as u16, game.result)
    };
    played.zip(&game.searched).map(record).collect()
}

/// Replays the game of a block, and compares its records with the positions of the game.
pub fn check_block(block: &Block, adjudication: ScoreAdjudication) -> Result<(), ReplayError> {
    let game = block.game();
    let line = replay(&game, Some(adjudication))?;
    let expected = records(&game, &line);
    let first = game.opening.len();
    let boards = line.played()[first..].iter().map(|(board, _)| board);
    for (i, ((found, expected), board)) in
        block.records.iter().zip(&expected).zip(boards).enumerate()
    {
        let ply = first + i + 1;
        let decoded = found
            .board()
            .map_err(|error| ReplayError::Record { ply, error })?;
        if decoded.placement() != board.placement()
            || decoded.turn() != board.turn()
            || decoded.castling_rooks() != board.castling_rooks()
        {
            return Err(ReplayError::WrongPosition {
                ply,
                found: Box::new(decoded),
                expected: Box::new(*board),
            });
        }
        if found != expected {
            return Err(ReplayError::WrongRecord { ply });
        }
    }
    Ok(())
}
