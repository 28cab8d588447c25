//! `Board.push` and `Board.pop` without the cost of arguments: loops in Python call them more often than anything else.
//!
//! A wheel that also runs on Python 3.9 passes arguments as a tuple, except to methods of one argument that ask for the
//! argument itself. PyO3 makes none of these, so the methods are described here by hand. They play legal moves and take
//! them back; everything else goes to PyO3's methods, which raise the exceptions.
#![expect(unsafe_code, reason = "methods for Python's C interface")]

use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::PyRuntimeError;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use pyo3::{Borrowed, ffi};

use super::*;
use crate::chess_move::object_key;

/// PyO3's methods.
static PUSH: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static POP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

const PUSH_DOC: &CStr = c"push($self, move, /)\n--\n\nPlays a move, or raises an `IllegalMoveError` that says why it is illegal.";
const POP_DOC: &CStr = c"pop($self, /)\n--\n\nTakes back the last move and returns it.";

/// Replaces the methods of the class.
pub(crate) fn install(class: &Bound<'_, PyType>) -> PyResult<()> {
    replace(class, c"push", push, ffi::METH_O, PUSH_DOC, &PUSH)?;
    replace(class, c"pop", pop, ffi::METH_NOARGS, POP_DOC, &POP)
}

fn replace(
    class: &Bound<'_, PyType>,
    name: &'static CStr,
    function: ffi::PyCFunction,
    flags: c_int,
    doc: &'static CStr,
    original: &PyOnceLock<Py<PyAny>>,
) -> PyResult<()> {
    let py = class.py();
    let attribute = PyString::new(py, &name.to_string_lossy());
    if original
        .set(py, class.getattr(&attribute)?.unbind())
        .is_err()
    {
        return Ok(());
    }
    // Python keeps the pointer for as long as the class lives.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunction: function,
        },
        ml_flags: flags,
        ml_doc: doc.as_ptr(),
    }));
    // SAFETY: the class is alive, and the definition is never freed. Its function has the form that the flags ask for.
    let method = unsafe {
        let method = ffi::PyDescr_NewMethod(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(py, method)?
    };
    class.setattr(attribute, method)
}

/// Plays a legal move. False if the move is anything else.
fn play(board: Borrowed<'_, '_, PyAny>, mv: Borrowed<'_, '_, PyAny>) -> bool {
    let (Ok(board), Ok(mv)) = (board.cast::<PyBoard>(), mv.cast::<PyMove>()) else {
        return false;
    };
    let Ok(mut board) = board.try_borrow_mut() else {
        return false;
    };
    let mv = mv.get();
    if mv.is_null() || mv.is_drop() {
        return false;
    }
    match mv.resolve(board.board()) {
        Ok(mv) => {
            board.history.play(mv);
            true
        }
        Err(_) => false,
    }
}

/// Takes a move back and returns it. `None`, with nothing done, if it is a null move or there is none.
fn take_back<'py>(py: Python<'py>, board: Borrowed<'_, 'py, PyAny>) -> Option<Bound<'py, PyMove>> {
    let mut board = board.cast::<PyBoard>().ok()?.try_borrow_mut().ok()?;
    let (before, mv) = board.history.played.last()?;
    let key = object_key(before, (*mv)?, board.chess960);
    let object = PyMove::of_key(py, key)?;
    board.history.take_back();
    Some(object)
}

/// The part of a method that Python sees.
fn answer(py: Python<'_>, method: impl FnOnce() -> PyResult<Py<PyAny>>) -> *mut ffi::PyObject {
    match catch_unwind(AssertUnwindSafe(method)) {
        Ok(Ok(value)) => value.into_ptr(),
        Ok(Err(error)) => {
            error.restore(py);
            ptr::null_mut()
        }
        Err(_) => {
            PyRuntimeError::new_err("the move made tabiya panic").restore(py);
            ptr::null_mut()
        }
    }
}

/// PyO3's method.
fn original<'py>(
    py: Python<'py>,
    method: &'py PyOnceLock<Py<PyAny>>,
) -> PyResult<&'py Bound<'py, PyAny>> {
    let method = method.get(py).map(|method| method.bind(py));
    method.ok_or_else(|| PyRuntimeError::new_err("tabiya is not loaded"))
}

unsafe extern "C" fn push(board: *mut ffi::PyObject, mv: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: Python calls this attached, with two objects that live until it returns.
    let (py, board, mv) = unsafe {
        let py = Python::assume_attached();
        (
            py,
            Borrowed::from_ptr(py, board),
            Borrowed::from_ptr(py, mv),
        )
    };
    answer(py, || {
        if play(board, mv) {
            return Ok(py.None());
        }
        Ok(original(py, &PUSH)?.call1((board, mv))?.unbind())
    })
}

unsafe extern "C" fn pop(board: *mut ffi::PyObject, _: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: Python calls this attached, with an object that lives until it returns.
    let (py, board) = unsafe {
        let py = Python::assume_attached();
        (py, Borrowed::from_ptr(py, board))
    };
    answer(py, || {
        if let Some(mv) = take_back(py, board) {
            return Ok(mv.into_any().unbind());
        }
        Ok(original(py, &POP)?.call1((board,))?.unbind())
    })
}
