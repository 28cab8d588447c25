//! Where games come from: a path, bytes, or a file object of Python.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;

use pyo3::exceptions::{PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use tabiya_games::{Input, InputError, ReadErrorSlot};

use crate::arguments::repr;

/// An open source.
pub(crate) struct Source {
    pub(crate) bytes: Box<dyn Read + Send>,
    /// Why a compressed file ended early.
    pub(crate) error: Option<(ReadErrorSlot, String)>,
}

pub(crate) fn os_error(name: &str, error: &io::Error) -> PyErr {
    // An exception of Python's own, from a file object.
    if let Some(inner) = error.get_ref()
        && let Some(inner) = inner.downcast_ref::<PyErr>()
    {
        return Python::attach(|py| inner.clone_ref(py));
    }
    let message = format!("{name}: {error}");
    match error.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(format!("{name}: no such file")),
        io::ErrorKind::IsADirectory => {
            PyIsADirectoryError::new_err(format!("{name}: it is a directory"))
        }
        _ => PyOSError::new_err(message),
    }
}

fn input_error(name: &str, error: &InputError) -> PyErr {
    let reason = error.reason();
    match reason.as_str() {
        "no such file" => PyFileNotFoundError::new_err(format!("{name}: no such file")),
        "it is a directory" => PyIsADirectoryError::new_err(format!("{name}: it is a directory")),
        _ => PyOSError::new_err(format!("{name}: {reason}")),
    }
}

impl Source {
    /// Opens what the caller passed.
    pub(crate) fn open(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = source.cast::<PyBytes>() {
            return Ok(Self::of_bytes(bytes.as_bytes().to_vec()));
        }
        if let Ok(bytes) = source.cast::<PyByteArray>() {
            return Ok(Self::of_bytes(bytes.to_vec()));
        }
        if source.hasattr("read")? {
            let bytes = Box::new(FileObject {
                file: source.clone().unbind(),
                rest: Cursor::default(),
            });
            return Ok(Self { bytes, error: None });
        }
        let path: PathBuf = source.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "{} is neither a path nor bytes nor an open file",
                repr(source)
            ))
        })?;
        let name = path.display().to_string();
        // A distinct name, so that "-" is a file too.
        let path = if path == std::path::Path::new("-") {
            PathBuf::from("./-")
        } else {
            path
        };
        let input = Input::open(&path).map_err(|error| input_error(&name, &error))?;
        let error = Some((input.error(), name));
        Ok(Self {
            bytes: Box::new(input),
            error,
        })
    }

    fn of_bytes(bytes: Vec<u8>) -> Self {
        Self {
            bytes: Box::new(Cursor::new(bytes)),
            error: None,
        }
    }
}

/// A file object of Python, binary or text.
struct FileObject {
    file: Py<PyAny>,
    rest: Cursor<Vec<u8>>,
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let count = self.rest.read(buffer)?;
        if count > 0 {
            return Ok(count);
        }
        let bytes = Python::attach(|py| -> PyResult<Vec<u8>> {
            let read = self.file.bind(py).call_method1("read", (buffer.len(),))?;
            if let Ok(text) = read.cast::<PyString>() {
                return Ok(text.to_cow()?.as_bytes().to_vec());
            }
            if let Ok(bytes) = read.cast::<PyBytes>() {
                return Ok(bytes.as_bytes().to_vec());
            }
            let message = format!("read() gave {}, not text or bytes", repr(&read));
            Err(PyTypeError::new_err(message))
        });
        self.rest = Cursor::new(bytes.map_err(io::Error::other)?);
        self.rest.read(buffer)
    }
}
