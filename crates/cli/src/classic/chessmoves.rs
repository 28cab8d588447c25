//! `tabiya classic chessmoves`: a game from notation, board by board.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use tabiya_classics::chessmoves::{self, ReplayError};

use crate::complain;
use crate::examples;
use crate::input::{Failure, Input, Unreadable, is_standard_input};
use crate::screen::{Answer, Screen};

/// The exit code of a line that cannot be read or played.
const STOPPED: u8 = 1;

/// A game from notation, board by board
///
/// Each line is a pair of moves, as in "8. Nd4 Rd3". The starting board and the board after every single move are
/// printed, capitals for Black and small letters for White.
///
/// A move is the piece (P R N B Q K), the column and the row it comes from, an x if it captures, and the square it goes
/// to; all but the last may be missing. A pawn that says neither its column nor x moves straight ahead. A promotion is
/// g8N or g8=N; a capture en passant may end in e.p.; castling is O-O and O-O-O, or with zeros. Checks and opinions (+ #
/// ! ?), the number and empty lines may be there or not; numbers are not counted. A move by White may stand on a line of
/// its own, and Black's on the next one. After the last move comes the result: 1-0, 0-1, 0.5-0.5, 1/2-1/2 or *.
///
/// A line that cannot be read, or a move that is not legal or is ambiguous, is named on standard error, and the exit
/// code is 1.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya classic chessmoves game.txt"
    "echo \"1. e4 e5\" | tabiya classic chessmoves"
))]
pub(crate) struct Arguments {
    /// A file with the lines of a game; without it, or as -, standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    let file = arguments.file.as_deref();
    let path = file.unwrap_or(Path::new("-"));
    let unreadable = |error| Unreadable::new(path, error);
    let mut failure = Failure::default();
    let input: Box<dyn BufRead> = if is_standard_input(path) {
        // The starting board is printed before anything is typed.
        Box::new(io::stdin().lock())
    } else {
        let input = Input::open(path)?;
        failure = input.failure();
        Box::new(BufReader::new(input))
    };
    let played = chessmoves::run(input, io::stdout().lock());
    if let Some(error) = failure.take() {
        return Err(unreadable(error).into());
    }
    let code = match played {
        Ok(()) => 0,
        Err(ReplayError::Input(error)) => return Err(unreadable(error).into()),
        Err(ReplayError::Output(error)) => return Err(error.into()),
        Err(error @ ReplayError::Line { .. }) => {
            complain(error);
            STOPPED
        }
    };
    Ok(Answer {
        text: String::new(),
        code,
    })
}
