//! Polyglot opening books.

use std::io::Read;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_notation::polyglot;

use crate::arguments::repr;
use crate::board::PyBoard;
use crate::chess_move::PyMove;
use crate::source::{Source, os_error};

/// An opening book in Polyglot's format, `.bin`: a path, an open file, or bytes. It is read as a whole.
///
/// >>> import tabiya
/// >>> entry = bytes.fromhex("463b96181691fc9c 031c 0003 00000000")
/// >>> book = tabiya.Book(entry)
/// >>> book.moves(tabiya.Board())
/// [(Move.from_uci('e2e4'), 3)]
#[pyclass(frozen, name = "Book", module = "tabiya")]
pub(crate) struct PyBook {
    book: polyglot::Book<Vec<u8>>,
}

#[pymethods]
impl PyBook {
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = repr(source);
        let Source { mut bytes, error } = Source::open(source)?;
        let mut contents = Vec::new();
        let read = bytes.read_to_end(&mut contents);
        read.map_err(|error| os_error(&name, &error))?;
        if let Some(error) = error.and_then(|(slot, name)| Some(os_error(&name, &slot.take()?))) {
            return Err(error);
        }
        let book = polyglot::Book::new(contents)
            .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        Ok(Self { book })
    }

    fn __len__(&self) -> usize {
        self.book.len()
    }

    fn __contains__(&self, board: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(board) = board.cast::<PyBoard>() else {
            return Ok(false);
        };
        let board = board.try_borrow()?;
        Ok(!self.book.moves(board.board()).is_empty())
    }

    /// The legal moves that the book knows in a position, with their weights, the heaviest first.
    fn moves<'py>(&self, board: &Bound<'py, PyBoard>) -> PyResult<Vec<(Bound<'py, PyMove>, u16)>> {
        let py = board.py();
        let board = board.try_borrow()?;
        let moves = self.book.moves(board.board()).into_iter();
        let objects = moves.map(|(mv, weight)| {
            let object = PyMove::of(py, board.board(), mv, board.chess960)?;
            Ok((object, weight))
        });
        objects.collect()
    }

    /// A random move of the book, chosen by weight, or `None`. The same seed gives the same move.
    #[pyo3(signature = (board, *, seed=None))]
    fn choose<'py>(
        &self,
        board: &Bound<'py, PyBoard>,
        seed: Option<u64>,
    ) -> PyResult<Option<Bound<'py, PyMove>>> {
        let py = board.py();
        let random = py.import("random")?;
        let random = match seed {
            // Neighbouring seeds shall give different moves.
            Some(seed) => random.getattr("Random")?.call1((seed,))?,
            None => random.into_any(),
        };
        let random: u64 = random.call_method1("getrandbits", (64,))?.extract()?;
        let board = board.try_borrow()?;
        let mv = self.book.choose(board.board(), random);
        mv.map(|mv| PyMove::of(py, board.board(), mv, board.chess960))
            .transpose()
    }

    fn __repr__(&self) -> String {
        format!("<Book: {} entries>", self.book.len())
    }
}
