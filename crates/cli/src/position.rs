//! The position that a command is about.

use std::fmt;

use clap::Args;
use tabiya_board::{Board, FenError, FenProblem};

/// The option by which every command takes its position.
#[derive(Args)]
pub(crate) struct FenOption {
    /// The position, as FEN or `startpos`; without it, the starting position
    ///
    /// The words --fen and the quotes around a FEN may be left out.
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,
}

impl FenOption {
    /// The board that it stands for.
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

/// Whether the text is UCI's word for the starting position.
pub(crate) fn is_startpos(text: &str) -> bool {
    text.eq_ignore_ascii_case("startpos")
}

/// A FEN that cannot be read, shown with a mark under the place.
#[derive(Debug)]
pub(crate) struct Unreadable {
    fen: String,
    error: FenError,
}

impl std::error::Error for Unreadable {}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fen, error } = self;
        // What else the text may hold, it shall not move the cursor.
        let shown: String = fen
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .collect();
        match error.problem {
            FenProblem::Invalid(invalid) => {
                return write!(f, "there is no such position: {invalid}\n  {shown}");
            }
            FenProblem::Missing(_) => write!(
                f,
                "the FEN is not complete: {error}; write all its fields, as in \"{}\"",
                Board::start()
            ),
            _ => write!(f, "the FEN cannot be read: {error}"),
        }?;
        let before = fen.get(..error.at).map_or(0, |text| text.chars().count());
        write!(f, "\n  {shown}\n  {:before$}^", "")
    }
}
