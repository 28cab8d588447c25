//! What may be wrong with a file.

use std::io;

use thiserror::Error;

/// Why a file cannot be read, or not to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file does not begin as it should.
    #[error("this is not a file of self-play")]
    NotSelfplay,
    /// The file is of another version.
    #[error("this file is of version {0}, which this version of Tabiya does not know")]
    Version(u32),
    /// A part of the file is not what was written there.
    #[error("the file is damaged at byte {at}: {what}")]
    Damaged {
        /// Where the part begins.
        at: u64,
        /// What does not fit.
        what: &'static str,
    },
    /// The file breaks off.
    #[error("the file breaks off: what begins at byte {at} is not all there")]
    Truncated {
        /// Where the last part begins.
        at: u64,
    },
    /// The system cannot read it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Takes numbers of fixed size off the front of bytes that are known to be long enough.
pub(crate) fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut number = [0; N];
    number.copy_from_slice(&bytes[at..at + N]);
    number
}
