//! The legal moves of a board, as Python iterates over them.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya_board::Board;
use tabiya_notation::write_san;

use crate::chess_move::{PyMove, object_key};
use crate::move_iterator::iterate;

/// The legal moves of the position that the board had when you asked for them.
///
/// >>> import tabiya
/// >>> moves = tabiya.Board().legal_moves
/// >>> len(moves), tabiya.Move.from_uci("e2e4") in moves
/// (20, True)
#[pyclass(frozen, name = "LegalMoves", module = "tabiya")]
pub(crate) struct PyLegalMoves {
    board: Board,
    chess960: bool,
    /// The number of moves once they have been listed: `list` asks for it after it has asked for the moves.
    count: AtomicUsize,
}

const NOT_COUNTED: usize = usize::MAX;

impl PyLegalMoves {
    pub(crate) const fn new(board: Board, chess960: bool) -> Self {
        let count = AtomicUsize::new(NOT_COUNTED);
        Self {
            board,
            chess960,
            count,
        }
    }
}

/// The legal moves as a list of objects.
pub(crate) fn list<'py>(
    py: Python<'py>,
    board: &Board,
    chess960: bool,
) -> PyResult<Bound<'py, PyList>> {
    let objects = PyMove::objects(py)?;
    let moves = board.legal_moves();
    let found = moves
        .iter()
        .map(|&mv| objects[usize::from(object_key(board, mv, chess960))].as_ref())
        .map(|object| object.map(|object| object.bind_borrowed(py)));
    PyList::new(py, found)
}

#[pymethods]
impl PyLegalMoves {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (moves, count) = iterate(py, &self.board, self.chess960)?;
        self.count.store(count, Ordering::Relaxed);
        Ok(moves)
    }

    fn __len__(&self) -> usize {
        match self.count.load(Ordering::Relaxed) {
            NOT_COUNTED => self.board.count_legal(),
            count => count,
        }
    }

    /// The number of moves.
    fn count(&self) -> usize {
        self.__len__()
    }

    fn __bool__(&self) -> bool {
        self.board.has_legal_move()
    }

    fn __contains__(&self, mv: &Bound<'_, PyAny>) -> bool {
        let mv = mv.cast::<PyMove>();
        mv.is_ok_and(|mv| !mv.get().is_null() && mv.get().resolve(&self.board).is_ok())
    }

    fn __repr__(&self) -> String {
        let moves = self.board.legal_moves();
        let names: Vec<String> = moves
            .iter()
            .map(|&mv| write_san(&self.board, mv).to_string())
            .collect();
        format!("<LegalMoves ({})>", names.join(", "))
    }
}
