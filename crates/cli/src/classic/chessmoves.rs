//! `tabiya classic chessmoves`: a game from notation, board by board.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use tabiya_classics::chessmoves::{self, ChessmovesError};
use tabiya_games::{Input, InputError, ReadErrorSlot, is_standard_input};

use crate::examples;
use crate::print_error;
use crate::screen::{CommandOutput, Screen};

/// The exit code of a line that cannot be read or played.
const STOPPED: u8 = 1;

/// Show a game board by board
///
/// Each line is a pair of moves, as in "8. Nd4 Rd3". Prints the starting board and the board after each move, with
/// capitals for Black and small letters for White.
///
/// A move is the piece (P R N B Q K), the column and the row it comes from, an x if it captures, and the square it goes
/// to; only the last is required. A pawn move without a column or x is straight ahead. A promotion is g8N or g8=N. An
/// en passant capture may end in e.p. Castling is O-O and O-O-O, or with zeros. Marks (+ # ! ?), move numbers and empty
/// lines are optional, and move numbers are not checked. White's move may be on a line by itself, with Black's on the
/// next. The result comes last: 1-0, 0-1, 0.5-0.5, 1/2-1/2 or *.
///
/// If a line cannot be read, or a move is illegal or ambiguous, standard error says which, and the exit code is 1.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya classic chessmoves game.txt"
    "echo \"1. e4 e5\" | tabiya classic chessmoves"
))]
pub(crate) struct Arguments {
    /// File with the lines of a game [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<CommandOutput> {
    let file = arguments.file.as_deref();
    let path = file.unwrap_or(Path::new("-"));
    let unreadable = |error| InputError::new(path, error);
    let mut failure = ReadErrorSlot::default();
    let input: Box<dyn BufRead> = if is_standard_input(path) {
        // The starting board is printed before anything is typed.
        Box::new(io::stdin().lock())
    } else {
        let input = Input::open(path)?;
        failure = input.error();
        Box::new(BufReader::new(input))
    };
    let played = chessmoves::run(input, io::stdout().lock());
    if let Some(error) = failure.take() {
        return Err(unreadable(error).into());
    }
    let code = match played {
        Ok(()) => 0,
        Err(ChessmovesError::Input(error)) => return Err(unreadable(error).into()),
        Err(ChessmovesError::Output(error)) => return Err(error.into()),
        Err(error @ ChessmovesError::Line { .. }) => {
            print_error(error);
            STOPPED
        }
    };
    Ok(CommandOutput::code(code))
}
