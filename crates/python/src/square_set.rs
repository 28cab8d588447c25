//! Sets of squares.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};
use tabiya_board::{Bitboard, Rank, Square, attacks};

use crate::arguments::{SquareArg, SquaresArg};

/// A set of squares, stored as the 64 bits of a number.
///
/// >>> import tabiya
/// >>> squares = tabiya.SquareSet([tabiya.A1, tabiya.H8])
/// >>> len(squares), tabiya.A1 in squares, hex(squares)
/// (2, True, '0x8000000000000001')
#[pyclass(subclass, name = "SquareSet", module = "tabiya")]
pub(crate) struct PySquareSet {
    pub(crate) mask: u64,
}

impl From<Bitboard> for PySquareSet {
    fn from(squares: Bitboard) -> Self {
        Self { mask: squares.0 }
    }
}

fn numbers(mask: u64) -> impl DoubleEndedIterator<Item = usize> {
    let squares: Vec<Square> = Bitboard(mask).into_iter().collect();
    squares.into_iter().map(Square::index)
}

#[pymethods]
impl PySquareSet {
    #[new]
    #[pyo3(signature = (squares=SquaresArg(Bitboard::EMPTY)))]
    const fn new(squares: SquaresArg) -> Self {
        Self { mask: squares.0.0 }
    }

    /// The set of one square.
    #[classmethod]
    fn from_square(_cls: &Bound<'_, PyType>, square: SquareArg) -> Self {
        Bitboard::from(square.0).into()
    }

    /// The squares of the rank, file or diagonal through two squares, or none.
    #[classmethod]
    fn ray(_cls: &Bound<'_, PyType>, a: SquareArg, b: SquareArg) -> Self {
        attacks::line(a.0, b.0).into()
    }

    /// The squares between two squares on a line, excluding both.
    #[classmethod]
    fn between(_cls: &Bound<'_, PyType>, a: SquareArg, b: SquareArg) -> Self {
        attacks::between(a.0, b.0).into()
    }

    /// The set as a number.
    #[getter]
    const fn mask(&self) -> u64 {
        self.mask
    }

    #[setter]
    fn set_mask(&mut self, mask: u64) {
        self.mask = mask;
    }

    fn __contains__(&self, square: &Bound<'_, PyAny>) -> bool {
        let square = square.extract::<SquareArg>();
        square.is_ok_and(|square| Bitboard(self.mask).contains(square.0))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::new(py, numbers(self.mask).collect::<Vec<_>>())?;
        list.call_method0("__iter__")
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::new(py, numbers(self.mask).rev().collect::<Vec<_>>())?;
        list.call_method0("__iter__")
    }

    const fn __len__(&self) -> usize {
        self.mask.count_ones() as usize
    }

    const fn __bool__(&self) -> bool {
        self.mask != 0
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .extract::<SquaresArg>()
            .is_ok_and(|other| other.0.0 == self.mask)
    }

    const fn __int__(&self) -> u64 {
        self.mask
    }

    const fn __index__(&self) -> u64 {
        self.mask
    }

    const fn __and__(&self, other: SquaresArg) -> Self {
        Self {
            mask: self.mask & other.0.0,
        }
    }

    const fn __or__(&self, other: SquaresArg) -> Self {
        Self {
            mask: self.mask | other.0.0,
        }
    }

    const fn __xor__(&self, other: SquaresArg) -> Self {
        Self {
            mask: self.mask ^ other.0.0,
        }
    }

    const fn __sub__(&self, other: SquaresArg) -> Self {
        Self {
            mask: self.mask & !other.0.0,
        }
    }

    const fn __rand__(&self, other: SquaresArg) -> Self {
        self.__and__(other)
    }

    const fn __ror__(&self, other: SquaresArg) -> Self {
        self.__or__(other)
    }

    const fn __rxor__(&self, other: SquaresArg) -> Self {
        self.__xor__(other)
    }

    const fn __rsub__(&self, other: SquaresArg) -> Self {
        Self {
            mask: other.0.0 & !self.mask,
        }
    }

    fn __iand__(&mut self, other: SquaresArg) {
        self.mask &= other.0.0;
    }

    fn __ior__(&mut self, other: SquaresArg) {
        self.mask |= other.0.0;
    }

    fn __ixor__(&mut self, other: SquaresArg) {
        self.mask ^= other.0.0;
    }

    fn __isub__(&mut self, other: SquaresArg) {
        self.mask &= !other.0.0;
    }

    const fn __invert__(&self) -> Self {
        Self { mask: !self.mask }
    }

    fn __lshift__(&self, shift: u32) -> Self {
        Self {
            mask: self.mask.checked_shl(shift).unwrap_or(0),
        }
    }

    fn __rshift__(&self, shift: u32) -> Self {
        Self {
            mask: self.mask.checked_shr(shift).unwrap_or(0),
        }
    }

    /// Adds a square.
    fn add(&mut self, square: SquareArg) {
        self.mask |= Bitboard::from(square.0).0;
    }

    /// Removes a square if it is in the set.
    fn discard(&mut self, square: SquareArg) {
        self.mask &= !Bitboard::from(square.0).0;
    }

