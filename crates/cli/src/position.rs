//! The position that a command works on.

use std::fmt;

use clap::Args;
use tabiya_board::{Board, FenError, FenErrorKind};

/// The `--fen` option.
#[derive(Args)]
pub(crate) struct FenOption {
    /// Position as FEN or `startpos` [default: the starting position]
    ///
    /// You can leave out --fen and the quotes around the FEN.
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,
}

impl FenOption {
    pub(crate) fn board(&self) -> Result<Board, Unreadable> {
        match &self.fen {
            None => Ok(Board::start()),
            Some(given) => read(given),
        }
    }
}

/// Reads a FEN or `startpos`.
pub(crate) fn read(given: &str) -> Result<Board, Unreadable> {
    let fen = given.trim();
    if is_startpos(fen) {
        return Ok(Board::start());
    }
    fen.parse().map_err(|error| Unreadable {
        fen: fen.to_owned(),
        error,
    })
}

/// Whether text is UCI's word for the starting position.
pub(crate) fn is_startpos(text: &str) -> bool {
    text.eq_ignore_ascii_case("startpos")
}

/// A FEN that cannot be read, printed with a mark below the error.
#[derive(Debug)]
pub(crate) struct Unreadable {
    fen: String,
    error: FenError,
}

impl std::error::Error for Unreadable {}

impl fmt::Display for Unreadable {
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
            _ => write!(f, "cannot read the FEN: {error}"),
        }?;
        let before = fen.get(..error.at).map_or(0, |text| text.chars().count());
        write!(f, "\n  {shown}\n  {:before$}^", "")
    }
}
