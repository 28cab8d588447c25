//! `tabiya classic chessmaster`: the moves of a lone piece.

use std::io;

use clap::Args;
use tabiya_board::Square;
use tabiya_classics::chessmaster::{reachable_squares, read_piece};

use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// The exit code for wrong input.
const WRONG_INPUT: u8 = 1;

/// List the squares that a lone piece can move to
///
/// Reads three characters from standard input, with or without white space between them: the piece (R N B Q K P), its
/// column (a to h) and its row (1 to 8). Prints the squares that the piece can reach on an otherwise empty board, in
/// alphabetical order. Pawns are White's and move up: one square from row 1, not at all from row 8.
///
/// For wrong input, prints WRONG PIECE, COLUMN OUTSIDE RANGE or ROW OUTSIDE RANGE; the exit code is then 1. Everything
/// after the three characters is ignored.
#[derive(Args)]
#[command(after_help = examples!(
    "echo \"N c 5\" | tabiya classic chessmaster"
    "echo Ph2 | tabiya classic chessmaster"
))]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _screen: Screen) -> anyhow::Result<CommandOutput> {
    super::announce_stdin("Type a piece, a column and a row, such as N c 5, and press Enter.");
    Ok(match read_piece(io::stdin().lock())? {
        Ok((role, square)) => {
            let squares: Vec<String> = reachable_squares(role, square)
                .iter()
                .map(Square::to_string)
                .collect();
            CommandOutput::from(format!("{}\n", squares.join(" ")))
        }
        Err(wrong) => CommandOutput {
            text: format!("{wrong}\n"),
            code: WRONG_INPUT,
        },
    })
}
