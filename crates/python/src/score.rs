//! Scores of engines.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tabiya_notation::Score;

/// A score: centipawns, or moves to mate. One of `cp` and `mate` is `None`.
///
/// >>> import tabiya
/// >>> str(tabiya.Score(cp=-31)), str(-tabiya.Score(mate=3))
/// ('-0.31', '#-3')
#[pyclass(frozen, eq, hash, name = "Score", module = "tabiya")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyScore(pub(crate) Score);

#[pymethods]
impl PyScore {
    #[new]
    #[pyo3(signature = (*, cp=None, mate=None))]
    fn new(cp: Option<i32>, mate: Option<i32>) -> PyResult<Self> {
        match (cp, mate) {
            (Some(cp), None) if cp != i32::MIN => Ok(Self(Score::Cp(cp))),
            (None, Some(mate)) if mate != i32::MIN => Ok(Self(Score::Mate(mate))),
            _ => Err(PyValueError::new_err("give either cp or mate")),
        }
    }

    /// Centipawns, or `None` if it is a mate.
    #[getter]
    const fn cp(&self) -> Option<i32> {
        match self.0 {
            Score::Cp(cp) => Some(cp),
            Score::Mate(_) => None,
        }
    }

    /// Moves to mate, negative if this side is mated, or `None`.
    #[getter]
    const fn mate(&self) -> Option<i32> {
        match self.0 {
            Score::Mate(mate) => Some(mate),
            Score::Cp(_) => None,
        }
    }

    /// One number for sorting: centipawns, and for a mate in n `mate_score` − n.
    #[pyo3(signature = (*, mate_score=100_000))]
    const fn score(&self, mate_score: i32) -> i32 {
        match self.0 {
            Score::Cp(cp) => cp,
            Score::Mate(mate) if mate > 0 => mate_score.saturating_sub(mate),
            Score::Mate(mate) => mate_score.saturating_neg().saturating_sub(mate),
        }
    }

    fn __neg__(&self) -> Self {
        Self(-self.0)
    }

    /// For pickle and copy.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let arguments = PyDict::new(py);
        match self.0 {
            Score::Cp(cp) => arguments.set_item("cp", cp)?,
            Score::Mate(mate) => arguments.set_item("mate", mate)?,
        }
        Ok((PyTuple::empty(py), arguments))
    }

    fn __str__(&self) -> String {
        format!("{:+}", self.0)
    }

    fn __repr__(&self) -> String {
        match self.0 {
            Score::Cp(cp) => format!("Score(cp={cp})"),
            Score::Mate(mate) => format!("Score(mate={mate})"),
        }
    }
}
