//! `tabiya convert`: positions and games from one notation into another.

pub(crate) mod guess;
mod read;
mod write;

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use tabiya_board::Board;
use tabiya_notation::pgn::Game;
use tabiya_notation::{Epd, PieceLetters};

use crate::examples;
use crate::input::{Input, Unreadable, name};
use crate::pgn::{letters, printable};
use crate::position;
use crate::remark;
use crate::screen::{Answer, Screen};

/// The exit code where something was left out.
const LEFT_OUT: u8 = 1;

/// Convert between FEN, EPD, SAN, UCI and PGN
///
/// FEN and EPD are positions, one a line. SAN and UCI are the moves of games, one game a line: `1. e4 e5 2. Nf3` or
/// `e2e4 e7e5 g1f3`. A game becomes the position at its end, and a position a game that starts there. SAN and UCI have
/// no variations and comments; a FEN has no operations.
///
/// Without --from, the format is told by the end of the file's name: .fen, .epd, .san, .uci or .pgn. Where that says
/// nothing, the first line that is not blank does: one that starts with [ is PGN, eight ranks with slashes between them
/// are a FEN if the clocks and nothing else follow, and otherwise EPD; a line that starts with a move such as e2e4, or
/// with `position`, is UCI; everything else is SAN.
///
/// What cannot be converted is left out, and told on standard error with its line. The exit code is then 1.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya convert --to epd positions.fen"
    "tabiya convert --to uci games.pgn"
    "tabiya convert --to fen games.pgn"
    "echo \"1. e4 e5 2. Nf3\" | tabiya convert --to uci"
    "echo \"e2e4 e7e5 g1f3\" | tabiya convert --to pgn"
    "tabiya convert --to san --to-letters de games.pgn"
))]
pub(crate) struct Arguments {
    /// What to read, compressed or not; without it, or as -, standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,

    /// The format that is read; without it, a guess
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    /// The format that is written
    #[arg(long, value_name = "FORMAT")]
    to: Format,

    /// Where the games of SAN and UCI start, as FEN; without it, the starting position
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,

    #[command(flatten)]
    read: letters::Read,

    /// The language of the letters that are written
    #[arg(
        long,
        value_name = "LANG",
        default_value = "en",
        hide_default_value = true
    )]
    to_letters: PieceLetters,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Positions, one a line
    Fen,
    /// Positions with operations, one a line
    Epd,
    /// Moves as people write them, one game a line
    San,
    /// Moves as engines write them, one game a line
    Uci,
    /// Games with all that belongs to them
    Pgn,
}

/// What is converted.
enum Item {
    Position(Epd),
    Game(Game),
}

/// Something that cannot be converted.
struct Trouble {
    line: usize,
    reason: String,
}

/// What is read, one after the other, the line of each with it. It stops where it is told to.
type Take<'a> = dyn FnMut(usize, Result<Item, Trouble>) -> io::Result<()> + 'a;

pub(crate) fn run(arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    let path = &arguments.file;
    let start = match &arguments.fen {
        Some(fen) => position::read(fen)?,
        None => Board::start(),
    };
    let unreadable = |error| Unreadable::new(path, error);
    let input = Input::open(path)?;
    let failure = input.failure();
    let (from, input) = format(arguments.from, path, BufReader::new(input)).map_err(unreadable)?;
    let is_position = matches!(from, Format::Fen | Format::Epd);
    if is_position && matches!(arguments.to, Format::San | Format::Uci) {
        bail!("a position has no moves that could be written: convert it to fen, epd or pgn");
    }

    let mut out = BufWriter::new(io::stdout().lock());
    let mut code = 0;
    let name = name(path);
    let mut take = |line, item: Result<Item, Trouble>| {
        let written = item.and_then(|item| {
            write::text(item, arguments.to, &arguments.to_letters)
                .map_err(|reason| Trouble { line, reason })
        });
        match written {
            Ok(text) => out.write_all(text.as_bytes()),
            Err(trouble) => {
                code = LEFT_OUT;
                // What came before stands before it.
                out.flush()?;
                let reason = printable(&trouble.reason);
                remark(format_args!("{name}:{}: {reason}", trouble.line));
                Ok(())
            }
        }
    };
    match from {
        Format::Pgn => read::games(input, &arguments.read.letters, &mut take)?,
        _ => read::lines(input, from, &start, &arguments.read.letters, &mut take)?,
    }
    out.flush()?;
    if let Some(error) = failure.take() {
        return Err(unreadable(error).into());
    }
    Ok(Answer {
        text: String::new(),
        code,
    })
}

/// The format of a file: what is asked for, or a guess.
fn format(
    asked: Option<Format>,
    path: &Path,
    mut input: BufReader<Input>,
) -> io::Result<(Format, impl BufRead)> {
    let mut start = Vec::new();
    let known = asked.or_else(|| guess::by_name(path));
    let format = if let Some(format) = known {
        format
    } else {
        let mut line = Vec::new();
        while line.trim_ascii().is_empty() {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            start.extend_from_slice(&line);
        }
        guess::by_line(&String::from_utf8_lossy(&line))
    };
    Ok((format, io::Read::chain(io::Cursor::new(start), input)))
}