    /// Removes a square, which must be in the set.
    fn remove(&mut self, square: SquareArg) -> PyResult<()> {
        if !Bitboard(self.mask).contains(square.0) {
            return Err(PyKeyError::new_err(square.0.index()));
        }
        self.discard(square);
        Ok(())
    }

    /// Removes the first square and returns it.
    fn pop(&mut self) -> PyResult<usize> {
        let square = Bitboard(self.mask).first();
        let square = square.ok_or_else(|| PyKeyError::new_err("the set of squares is empty"))?;
        self.discard(SquareArg(square));
        Ok(square.index())
    }

    /// Removes all squares.
    fn clear(&mut self) {
        self.mask = 0;
    }

    /// Adds the squares of other sets.
    #[pyo3(signature = (*others))]
    fn update(&mut self, others: Vec<SquaresArg>) {
        for other in others {
            self.mask |= other.0.0;
        }
    }

    /// Keeps only the squares that are in other sets too.
    #[pyo3(signature = (*others))]
    fn intersection_update(&mut self, others: Vec<SquaresArg>) {
        for other in others {
            self.mask &= other.0.0;
        }
    }

    /// Removes the squares of other sets.
    #[pyo3(signature = (*others))]
    fn difference_update(&mut self, others: Vec<SquaresArg>) {
        for other in others {
            self.mask &= !other.0.0;
        }
    }

    /// Keeps the squares that are in one of the two sets but not in both.
    fn symmetric_difference_update(&mut self, other: SquaresArg) {
        self.mask ^= other.0.0;
    }

    /// The squares that are in any of the sets.
    #[pyo3(signature = (*others))]
    fn union(&self, others: Vec<SquaresArg>) -> Self {
        Self {
            mask: others
                .iter()
                .fold(self.mask, |mask, other| mask | other.0.0),
        }
    }

    /// The squares that are in all of the sets.
    #[pyo3(signature = (*others))]
    fn intersection(&self, others: Vec<SquaresArg>) -> Self {
        Self {
            mask: others
                .iter()
                .fold(self.mask, |mask, other| mask & other.0.0),
        }
    }

    /// The squares that are in none of the other sets.
    #[pyo3(signature = (*others))]
    fn difference(&self, others: Vec<SquaresArg>) -> Self {
        Self {
            mask: others
                .iter()
                .fold(self.mask, |mask, other| mask & !other.0.0),
        }
    }

    /// The squares that are in one of the two sets but not in both.
    const fn symmetric_difference(&self, other: SquaresArg) -> Self {
        self.__xor__(other)
    }

    /// Whether the two sets have no square in common.
    const fn isdisjoint(&self, other: SquaresArg) -> bool {
        self.mask & other.0.0 == 0
    }

    /// Whether all squares are in the other set too.
    const fn issubset(&self, other: SquaresArg) -> bool {
        self.mask & !other.0.0 == 0
    }

    /// Whether all squares of the other set are in this one.
    const fn issuperset(&self, other: SquaresArg) -> bool {
        other.0.0 & !self.mask == 0
    }

    /// A copy.
    const fn copy(&self) -> Self {
        Self { mask: self.mask }
    }

    const fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: Py<PyAny>) -> Self {
        self.copy()
    }

    /// The set with its ranks turned upside down.
    const fn mirror(&self) -> Self {
        Self {
            mask: self.mask.swap_bytes(),
        }
    }

    /// 64 booleans, from a1 to h8.
    fn tolist(&self) -> Vec<bool> {
        (0..64).map(|square| self.mask >> square & 1 != 0).collect()
    }

    /// All subsets, the empty set first.
    fn carry_rippler<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PySubsets>> {
        let subsets = PySubsets {
            mask: self.mask,
            next: Some(0),
        };
        Bound::new(py, subsets)
    }

    fn __repr__(&self) -> String {
        format!(
            "SquareSet(0x{:0>4x}_{:0>4x}_{:0>4x}_{:0>4x})",
            self.mask >> 48,
            self.mask >> 32 & 0xffff,
            self.mask >> 16 & 0xffff,
            self.mask & 0xffff
        )
    }

    fn __str__(&self) -> String {
        let rank = |rank: Rank| {
            let cells = (0..8).map(|file| {
                let bit = rank.index() * 8 + file;
                if self.mask >> bit & 1 != 0 { "1" } else { "." }
            });
            cells.collect::<Vec<_>>().join(" ")
        };
        let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(rank).collect();
        ranks.join("\n")
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let svg = slf.py().import("tabiya.svg")?;
        Ok(svg.call_method1("square_set", (slf,))?.unbind())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let mask = slf.try_borrow()?.mask;
        (slf.get_type(), (mask,)).into_pyobject(slf.py())
    }
}

/// The subsets of a set of squares.
#[pyclass(name = "Subsets", module = "tabiya")]
pub(crate) struct PySubsets {
    mask: u64,
    next: Option<u64>,
}

#[pymethods]
impl PySubsets {
    const fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self) -> Option<u64> {
        let subset = self.next?;
        let next = subset.wrapping_sub(self.mask) & self.mask;
        self.next = (next != 0).then_some(next);
        Some(subset)
    }
}
