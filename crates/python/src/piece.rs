//! Pieces.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use tabiya_board::{Color, Piece};

use crate::arguments::{ColorArg, RoleArg, role_number};

/// A kind of piece and its colour.
///
/// >>> import tabiya
/// >>> tabiya.Piece.from_symbol("n") == tabiya.Piece(tabiya.KNIGHT, tabiya.BLACK)
/// True
#[pyclass(frozen, name = "Piece", module = "tabiya")]
pub(crate) struct PyPiece {
    pub(crate) piece: Piece,
}

static PIECES: PyOnceLock<Vec<Py<PyPiece>>> = PyOnceLock::new();

impl PyPiece {
    /// The object of a piece.
    pub(crate) fn get(py: Python<'_>, piece: Piece) -> PyResult<Bound<'_, Self>> {
        let pieces = PIECES.get_or_try_init(py, || -> PyResult<_> {
            let mut pieces = Vec::new();
            for color in Color::ALL {
                for role in tabiya_board::Role::ALL {
                    let piece = Piece::new(color, role);
                    pieces.push(Py::new(py, Self { piece })?);
                }
            }
            Ok(pieces)
        })?;
        let index = piece.color.index() * 6 + piece.role.index();
        Ok(pieces[index].bind(py).clone())
    }
}

/// The Unicode figure of a piece.
pub(crate) const fn figure(piece: Piece, invert_color: bool) -> &'static str {
    const FIGURES: [[&str; 6]; 2] = [
        ["♙", "♘", "♗", "♖", "♕", "♔"],
        ["♟", "♞", "♝", "♜", "♛", "♚"],
    ];
    let color = piece.color.index() ^ invert_color as usize;
    FIGURES[color][piece.role.index()]
}

#[pymethods]
impl PyPiece {
    #[new]
    fn new(py: Python<'_>, piece_type: RoleArg, color: ColorArg) -> PyResult<Bound<'_, Self>> {
        Self::get(py, Piece::new(color.0, piece_type.0))
    }

    /// The piece of a FEN letter: `N` is a white knight, `n` a black one.
    #[staticmethod]
    fn from_symbol<'py>(py: Python<'py>, symbol: &str) -> PyResult<Bound<'py, Self>> {
        let mut letters = symbol.chars();
        let (Some(piece), None) = (letters.next().and_then(Piece::from_char), letters.next())
        else {
            return Err(PyValueError::new_err(format!(
                "{symbol:?} is not a piece: write one of PNBRQKpnbrqk"
            )));
        };
        Self::get(py, piece)
    }

    /// The kind of piece, from `PAWN` to `KING`.
    #[getter]
    const fn piece_type(&self) -> u8 {
        role_number(self.piece.role)
    }

    /// `WHITE` or `BLACK`.
    #[getter]
    const fn color(&self) -> bool {
        self.piece.color.is_white()
    }

    /// The letter in FEN.
    fn symbol(&self) -> String {
        self.piece.char().to_string()
    }

    /// The Unicode figure.
    #[pyo3(signature = (*, invert_color=false))]
    fn unicode_symbol(&self, invert_color: bool) -> &'static str {
        figure(self.piece, invert_color)
    }

    fn __str__(&self) -> String {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.piece.char())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| self.piece == other.get().piece)
    }

    fn __hash__(&self) -> usize {
        usize::from(self.piece_type()) - 1 + 6 * usize::from(!self.color())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let piece = slf.get();
        (slf.get_type(), (piece.piece_type(), piece.color())).into_pyobject(slf.py())
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let svg = py.import("tabiya.svg")?;
        Ok(svg
            .call_method1("piece", (Self::get(py, self.piece)?,))?
            .unbind())
    }
}
