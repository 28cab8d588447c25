//! Errors in a FEN, marked at their place.

use std::fmt;

use tabiya_board::{Board, FenError, FenErrorKind};

/// A FEN that cannot be read, printed with a mark below the error.
#[derive(Debug)]
pub struct FenMessage {
    /// The FEN.
    pub fen: String,
    /// Its error.
    pub error: FenError,
}

impl std::error::Error for FenMessage {}

impl fmt::Display for FenMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fen, error } = self;
        // Control characters could move the cursor.
        let shown: String = fen
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .collect();
        match error.kind {
            FenErrorKind::Invalid(invalid) => {
                return write!(f, "impossible position: {invalid}\n  {shown}");
            }
            FenErrorKind::Missing(_) => write!(
                f,
                "incomplete FEN: {error}; a complete one looks like \"{}\"",
                Board::start()
            ),
            _ => write!(f, "invalid FEN: {error}"),
        }?;
        let before = fen.get(..error.at).map_or(0, |text| text.chars().count());
        write!(f, "\n  {shown}\n  {:before$}^", "")
    }
}
