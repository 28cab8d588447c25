//! Errors in files.

use std::io;

use thiserror::Error;

/// Why a file cannot be read to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SelfplayFileError {
    /// The file is of another kind.
    #[error("this is not a file of self-play games")]
    NotSelfplay,
    /// The file has an unknown version.
    #[error("the file has version {0}, which this version of Tabiya cannot read")]
    Version(u32),
    /// A part of the file is damaged.
    #[error("the file is damaged at byte {at}: {what}")]
    Damaged {
        /// Where the part begins.
        at: u64,
        /// The reason.
        what: &'static str,
    },
    /// The file ends early.
    #[error("the file is incomplete: the part that begins at byte {at} is cut off")]
    Truncated {
        /// Where the last part begins.
        at: u64,
    },
    /// The system cannot read the file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Returns the bytes at a place that must exist.
pub(crate) fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut number = [0; N];
    number.copy_from_slice(&bytes[at..at + N]);
    number
}
