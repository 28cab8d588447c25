//! Printing through C's own `stdout`, so that it stays in order with what the caller prints.

#[cfg(any(target_os = "linux", target_os = "freebsd", target_vendor = "apple"))]
mod stream {
    use std::ffi::c_void;

    unsafe extern "C" {
        #[cfg_attr(not(target_os = "linux"), link_name = "__stdoutp")]
        static stdout: *mut c_void;
        fn fwrite(from: *const c_void, size: usize, count: usize, stream: *mut c_void) -> usize;
    }

    pub(crate) fn print(text: &[u8]) {
        // SAFETY: the text is as long as it says, and stdout is C's.
        unsafe { fwrite(text.as_ptr().cast(), 1, text.len(), stdout) };
    }
}

/// Elsewhere `stdout` is a macro, which only C can use.
#[cfg(not(any(target_os = "linux", target_os = "freebsd", target_vendor = "apple")))]
mod stream {
    use std::ffi::c_int;

    unsafe extern "C" {
        fn putchar(character: c_int) -> c_int;
    }

    pub(crate) fn print(text: &[u8]) {
        for &byte in text {
            // SAFETY: putchar takes any character.
            unsafe { putchar(c_int::from(byte)) };
        }
    }
}

/// Prints bytes. Whether that went well is told by C's `ferror`, to those who ask.
pub(crate) use stream::print;
