//! Checking games by playing them again.

use tabiya_board::{Board, GameHistory, Refusal};
use thiserror::Error;

use crate::MAX_PLIES;
use crate::blocks::Block;
use crate::game::{SelfplayGame, Termination, Wdl};
use crate::record::{TrainingRecord, TrainingRecordError};
use crate::referee::{Referee, ScoreAdjudication, end_by_rules};

/// An error in a game. Plies count from 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameCheckError {
    /// An illegal move.
    #[error("ply {ply}: {mv} is illegal: {why}")]
    IllegalMove {
        /// The ply.
        ply: usize,
        /// The move.
        mv: crate::PackedMove,
        /// The reason.
        why: Refusal,
    },
    /// Sixteen bits that are not a move.
    #[error("ply {ply}: {mv} is not a move")]
    InvalidMove {
        /// The ply.
        ply: usize,
        /// The move.
        mv: crate::PackedMove,
    },
    /// The game continued after its end.
    #[error("ply {ply}: the game continued after its end ({termination})")]
    PlayedOn {
        /// The last ply of the game.
        ply: usize,
        /// How it ended.
        termination: Termination,
    },
    /// The game ended in another way than recorded.
    #[error("the file says {said} ({said_result}), but the game ended by {termination} ({result})")]
    WrongEnd {
        /// The recorded end.
        said: Termination,
        /// Its result.
        said_result: Wdl,
        /// How it ended.
        termination: Termination,
        /// Its result.
        result: Wdl,
    },
    /// The game is not over.
    #[error(
        "the file says {said} ({said_result}), but neither the last position nor the scores end the game that way"
    )]
    NotOver {
        /// The recorded end.
        said: Termination,
        /// Its result.
        said_result: Wdl,
    },
    /// An invalid record.
    #[error("record of ply {ply}: {error}")]
    Record {
        /// The ply of its move.
        ply: usize,
        /// The reason.
        error: TrainingRecordError,
    },
    /// A record with another position than the game.
    #[error("record of ply {ply}: the position is {found} instead of {expected}")]
    WrongPosition {
        /// The ply of its move.
        ply: usize,
        /// The position of the record.
        found: Box<Board>,
        /// The position of the game.
        expected: Box<Board>,
    },
    /// A record with the right position but something else wrong.
    #[error("record of ply {ply}: the ply, the result or a flag is wrong")]
    WrongRecord {
        /// The ply of its move.
        ply: usize,
    },
}

/// Plays a game again: every move must be legal, and the game must end when and how it says.
///
/// With the adjudication that it was played with, the scores must end it at exactly that point. Without, an adjudicated
/// win must fit the last score, and a game of maximum length must have it.
pub fn replay(
    game: &SelfplayGame,
    adjudication: Option<ScoreAdjudication>,
) -> Result<GameHistory, GameCheckError> {
    let mut line = GameHistory::default();
    for &mv in &game.opening {
        play(&mut line, mv)?;
    }
    let mut referee = adjudication.map(Referee::new);
    let mut over = end_by_rules(&line);
    for (i, &(mv, score)) in game.searched.iter().enumerate() {
        // Random moves may lead to a draw by repetition: the game continues from there.
        if let Some((termination, _)) = over
            && i > 0
        {
            let ply = line.played().len();
            return Err(GameCheckError::PlayedOn { ply, termination });
        }
        play(&mut line, mv)?;
        over = match &mut referee {
            Some(referee) => referee.judge(&line, score),
            None => end_by_rules(&line),
        };
    }
    let said = (game.termination, game.result);
    match over {
        Some(over) if over == said => Ok(line),
        Some((termination, result)) => Err(GameCheckError::WrongEnd {
            said: said.0,
            said_result: said.1,
            termination,
            result,
        }),
        None if adjudication.is_none() && may_be_adjudicated(game) => Ok(line),
        None => Err(GameCheckError::NotOver {
            said: said.0,
            said_result: said.1,
        }),
    }
}

/// Whether a game that is not over by the rules may have been adjudicated as it says.
fn may_be_adjudicated(game: &SelfplayGame) -> bool {
    match game.termination {
        Termination::AdjudicatedWin => game.searched.last().is_some_and(|&(_, score)| {
            let mover_is_white = game.plies() % 2 == 1;
            let white_wins = (score > 0) == mover_is_white;
            score != 0 && game.result == [Wdl::Loss, Wdl::Win][usize::from(white_wins)]
        }),
        Termination::AdjudicatedDraw => game.result == Wdl::Draw,
        Termination::MaxPlies => game.result == Wdl::Draw && game.plies() >= MAX_PLIES,
        _ => false,
    }
}

fn play(line: &mut GameHistory, mv: crate::PackedMove) -> Result<(), GameCheckError> {
    let ply = line.played().len() + 1;
    let legal = mv.on(line.board()).map_err(|why| match why {
        Some(why) => GameCheckError::IllegalMove { ply, mv, why },
        None => GameCheckError::InvalidMove { ply, mv },
    })?;
    line.play(legal);
    Ok(())
}

/// Returns the records of a game that has been replayed.
pub(crate) fn records(game: &SelfplayGame, line: &GameHistory) -> Vec<TrainingRecord> {
    let first = game.opening.len();
    let played = line.played().iter().enumerate().skip(first);
    let record = |((ply, (board, mv)), &(_, score)): ((usize, &(Board, _)), &(_, i16))| {
        TrainingRecord::new(board, *mv, score, ply as u16, game.result)
    };
    played.zip(&game.searched).map(record).collect()
}

/// Replays the game of a block, and compares the positions with its records.
pub fn check_block(block: &Block, adjudication: ScoreAdjudication) -> Result<(), GameCheckError> {
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
            .map_err(|error| GameCheckError::Record { ply, error })?;
        if decoded.placement() != board.placement()
            || decoded.turn() != board.turn()
            || decoded.castling_rooks() != board.castling_rooks()
        {
            return Err(GameCheckError::WrongPosition {
                ply,
                found: Box::new(decoded),
                expected: Box::new(*board),
            });
        }
        if found != expected {
            return Err(GameCheckError::WrongRecord { ply });
        }
    }
    Ok(())
}
