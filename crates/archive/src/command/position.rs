//! The position that a command is about.

use anyhow::{Context, bail};
use clap::Args;
use tabiya_board::Board;
use tabiya_notation::{MoveText, printable};

#[derive(Args)]
pub(crate) struct PositionArguments {
    /// A FEN, or moves from the start of the game, in SAN or UCI notation
    #[arg(value_name = "POSITION")]
    words: Vec<String>,

    /// A FEN; moves are played from it
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

/// Reads a FEN.
pub(crate) fn parse_fen(fen: &str) -> anyhow::Result<Board> {
    fen.parse()
        .with_context(|| format!("{:?} is not a position", printable(fen)))
}

impl PositionArguments {
    /// The position; `None` if none is given.
    pub(crate) fn board(&self) -> anyhow::Result<Option<Board>> {
        let words: Vec<&str> = self
            .words
            .iter()
            .flat_map(|word| word.split_whitespace())
            .collect();
        // Nothing but a FEN has slashes.
        let is_fen = words.first().is_some_and(|word| word.contains('/'));
        let (fen, moves) = match &self.fen {
            Some(fen) => (Some(fen.clone()), &words[..]),
            None if is_fen => (Some(words.join(" ")), &[][..]),
            None if words.is_empty() => return Ok(None),
            None => (None, &words[..]),
        };
        let mut board = match fen {
            Some(fen) => parse_fen(&fen)?,
            None => Board::start(),
        };
        for word in moves {
            // Move numbers may be there.
            let text =
                word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            if text.is_empty() || *word == "startpos" {
                continue;
            }
            let mv = match board.parse_uci(text) {
                Ok(mv) => mv,
                Err(_) => match board.parse_san(text) {
                    Ok(mv) => mv,
                    Err(error) => bail!("{}: {error}", printable(text)),
                },
            };
            board.play_unchecked(mv);
        }
        Ok(Some(board))
    }
}
