//! Columns for other programs, without copying them: the Arrow C stream interface.
//!
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>

#![expect(
    unsafe_code,
    reason = "the interface is a table of C functions and pointers"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::columns::{Columns, Lists, Numbers, TEXT_NAMES, Texts};

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Self,
    dictionary: *mut Self,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Self,
    dictionary: *mut Self,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut Self, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Self, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Self) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

// SAFETY: the private data is a `Box<Stream>`, which may go to another thread.
unsafe impl Send for ArrowArrayStream {}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as the interface demands, whoever takes the stream clears `release`, so this is ours.
            unsafe { release(self) };
        }
    }
}

struct Stream {
    columns: Arc<Columns>,
    done: bool,
}

/// A column as Arrow sees it.
struct Field {
    format: &'static CStr,
    name: &'static str,
    nullable: bool,
    length: usize,
    missing: usize,
    buffers: Vec<*const c_void>,
    children: Vec<Self>,
}

impl Field {
    fn texts(name: &'static str, texts: &Texts) -> Self {
        Self {
            format: c"U",
            name,
            nullable: false,
            length: texts.offsets.len() - 1,
            missing: 0,
            buffers: vec![
                ptr::null(),
                texts.offsets.as_ptr().cast(),
                texts.bytes.as_ptr().cast(),
            ],
            children: Vec::new(),
        }
    }

    fn numbers(name: &'static str, numbers: &Numbers) -> Self {
        Self {
            format: c"s",
            name,
            nullable: true,
            length: numbers.values.len(),
            missing: numbers.missing,
            buffers: vec![
                numbers.valid.as_ptr().cast(),
                numbers.values.as_ptr().cast(),
            ],
            children: Vec::new(),
        }
    }

    fn lists<T>(name: &'static str, format: &'static CStr, lists: &Lists<T>) -> Self {
        let item = Self {
            format,
            name: "item",
            nullable: false,
            length: lists.values.len(),
            missing: 0,
            buffers: vec![ptr::null(), lists.values.as_ptr().cast()],
            children: Vec::new(),
        };
        Self {
            format: c"+L",
            name,
            nullable: false,
            length: lists.offsets.len() - 1,
            missing: 0,
            buffers: vec![ptr::null(), lists.offsets.as_ptr().cast()],
            children: vec![item],
        }
    }

    /// All columns, as the fields of a struct.
    fn table(columns: &Columns) -> Self {
        let texts = TEXT_NAMES.iter().zip(&columns.texts);
        let mut children: Vec<Self> = texts
            .map(|(name, texts)| Self::texts(name, texts))
            .collect();
        children.push(Self::numbers("white_elo", &columns.white_elo));
        children.push(Self::numbers("black_elo", &columns.black_elo));
        children.push(Self::lists("moves", c"S", &columns.moves));
        if columns.wanted.clocks {
            children.push(Self::lists("clocks", c"f", &columns.clocks));
        }
        if columns.wanted.evals {
            children.push(Self::lists("evals", c"s", &columns.evals));
        }
        if columns.wanted.keys {
            children.push(Self::lists("keys", c"L", &columns.keys));
        }
        Self {
            format: c"+s",
            name: "",
            nullable: false,
            length: columns.rows,
            missing: 0,
            buffers: vec![ptr::null()],
            children,
        }
    }
}

/// What a schema owns.
struct SchemaParts {
    name: CString,
    children: Vec<*mut ArrowSchema>,
}

/// What an array owns. The bytes of the columns live as long as the last array of them.
struct ArrayParts {
    _columns: Arc<Columns>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
}

impl ArrowSchema {
    fn new(field: &Field) -> Self {
        const NULLABLE: i64 = 2;
        let children = field
            .children
            .iter()
            .map(|child| Box::into_raw(Box::new(Self::new(child))));
        let mut parts = Box::new(SchemaParts {
            name: CString::new(field.name).unwrap_or_default(),
            children: children.collect(),
        });
        Self {
            format: field.format.as_ptr(),
            name: parts.name.as_ptr(),
            metadata: ptr::null(),
            flags: if field.nullable { NULLABLE } else { 0 },
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

impl ArrowArray {
    fn new(field: &Field, columns: &Arc<Columns>) -> Self {
        let children = field.children.iter();
        let children = children.map(|child| Box::into_raw(Box::new(Self::new(child, columns))));
        let mut parts = Box::new(ArrayParts {
            _columns: Arc::clone(columns),
            buffers: field.buffers.clone(),
            children: children.collect(),
        });
        Self {
            length: field.length as i64,
            null_count: field.missing as i64,
            offset: 0,
            n_buffers: parts.buffers.len() as i64,
            n_children: parts.children.len() as i64,
            buffers: parts.buffers.as_mut_ptr(),
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: `ArrowSchema::new` made the parts and the children, and this is called once. A consumer may have taken
    // a child: then its `release` is gone, and only its memory is left to us.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        for &child in &parts.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as in `release_schema`.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        for &child in &parts.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the consumer passes our stream and room for a schema.
    unsafe {
        let stream = &*(*stream).private_data.cast::<Stream>();
        out.write(ArrowSchema::new(&Field::table(&stream.columns)));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the consumer passes our stream and room for an array. All zeros is an array that has been released,
    // which means the end.
    unsafe {
        let stream = &mut *(*stream).private_data.cast::<Stream>();
        if stream.done {
            out.write(std::mem::zeroed());
        } else {
            stream.done = true;
            out.write(ArrowArray::new(
                &Field::table(&stream.columns),
                &stream.columns,
            ));
        }
    }
    0
}

unsafe extern "C" fn get_last_error(_stream: *mut ArrowArrayStream) -> *const c_char {
    // Nothing fails here.
    ptr::null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: `export` made the private data, and this is called once.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Stream>()));
        (*stream).release = None;
    }
}

/// The columns as a stream of one batch, in a capsule.
pub(crate) fn export(py: Python<'_>, columns: Arc<Columns>) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = Box::new(Stream {
        columns,
        done: false,
    });
    let stream = ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(stream).cast(),
    };
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
