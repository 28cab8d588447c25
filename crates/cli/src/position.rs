//! The position that a command works on.

use clap::Args;
use tabiya_board::{Board, SetupError};
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
    /// Returns the position. If no game leads to it, says so on standard error.
    pub(crate) fn board(&self) -> Result<Board, FenMessage> {
        self.read(|error| {
            eprintln!("No game leads to this position: {error}.");
            true
        })
    }

    /// Returns the position for a game, which must be possible: its PGN will be read again.
    pub(crate) fn game_board(&self) -> Result<Board, FenMessage> {
        self.read(|_| false)
    }

    fn read(&self, forgive: impl FnMut(SetupError) -> bool) -> Result<Board, FenMessage> {
        let given = self.fen.as_deref();
        given.map_or(Ok(Board::start()), |given| read_forgiving(given, forgive))
    }
}

/// Reads a FEN or `startpos`.
pub(crate) fn read(given: &str) -> Result<Board, FenMessage> {
    read_forgiving(given, |_| false)
}

fn read_forgiving(
    given: &str,
    forgive: impl FnMut(SetupError) -> bool,
) -> Result<Board, FenMessage> {
    let fen = given.trim();
    if is_startpos(fen) {
        return Ok(Board::start());
    }
    Board::from_fen_forgiving(fen, forgive).map_err(|error| FenMessage {
        fen: fen.to_owned(),
        error,
    })
}

/// Whether text is UCI's word for the starting position.
pub(crate) fn is_startpos(text: &str) -> bool {
    text.eq_ignore_ascii_case("startpos")
}
