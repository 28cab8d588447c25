//! The iterator over legal moves, without PyO3's cost for each move: `list(board.legal_moves)` takes them one by one.
#![expect(unsafe_code, reason = "a type for Python's C interface")]

use std::ffi::{c_int, c_void};
use std::mem::{offset_of, size_of};
use std::ptr;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use tabiya_board::Board;

use crate::chess_move::{PyMove, object_key};

/// What Python allocates: the head of every object whose size varies, the place of the next move, and the moves.
#[repr(C)]
struct MoveIterator {
    head: ffi::PyVarObject,
    next: usize,
    /// As many as `head.ob_size` says. References are borrowed from the table of all moves, which is never freed.
    moves: [*mut ffi::PyObject; 0],
}

/// The type, made when it is needed first.
fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.get_or_try_init(py, || {
        let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
        let mut slots = [
            slot(ffi::Py_tp_iter, ffi::PyObject_SelfIter as *mut c_void),
            slot(ffi::Py_tp_iternext, next as *mut c_void),
            slot(ffi::Py_tp_dealloc, deallocate as *mut c_void),
            slot(0, ptr::null_mut()),
        ];
        let mut spec = ffi::PyType_Spec {
            name: c"tabiya.LegalMovesIterator".as_ptr(),
            basicsize: size_of::<MoveIterator>() as c_int,
            itemsize: size_of::<*mut ffi::PyObject>() as c_int,
            // No base type, and no constructor that Python could call: only `iterate` makes one.
            flags: ffi::Py_TPFLAGS_DEFAULT as u32,
            slots: slots.as_mut_ptr(),
        };
        // SAFETY: the specification is whole and ends with an empty slot, and Python copies what it keeps. The name
        // lives as long as the program.
        let class =
            unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec)) }?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// The moves behind the head of an iterator.
///
/// # Safety
///
/// Points into an iterator.
unsafe fn moves(object: *mut ffi::PyObject) -> *mut *mut ffi::PyObject {
    // SAFETY: the field is inside the object.
    unsafe { object.byte_add(offset_of!(MoveIterator, moves)).cast() }
}

/// Starts to iterate over the legal moves of a board. Also returns how many there are.
pub(crate) fn iterate<'py>(
    py: Python<'py>,
    board: &Board,
    chess960: bool,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let class = class(py)?;
    let objects = PyMove::objects(py)?;
    let legal = board.legal_moves();
    let legal: &[_] = &legal;
    // SAFETY: the class is alive. Python's allocation has room for the moves and fills in the head. It clears the rest,
    // so `next` is 0. Nobody else knows the object yet.
    let object = unsafe {
        let object = ffi::PyType_GenericAlloc(class.as_type_ptr(), legal.len() as ffi::Py_ssize_t);
        let object = Bound::from_owned_ptr_or_err(py, object)?;
        let room = std::slice::from_raw_parts_mut(moves(object.as_ptr()), legal.len());
        for (slot, &mv) in room.iter_mut().zip(legal) {
            *slot = match &objects[usize::from(object_key(board, mv, chess960))] {
                Some(object) => object.as_ptr(),
                None => return Err(PyRuntimeError::new_err(format!("{mv} is not a move"))),
            };
        }
        object
    };
    Ok((object, legal.len()))
}

/// The next move, or null.
unsafe extern "C" fn next(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: Python calls this attached, with an object of the type, which `iterate` has made. It has as many moves as
    // its head says. Extensions for Python 3.9 count references in place, so all later versions cope with it; calling
    // Python for each move would add a tenth to the time of a list.
    unsafe {
        let iterator = object.cast::<MoveIterator>();
        let next = (*iterator).next;
        if next == (*iterator).head.ob_size as usize {
            return ptr::null_mut();
        }
        (*iterator).next = next + 1;
        let mv = *moves(object).add(next);
        (*mv).ob_refcnt += 1;
        mv
    }
}

/// Frees an iterator.
unsafe extern "C" fn deallocate(object: *mut ffi::PyObject) {
    // SAFETY: Python calls this attached, when the last reference to the object is gone. An object holds a reference to
    // its type, which was allocated by `PyType_GenericAlloc`, whose counterpart this is.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ffi::PyObject_Free(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}
