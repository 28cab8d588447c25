//! The position that a command works on.

use clap::Args;
use tabiya_board::Board;
use tabiya_display::fen_message::FenMessage;

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
    pub(crate) fn board(&self) -> Result<Board, FenMessage> {
        match &self.fen {
            None => Ok(Board::start()),
            Some(given) => read(given),
        }
    }
}

/// Reads a FEN or `startpos`.
pub(crate) fn read(given: &str) -> Result<Board, FenMessage> {
    let fen = given.trim();
    if is_startpos(fen) {
        return Ok(Board::start());
    }
    fen.parse().map_err(|error| FenMessage {
        fen: fen.to_owned(),
        error,
    })
}

/// Whether text is UCI's word for the starting position.
pub(crate) fn is_startpos(text: &str) -> bool {
    text.eq_ignore_ascii_case("startpos")
}
