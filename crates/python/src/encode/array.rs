//! NumPy arrays, filled in place.
#![expect(unsafe_code, reason = "the numbers of a NumPy array")]

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Bytes of an array that other threads of Python leave alone, as they do while NumPy writes to it.
struct Bytes {
    start: *mut u8,
    length: usize,
}

// SAFETY: the array lives until its caller returns, and only one thread at a time uses this.
unsafe impl Send for Bytes {}

/// Whether an array lies in memory as a new one would: then these are its bytes.
fn bytes_of(
    array: &Bound<'_, PyAny>,
    numpy: &Bound<'_, PyModule>,
    dtype: &str,
    shape: &Bound<'_, PyTuple>,
    length: usize,
) -> PyResult<Option<Bytes>> {
    // NumPy's own attribute, whatever a subclass has in its place. Its answer is a description of the memory.
    let description = numpy.getattr("ndarray")?.getattr("__array_interface__")?;
    let description = description.call_method1("__get__", (array,))?;
    let description = description.cast::<PyDict>()?;
    let item = |name| description.as_any().get_item(name);
    let (start, is_readonly): (usize, bool) = item("data")?.extract()?;
    if is_readonly {
        return Err(PyValueError::new_err("the array is read-only"));
    }
    let is_plain = item("strides")?.is_none()
        && item("typestr")?.eq(numpy.getattr("dtype")?.call1((dtype,))?.getattr("str")?)?
        && item("shape")?.eq(shape)?;
    let start = start as *mut u8;
    Ok((is_plain && !start.is_null()).then_some(Bytes { start, length }))
}

/// Fills the array of the caller, or a new one, with rows that `write` makes. Other threads run meanwhile.
pub(super) fn fill<'py, R: Send>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    dtype: &str,
    shape: &[usize],
    rows: impl Iterator<Item = R> + Send,
    write: impl Fn(R, &mut [u8]) + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    let wanted = PyTuple::new(py, shape)?;
    let new = || numpy.call_method1("zeros", (&wanted, dtype));
    let array = match out {
        None => new()?,
        Some(out) => {
            if !out.is_instance(&numpy.getattr("ndarray")?)? {
                let message = format!("out is {}, not a NumPy array", crate::arguments::repr(out));
                return Err(PyValueError::new_err(message));
            }
            let shape = out.getattr("shape")?;
            if !shape.eq(&wanted)? {
                return Err(PyValueError::new_err(format!(
                    "the array has the shape {shape}, but the positions need {wanted}"
                )));
            }
            out.clone()
        }
    };
    let size: usize = numpy
        .getattr("dtype")?
        .call1((dtype,))?
        .getattr("itemsize")?
        .extract()?;
    let length = shape.iter().product::<usize>() * size;
    let mut target = array.clone();
    let mut bytes = bytes_of(&target, &numpy, dtype, &wanted, length)?;
    if bytes.is_none() {
        // Of another type, or with gaps: NumPy copies the numbers there.
        target = new()?;
        bytes = bytes_of(&target, &numpy, dtype, &wanted, length)?;
    }
    let bytes = bytes.ok_or_else(|| PyValueError::new_err("NumPy's arrays are not as expected"))?;
    let row_bytes = length.checked_div(shape[0]).unwrap_or(0);
    if row_bytes > 0 {
        py.detach(move || {
            let bytes = bytes;
            // SAFETY: `target` keeps the memory alive and says that so many bytes can be written there.
            let bytes = unsafe { std::slice::from_raw_parts_mut(bytes.start, bytes.length) };
            for (row, bytes) in rows.zip(bytes.chunks_exact_mut(row_bytes)) {
                bytes.fill(0);
                write(row, bytes);
            }
        });
    }
    if !target.is(&array) {
        array.set_item(py.Ellipsis(), &target)?;
    }
    Ok(array)
}
