//! Printing through C's own `stdout`, to stay in order with the caller's output.

#[cfg(any(target_os = "linux", target_os = "freebsd", target_vendor = "apple"))]
mod stream {
    use std::ffi::c_void;

    unsafe extern "C" {
        #[cfg_attr(not(target_os = "linux"), link_name = "__stdoutp")]
        static stdout: *mut c_void;
        fn fwrite(from: *const c_void, size: usize, count: usize, stream: *mut c_void) -> usize;
    }

    pub(crate) fn print(text: &[u8]) {
        // SAFETY: the pointer and length come from a slice, and stdout is a valid stream.
        unsafe { fwrite(text.as_ptr().cast(), 1, text.len(), stdout) };
    }
}

/// Elsewhere `stdout` is a macro, which only C code can use.
#[cfg(not(any(target_os = "linux", target_os = "freebsd", target_vendor = "apple")))]
mod stream {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn putchar(character: c_int) -> c_int;
    }

    pub(crate) fn print(text: &[u8]) {
        for &byte in text {
            // SAFETY: putchar accepts any byte.
            unsafe { putchar(c_int::from(byte)) };
        }
    }
}

/// Prints bytes. Callers can check for errors with C's `ferror`.
pub(crate) use stream::print;
