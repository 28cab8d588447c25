//! The engine's evaluation of positions, and the accuracy of players.

use std::cell::RefCell;

use datafusion::common::{DataFusionError, exec_err};
use tabiya_board::{Board, Color, GameHistory};
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_review::{Eval, game_accuracy};

use crate::interrupt;

/// A mate in the column `evals`: this, less the number of moves to it.
const MATE: i32 = 32_000;
/// No forced mate is this long.
const MAX_MATE: i32 = 1000;
/// The evaluation of the start of a game, of which the column knows nothing, in centipawns. Lichess takes the same.
const START: Eval = Eval::Centipawns(15);
/// The transposition table, in megabytes. Searches are short, and it is cleared before each of them.
const HASH: usize = 1;

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// Searches a position with this many nodes, and returns the evaluation for White as in the column `evals`.
pub(crate) fn evaluate(board: &Board, nodes: i64) -> Result<i32, DataFusionError> {
    let Some(nodes) = u64::try_from(nodes).ok().filter(|nodes| *nodes > 0) else {
        return exec_err!("eval needs at least 1 node, not {nodes}");
    };
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let found = ENGINE.with_borrow_mut(|engine| {
        let engine = engine.get_or_insert_with(|| {
            let mut engine = Engine::default();
            // A smaller table will do as well.
            let _ = engine.set_hash(HASH);
            engine
        });
        // Clear the table: the answer must not depend on earlier searches.
        engine.new_game();
        let signal = StopSignal::polling(interrupt::is_stopped);
        engine.think_until(&GameHistory::new(*board), &limits, &signal, &mut |_| {})
    });
    if interrupt::is_stopped() {
        return exec_err!("the query was stopped");
    }
    let eval = match (found, board.outcome()) {
        (_, Some(outcome)) => Eval::of_outcome(outcome),
        (Some(found), None) => Eval::new(found.info.score, board.turn()),
        (None, None) => Eval::Centipawns(0),
    };
    Ok(match eval {
        Eval::Centipawns(points) => points,
        Eval::Mate { winner, moves } => {
            let points = MATE - (moves as i32).min(MAX_MATE);
            if winner.is_white() { points } else { -points }
        }
    })
}

/// Reads a number of the column `evals`.
const fn eval(number: i32) -> Eval {
    let (winner, points) = if number > 0 {
        (Color::White, number)
    } else {
        (Color::Black, number.saturating_neg())
    };
    if points < MATE - MAX_MATE {
        return Eval::Centipawns(number);
    }
    let moves = MATE.saturating_sub(points);
    Eval::Mate {
        winner,
        moves: if moves > 0 { moves as u32 } else { 0 },
    }
}

/// The accuracy of a player in a game whose moves have these evaluations; `None` if he made none of them.
pub(crate) fn accuracy(evals: &[i32], player: Color, first: Color) -> Option<f64> {
    let all = std::iter::once(START).chain(evals.iter().map(|number| eval(*number)));
    let percents: Vec<f64> = all.map(Eval::win_percent).collect();
    let movers: Vec<_> = [first, !first]
        .into_iter()
        .cycle()
        .take(evals.len())
        .map(Some)
        .collect();
    game_accuracy(&percents, &movers, player)
}
