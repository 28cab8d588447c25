//! Arguments as Python writes them: squares, colours and kinds of pieces as numbers.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use tabiya_board::{Bitboard, Color, Role, Square};

use crate::square_set::PySquareSet;

/// A square, from 0 (a1) to 63 (h8).
#[derive(Clone, Copy)]
pub(crate) struct SquareArg(pub(crate) Square);

impl<'py> FromPyObject<'_, 'py> for SquareArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number: i64 = object.extract().map_err(|_| not_a_square(object))?;
        let square = usize::try_from(number).ok().and_then(Square::from_index);
        square.map(Self).ok_or_else(|| not_a_square(object))
    }
}

fn not_a_square(object: Borrowed<'_, '_, PyAny>) -> PyErr {
    let message = format!(
        "{} is not a square: squares are the numbers from 0 (a1) to 63 (h8)",
        repr(&object)
    );
    if object.extract::<i64>().is_ok() {
        PyValueError::new_err(message)
    } else {
        PyTypeError::new_err(message)
    }
}

/// How Python shows an object, shortened.
pub(crate) fn repr(object: &Bound<'_, PyAny>) -> String {
    let Ok(text) = object.repr() else {
        return "an object".to_owned();
    };
    let text = text.to_string_lossy();
    if text.chars().count() > 80 {
        text.chars().take(79).chain(['…']).collect()
    } else {
        text.into_owned()
    }
}

/// A colour: `True` for White, `False` for Black.
#[derive(Clone, Copy)]
pub(crate) struct ColorArg(pub(crate) Color);

impl<'py> FromPyObject<'_, 'py> for ColorArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(value) = object.cast::<PyBool>() {
            return Ok(Self(color(value.is_true())));
        }
        Ok(Self(color(object.is_truthy()?)))
    }
}

pub(crate) const fn color(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// A kind of piece, from 1 (pawn) to 6 (king).
#[derive(Clone, Copy)]
pub(crate) struct RoleArg(pub(crate) Role);

impl<'py> FromPyObject<'_, 'py> for RoleArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number: i64 = object.extract()?;
        let index = usize::try_from(number - 1).ok();
        let role = index.and_then(|index| Role::ALL.get(index));
        role.copied().map(Self).ok_or_else(|| {
            PyValueError::new_err(format!(
                "{number} is not a kind of piece: they are the numbers from 1 (pawn) to 6 (king)"
            ))
        })
    }
}

/// The number of a kind of piece, from 1 (pawn) to 6 (king).
pub(crate) const fn role_number(role: Role) -> u8 {
    role.index() as u8 + 1
}

/// A set of squares: a `SquareSet`, a number whose bits are squares, or an iterable of squares.
#[derive(Clone, Copy)]
pub(crate) struct SquaresArg(pub(crate) Bitboard);

impl<'py> FromPyObject<'_, 'py> for SquaresArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(set) = object.cast::<PySquareSet>() {
            return Ok(Self(Bitboard(set.try_borrow()?.mask)));
        }
        if object.hasattr("__index__")? {
            // As in python-chess, bits above the 64th don't count and negative numbers are complements.
            let all: u64 = u64::MAX;
            return Ok(Self(Bitboard(
                object.call_method1("__and__", (all,))?.extract()?,
            )));
        }
        let mut squares = Bitboard::EMPTY;
        for item in object.try_iter()? {
            let SquareArg(square) = item?.extract()?;
            squares.insert(square);
        }
        Ok(Self(squares))
    }
}
