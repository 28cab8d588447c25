//! Proofs of mate.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya_board::Board;
use tabiya_engine::prove::{MateVerdict, ProofLimits, mate};

use crate::board::PyBoard;
use crate::chess_move::PyMove;
use crate::engine::{game_of, seconds};
use crate::games::interrupted;

/// Proves the shortest mate within a number of moves, exhaustively: its line, or `None` if there is no such mate.
///
/// Raises `TimeoutError` if a limit ended the proof.
///
/// >>> import tabiya
/// >>> tabiya.prove_mate(tabiya.Board("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"), 2)
/// [Move.from_uci('d1d8')]
#[pyfunction]
#[pyo3(signature = (board, moves, *, time=None, nodes=None))]
pub(crate) fn prove_mate<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyBoard>,
    moves: u32,
    time: Option<f64>,
    nodes: Option<u64>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    if !(1..=tabiya_engine::prove::MAX_MOVES).contains(&moves) {
        let most = tabiya_engine::prove::MAX_MOVES;
        return Err(PyValueError::new_err(format!(
            "moves is a number from 1 to {most}, not {moves}"
        )));
    }
    let (game, chess960) = game_of(board)?;
    let board: Board = *game.board();
    let stop = AtomicBool::new(false);
    let time = time.map(seconds).transpose()?;
    let (verdict, failed) = py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                mate(
                    &board,
                    moves,
                    &ProofLimits {
                        nodes,
                        time,
                        stop: Some(&stop),
                    },
                )
            });
            let mut failed = None;
            while !worker.is_finished() {
                std::thread::sleep(Duration::from_millis(5));
                if failed.is_none()
                    && let Err(error) = interrupted()
                {
                    stop.store(true, Ordering::Relaxed);
                    failed = Some(error);
                }
            }
            (worker.join(), failed)
        })
    });
    if let Some(error) = failed {
        return Err(error);
    }
    match verdict {
        Ok(MateVerdict::Mate { line, .. }) => {
            let mut at = board;
            let mut objects = Vec::with_capacity(line.len());
            for mv in line {
                objects.push(PyMove::of(py, &at, mv, chess960)?);
                at.play_unchecked(mv);
            }
            Ok(Some(PyList::new(py, objects)?))
        }
        Ok(MateVerdict::NoMate) => Ok(None),
        Ok(MateVerdict::Undecided { no_mate_in }) => Err(PyTimeoutError::new_err(format!(
            "undecided: proved only that there is no mate in {no_mate_in}"
        ))),
        Err(_) => Err(PyRuntimeError::new_err("the proof failed")),
    }
}
