//! Reading what is to be converted.

use std::io::{self, BufRead};

use tabiya_board::Board;
use tabiya_notation::pgn::{Batches, Event, Game, Reader, decode};
use tabiya_notation::uci::{self, UciError};
use tabiya_notation::{Epd, PieceLetters};

use super::{Format, Item, Take, Trouble};
use crate::pgn::letters::sentence;

/// How many bytes of games are read at a time.
const BATCH: usize = 1 << 20;

/// Reads a PGN, game by game.
pub(crate) fn games(input: impl BufRead, letters: &PieceLetters, take: &mut Take) -> io::Result<()> {
    for batch in Batches::new(input, BATCH) {
        let batch = batch?;
        let mut reader = Reader::new(&batch.text);
        let mut start = reader.offset();
        while let Some(event) = reader.next() {
            let Event::End(_) = event else {
                continue;
            };
            let end = reader.offset();
            let blank = batch.text[start..end].iter();
            start += blank.take_while(|&&byte| byte <= b' ').count();
            let game = game(&batch.text[start..end], letters);
            let line = |offset| batch.line_and_column(start + offset).0;
            take(
                line(0),
                game.map_err(|(offset, reason)| Trouble {
                    line: line(offset),
                    reason,
                }),
            )?;
            start = end;
        }
    }
    Ok(())
}

/// One game; or else what is wrong, and the number of bytes before it.
fn game(movetext: &[u8], letters: &PieceLetters) -> Result<Item, (usize, String)> {
    match Game::read_with(&mut Reader::new(movetext), letters) {
        Some(Ok(game)) => Ok(Item::Game(game)),
        Some(Err(error)) => Err((error.offset, sentence(&error.kind))),
        None => Err((0, "there is no game".to_owned())),
    }
}

/// Reads lines, each of which is a position or a game.
pub(crate) fn lines(
    mut input: impl BufRead,
    format: Format,
    start: &Board,
    letters: &PieceLetters,
    take: &mut Take,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = decode(&bytes);
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let item = match format {
            Format::Fen => line
                .parse()
                .map(|board| Item::Position(with_clocks(board)))
                .map_err(|error| error.to_string()),
            Format::Epd => line
                .parse()
                .map(Item::Position)
                .map_err(|error: tabiya_notation::EpdError| error.to_string()),
            Format::Uci => uci_line(line, start),
            Format::San | Format::Pgn => san_line(line, start, letters),
        };
        let item = item.map_err(|reason| Trouble {
            line: number,
            reason,
        });
        take(number, item)?;
    }
    Ok(())
}

/// A position as EPD writes it, where the clocks are operations.
pub(crate) fn with_clocks(board: Board) -> Epd {
    use tabiya_notation::{Operand, Operation};
    let mut epd = Epd::new(board);
    let clocks = [
        ("hmvc", u16::from(board.halfmove_clock()), 0),
        ("fmvn", board.fullmove_number(), 1),
    ];
    for (opcode, value, usual) in clocks {
        if value != usual {
            epd.operations.push(Operation {
                opcode: opcode.to_owned(),
                operands: vec![Operand::Symbol(value.to_string())],
            });
        }
    }
    epd
}

/// A game of one line, which is a PGN without its tags.
fn san_line(line: &str, start: &Board, letters: &PieceLetters) -> Result<Item, String> {
    let with_start;
    let mut whole = line;
    if !line.starts_with('[') && *start != Board::start() {
        with_start = format!("[FEN \"{start}\"]\n{line}");
        whole = &with_start;
    }
    let mut reader = Reader::new(whole.as_bytes());
    let ends = std::iter::from_fn(|| reader.next());
    if ends.filter(|event| matches!(event, Event::End(_))).count() > 1 {
        return Err("there is more than one game in the line: is it PGN?".to_owned());
    }
    game(whole.as_bytes(), letters).map_err(|(_, reason)| reason)
}

/// `e2e4 e7e5`, or with UCI's words before it: `position startpos moves e2e4 e7e5`.
fn uci_line(line: &str, start: &Board) -> Result<Item, String> {
    let mut words = line.split_whitespace().peekable();
    let mut start = *start;
    words.next_if_eq(&"position");
    if words.next_if_eq(&"startpos").is_some() {
        start = Board::start();
    } else if words.next_if_eq(&"fen").is_some() {
        let fields: Vec<&str> = words.by_ref().take(6).collect();
        let fen = fields.join(" ");
        start = fen
            .parse()
            .map_err(|error: tabiya_board::FenError| error.to_string())?;
    }
    words.next_if_eq(&"moves");

    let mut game = Game::new(start);
    if start != Board::start() {
        game.set_tag("FEN", &start.to_string());
    }
    let mut board = start;
    let mut at = Game::ROOT;
    for word in words {
        let (mv, next) = match (uci::parse(word, &board), board.null_move()) {
            (Ok(mv), _) => (Some(mv), board.after_unchecked(mv)),
            (Err(UciError::NullMove), Some(passed)) => (None, passed),
            (Err(error), _) => {
                let dots = if board.turn().is_white() { "." } else { "..." };
                return Err(format!("{}{dots} {word}: {error}", board.fullmove_number()));
            }
        };
        at = game.add_move(at, mv);
        board = next;
    }
    Ok(Item::Game(game))
}
