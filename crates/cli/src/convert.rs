//! `tabiya convert`: positions and games from one notation to another.

use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tabiya_board::Board;
use tabiya_display::text::printable;
use tabiya_games::convert::{ConvertError, Format, Options, read, write};
use tabiya_games::{Input, InputError, display_name};
use tabiya_notation::PieceLetters;

use crate::examples;
use crate::pgn::letters::{Language, sentence};
use crate::pgn::note_encoding;
use crate::position;
use crate::remark;
use crate::screen::CommandOutput;
use crate::target::Target;

/// The exit code if something was left out.
const LEFT_OUT: u8 = 1;

/// Convert between FEN, EPD, SAN, UCI and PGN
///
/// FEN and EPD hold positions, one per line. SAN and UCI hold the moves of games, one game per line: `1. e4 e5 2. Nf3`
/// or `e2e4 e7e5 g1f3`. A game becomes its last position, and a position a game that starts there. SAN and UCI have no
/// variations and comments; FEN has no operations.
///
/// Without --from, the file's extension gives the format: .fen, .epd, .san, .uci or .pgn. Otherwise the first line that
/// is not blank does: a [ starts PGN; eight ranks with slashes between them start FEN if only the clocks follow, and
/// EPD if not; a move such as e2e4, or `position`, starts UCI; everything else is SAN.
///
/// Anything that cannot be converted is left out and reported on standard error with its line number. The exit code
/// is then 1.
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
    /// File to read, compressed or not [default: standard input]
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,

    /// Input format [default: a guess]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Format,

    /// Starting position of games in SAN and UCI, as FEN [default: the standard one]
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,

    #[command(flatten)]
    read: Language,

    /// Language of the piece letters in the output
    #[arg(
        long,
        value_name = "LANG",
        default_value = "en",
        hide_default_value = true
    )]
    to_letters: PieceLetters,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    let value = |format: Format| {
        PossibleValue::new(format.as_str()).help(match format {
            Format::Fen => "Positions, one per line",
            Format::Epd => "Positions with operations, one per line",
            Format::San => "Moves as people write them, one game per line",
            Format::Uci => "Moves as engines write them, one game per line",
            Format::Pgn => "Games with tags, comments and variations",
        })
    };
    PossibleValuesParser::new(Format::ALL.map(value)).try_map(|name| name.parse::<Format>())
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<CommandOutput> {
    let path = &arguments.file;
    let start = match &arguments.fen {
        Some(fen) => position::read(fen)?,
        None => Board::start(),
    };
    let input_error = |error| InputError::new(path, error);
    let mut input = Input::open(path)?;
    let error = input.error();
    let from = match arguments.from.or_else(|| Format::of_name(path)) {
        Some(format) => format,
        None => Format::of_line(&input.peek_line().map_err(input_error)?),
    };
    if from.is_positions() && matches!(arguments.to, Format::San | Format::Uci) {
        bail!("{}", ConvertError::NoMoves);
    }

    let mut out = BufWriter::with_capacity(1 << 16, Target::open(None)?);
    let mut code = 0;
    let name = display_name(path);
    let options = Options {
        start,
        letters: arguments.read.letters,
        max_game: arguments.read.max_game,
    };
    let mut take = |line, item: Result<_, ConvertError>| {
        match item.and_then(|item| write(item, arguments.to, &arguments.to_letters)) {
            Ok(text) => out.write_all(text.as_bytes()),
            Err(error) => {
                code = LEFT_OUT;
                // Keep the order of output and remarks.
                out.flush()?;
                let reason = match error {
                    ConvertError::Game(error) => sentence(&error),
                    error => printable(&error.to_string()),
                };
                remark(format_args!("{name}:{line}: {reason}"));
                Ok(())
            }
        }
    };
    note_encoding(path, input.known_encoding().map_err(input_error)?);
    read(BufReader::new(input), from, &options, &mut take)?;
    out.flush()?;
    if let Some(error) = error.take() {
        return Err(input_error(error).into());
    }
    Ok(CommandOutput::code(code))
}
