//! What an engine reports.

use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya_board::{Board, GameHistory};
use tabiya_notation::uci::{Bound as ScoreBound, SearchInfo};
use tabiya_notation::{MoveText, Score};

use crate::chess_move::PyMove;
use crate::score::PyScore;

/// What an engine reports about a line.
#[pyclass(frozen, name = "Info", module = "tabiya")]
pub(crate) struct PyInfo {
    info: SearchInfo,
    board: Board,
    chess960: bool,
}

impl PyInfo {
    pub(crate) fn of(info: SearchInfo, game: &GameHistory, chess960: bool) -> Self {
        Self {
            info,
            board: *game.board(),
            chess960,
        }
    }
}

#[pymethods]
impl PyInfo {
    /// The depth in plies.
    #[getter]
    const fn depth(&self) -> u32 {
        self.info.depth
    }

    /// The longest line searched, in plies.
    #[getter]
    const fn seldepth(&self) -> u32 {
        self.info.seldepth
    }

    /// The rank of the line among the best ones, from 1.
    #[getter]
    const fn multipv(&self) -> usize {
        self.info.multipv
    }

    /// The score for the side to move.
    #[getter]
    const fn score(&self) -> PyScore {
        PyScore(self.info.score)
    }

    /// The score for White.
    #[getter]
    fn white_score(&self) -> PyScore {
        PyScore(self.info.score.for_white(self.board.turn()))
    }

    /// `"exact"`, or `"lower"` or `"upper"` if the true score is at least or at most this.
    #[getter]
    const fn bound(&self) -> &'static str {
        match self.info.bound {
            ScoreBound::Lower => "lower",
            ScoreBound::Upper => "upper",
            ScoreBound::Exact => "exact",
        }
    }

    /// Expected wins, draws and losses of the side to move, in thousandths, or `None`.
    #[getter]
    fn wdl(&self) -> Option<(u32, u32, u32)> {
        self.info.wdl.map(|[win, draw, loss]| (win, draw, loss))
    }

    /// The positions searched.
    #[getter]
    const fn nodes(&self) -> u64 {
        self.info.nodes
    }

    /// The positions searched per second.
    #[getter]
    fn nps(&self) -> u64 {
        self.info.nps()
    }

    /// How full the hash table is, in thousandths.
    #[getter]
    const fn hashfull(&self) -> u32 {
        self.info.hashfull
    }

    /// The seconds since the search began.
    #[getter]
    fn time(&self) -> f64 {
        self.info.time.as_secs_f64()
    }

    /// The line.
    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut board = self.board;
        let mut moves = Vec::with_capacity(self.info.pv.len());
        for &mv in &self.info.pv {
            moves.push(PyMove::of(py, &board, mv, self.chess960)?);
            board.play_unchecked(mv);
        }
        PyList::new(py, moves)
    }

    /// The line in SAN, with move numbers.
    fn pv_san(&self) -> String {
        self.board.variation_san(&self.info.pv).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        let score = match self.info.score {
            Score::Cp(_) => format!("{:+}", self.info.score),
            Score::Mate(_) => self.info.score.to_string(),
        };
        format!(
            "<Info: depth {}, {score}, {}>",
            self.info.depth,
            self.pv_san()
        )
    }
}
