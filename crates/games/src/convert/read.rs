//! Reading positions and games in any format.

use std::io::{self, BufRead};

use tabiya_board::{Board, FenError};
use tabiya_notation::pgn::{
    BatchKind, Batches, Event, Game, GameErrorKind, MAX_GAME, Reader, decode,
};
use tabiya_notation::uci::{self, UciError};
use tabiya_notation::{Epd, PieceLetters};

use super::{ConvertError, Format, Item};
use crate::input::read_line;

/// The size of a batch in bytes, about.
const BATCH: usize = 1 << 20;

/// Receives each item, or the error in its place, with its line number. If it returns an error, reading ends.
type Take<'a> = dyn FnMut(usize, Result<Item, ConvertError>) -> io::Result<()> + 'a;

/// How to read games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where games without tags (SAN, UCI) start.
    pub start: Board,
    /// The letters of the pieces.
    pub letters: PieceLetters,
    /// The most bytes of a game or, in formats of lines, of a line.
    pub max_game: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            start: Board::start(),
            letters: PieceLetters::ENGLISH,
            max_game: MAX_GAME,
        }
    }
}

/// Reads positions or games one by one.
pub fn read(
    input: impl BufRead,
    format: Format,
    options: &Options,
    take: &mut Take,
) -> io::Result<()> {
    match format {
        Format::Pgn => read_games(input, options, take),
        _ => read_lines(input, format, options, take),
    }
}

fn read_games(input: impl BufRead, options: &Options, take: &mut Take) -> io::Result<()> {
    let letters = &options.letters;
    for batch in Batches::new(input, BATCH).with_max_game(options.max_game) {
        let batch = batch?;
        match batch.kind {
            BatchKind::Games => {}
            BatchKind::TooLarge { limit } => {
                let blank = batch.text.iter().take_while(|&&byte| byte <= b' ');
                let error = GameErrorKind::TooLarge { limit };
                take(batch.line_and_column(blank.count()).0, Err(error.into()))?;
                continue;
            }
            BatchKind::Rest => continue,
        }
        let mut reader = Reader::new(&batch.text);
        let mut start = reader.offset();
        while let Some(event) = reader.next() {
            let Event::End(_) = event else {
                continue;
            };
            let end = reader.offset();
            let blank = batch.text[start..end].iter();
            let first = start + blank.take_while(|&&byte| byte <= b' ').count();
            let (offset, game) = match game(Reader::resume(&batch.text, start), letters) {
                Ok(game) => (first, Ok(game)),
                Err((offset, error)) => (offset, Err(error)),
            };
            take(batch.line_and_column(offset).0, game)?;
            start = end;
        }
    }
    Ok(())
}

/// Reads one game. An error comes with its offset in the text.
fn game(mut reader: Reader<'_>, letters: &PieceLetters) -> Result<Item, (usize, ConvertError)> {
    match Game::read_with(&mut reader, letters) {
        Some(Ok(game)) => Ok(Item::Game(game)),
        Some(Err(error)) => Err((error.offset, error.kind.into())),
        None => Err((0, ConvertError::NoGame)),
    }
}

/// Reads lines, each a position or a game.
fn read_lines(
    mut input: impl BufRead,
    format: Format,
    options: &Options,
    take: &mut Take,
) -> io::Result<()> {
    let Options {
        start,
        letters,
        max_game: limit,
    } = options;
    let mut bytes = Vec::new();
    for number in 1.. {
        match read_line(&mut input, *limit, &mut bytes)? {
            None => break,
            Some(true) => {}
            Some(false) => {
                // White space only, as in a file of zeros, is an empty line.
                if bytes.iter().any(|&byte| byte > b' ') {
                    take(number, Err(ConvertError::LongLine { limit: *limit }))?;
                }
                continue;
            }
        }
        let line = decode(&bytes);
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let item = match format {
            Format::Fen => read_fen(line).map(Item::Position),
            Format::Epd => line.parse().map(Item::Position).map_err(Into::into),
            Format::Uci => uci_line(line, start),
            Format::San | Format::Pgn => san_line(line, start, letters),
        };
        take(number, item)?;
    }
    Ok(())
}

fn read_fen(line: &str) -> Result<Epd, ConvertError> {
    Ok(with_clocks(line.parse()?))
}

/// A position as EPD, where the clocks are operations.
pub(super) fn with_clocks(board: Board) -> Epd {
    use tabiya_notation::{Operand, Operation};
    let mut epd = Epd::new(board);
    let clocks = [
        ("hmvc", board.halfmove_clock(), 0),
        ("fmvn", board.fullmove_number(), 1),
    ];
    for (opcode, value, default) in clocks {
        if value != default {
            epd.operations.push(Operation {
                opcode: opcode.to_owned(),
                operands: vec![Operand::Symbol(value.to_string())],
            });
        }
    }
    epd
}

/// A game on one line: PGN without tags.
fn san_line(line: &str, start: &Board, letters: &PieceLetters) -> Result<Item, ConvertError> {
    let with_start;
    let mut whole = line;
    if !line.starts_with('[') && *start != Board::start() {
        with_start = format!("[FEN \"{start}\"]\n{line}");
        whole = &with_start;
    }
    let mut reader = Reader::new(whole.as_bytes());
    let events = std::iter::from_fn(|| reader.next());
    let games = events.filter(|event| matches!(event, Event::End(_)));
    if games.count() > 1 {
        return Err(ConvertError::SeveralGames);
    }
    game(Reader::new(whole.as_bytes()), letters).map_err(|(_, error)| error)
}

/// `e2e4 e7e5`, or with UCI's words before it: `position startpos moves e2e4 e7e5`.
fn uci_line(line: &str, start: &Board) -> Result<Item, ConvertError> {
    let mut words = line.split_whitespace().peekable();
    let mut start = *start;
    words.next_if_eq(&"position");
    if words.next_if_eq(&"startpos").is_some() {
        start = Board::start();
    } else if words.next_if_eq(&"fen").is_some() {
        let fields: Vec<&str> = words.by_ref().take(6).collect();
        start = fields.join(" ").parse().map_err(|error: FenError| error)?;
    }
    words.next_if_eq(&"moves");

    let mut game = Game::new(start);
    let mut board = start;
    let mut at = Game::ROOT;
    for word in words {
        let (mv, next) = match (uci::parse(word, &board), board.null_move()) {
            (Ok(mv), _) => (Some(mv), board.after_unchecked(mv)),
            (Err(UciError::NullMove), Some(after)) => (None, after),
            (Err(reason), _) => {
                return Err(ConvertError::Uci {
                    number: board.fullmove_number(),
                    white: board.turn().is_white(),
                    text: word.to_owned(),
                    reason,
                });
            }
        };
        at = game.add_unchecked(at, mv);
        board = next;
    }
    Ok(Item::Game(game))
}
