//! `Board.push` without the cost of arguments: loops in Python call it more often than anything else.
//!
//! In a wheel that runs on 3.9 too, methods get a tuple of arguments, except those of one argument that ask for the
//! argument itself. PyO3 makes none of these, so the method is described here by hand. It plays legal moves; all else
//! goes to PyO3's method, which knows the exceptions.
#![expect(
    unsafe_code,
    reason = "a method of one argument, for Python's C interface"
)]

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::PyRuntimeError;
use pyo3::sync::PyOnceLock;
use pyo3::{Borrowed, ffi};

use super::*;

/// PyO3's `push`.
static CHECKED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

const DOC: &CStr = c"push($self, move, /)\n--\n\nPlays a move, or raises an `IllegalMoveError` that says why it is illegal.";

/// Replaces `push` of the class.
pub(crate) fn install(class: &Bound<'_, PyType>) -> PyResult<()> {
    let py = class.py();
    if CHECKED.set(py, class.getattr("push")?.unbind()).is_err() {
        return Ok(());
    }
    // Python keeps the pointer for as long as the class lives.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"push".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: push },
        ml_flags: ffi::METH_O,
        ml_doc: DOC.as_ptr(),
    }));
    // SAFETY: the class is alive, and the definition is never freed. Its function has the form that METH_O asks for.
    let method = unsafe {
        let method = ffi::PyDescr_NewMethod(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(py, method)?
    };
    class.setattr("push", method)
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

/// What Python calls.
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
    let result = catch_unwind(AssertUnwindSafe(|| {
        if play(board, mv) {
            return Ok(py.None());
        }
        let checked = CHECKED
            .get(py)
            .ok_or_else(|| PyRuntimeError::new_err("tabiya is not loaded"))?;
        checked.call1(py, (board, mv))
    }));
    match result {
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
