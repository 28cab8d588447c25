//! Printing through C's own `stdout`, so that it stays in order with what the caller prints.

use std::ffi::c_void;

unsafe extern "C" {
    #[cfg_attr(
        any(target_vendor = "apple", target_os = "freebsd"),
        link_name = "__stdoutp"
    )]
    static stdout: *mut c_void;
    fn fwrite(from: *const c_void, size: usize, count: usize, stream: *mut c_void) -> usize;
}

/// Prints bytes. That it cannot be done is told by C's `ferror`, to who asks.
pub(crate) fn print(text: &[u8]) {
    // SAFETY: the text is as long as it says, and stdout is C's, open or closed.
    unsafe { fwrite(text.as_ptr().cast(), 1, text.len(), stdout) };
}
