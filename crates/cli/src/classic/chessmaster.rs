//! `tabiya classic chessmaster`: where a lone piece can go.

use std::io;

use clap::Args;
use tabiya_board::Square;
use tabiya_classics::chessmaster::{reach, read};

use crate::examples;
use crate::screen::{Answer, Screen};

/// The exit code of wrong input.
const WRONG: u8 = 1;

/// Where a lone piece can go
///
/// Three characters are read from standard input, with white space between them or not: the piece (R N B Q K P), its
/// column (a to h) and its row (1 to 8). The squares that it can reach on an otherwise empty board are printed in
/// alphabetical order. A pawn is White's and moves up; one on row 1 moves one square, one on row 8 none.
///
/// Wrong input prints WRONG PIECE, COLUMN OUTSIDE RANGE or ROW OUTSIDE RANGE, and the exit code is 1. What comes after
/// the three characters is not looked at.
#[derive(Args)]
#[command(after_help = examples!(
    "echo \"N c 5\" | tabiya classic chessmaster"
    "echo Ph2 | tabiya classic chessmaster"
))]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    Ok(match read(io::stdin().lock())? {
        Ok((role, square)) => {
            let squares: Vec<String> = reach(role, square).iter().map(Square::to_string).collect();
            Answer::from(format!("{}\n", squares.join(" ")))
        }
        Err(wrong) => Answer {
            text: format!("{wrong}\n"),
            code: WRONG,
        },
    })
}
