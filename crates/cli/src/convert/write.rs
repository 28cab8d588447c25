//! Writing what was converted.

use std::fmt::Write;

use tabiya_board::Board;
use tabiya_notation::GameResult;
use tabiya_notation::pgn::{Game, decode as as_text};
use tabiya_notation::{PieceLetters, uci, write_san};

use super::read::with_clocks;
use super::{Format, Item};
use crate::pgn::letters::from_english;
use crate::pgn::standardize;

/// A position or a game in a format, with its line end.
pub(crate) fn text(item: Item, format: Format, letters: &PieceLetters) -> Result<String, String> {
    match (item, format) {
        (Item::Position(epd), Format::Fen) => Ok(format!("{}\n", epd.board)),
        (Item::Position(epd), Format::Epd) => Ok(format!("{epd}\n")),
        (Item::Position(epd), Format::Pgn) => {
            let mut game = Game::new(epd.board);
            if epd.board != Board::start() {
                game.set_tag("FEN", &epd.board.to_string());
            }
            Ok(pgn(game, letters))
        }
        (Item::Position(_), _) => Err("a position has no moves".to_owned()),
        (Item::Game(game), Format::Fen) => Ok(format!("{}\n", end(&game))),
        (Item::Game(game), Format::Epd) => Ok(format!("{}\n", with_clocks(end(&game)))),
        (Item::Game(game), Format::San) => Ok(san_moves(&game, letters)),
        (Item::Game(game), Format::Uci) => Ok(uci_moves(&game)),
        (Item::Game(game), Format::Pgn) => Ok(pgn(game, letters)),
    }
}

/// The board at the end of a game.
fn end(game: &Game) -> Board {
    let last = game.main_line().last();
    game.board(last.unwrap_or(Game::ROOT))
}

fn pgn(mut game: Game, letters: &PieceLetters) -> String {
    standardize(&mut game);
    let mut text = game.to_string();
    text.push('\n');
    if *letters == PieceLetters::ENGLISH {
        return text;
    }
    as_text(&from_english(text.as_bytes(), letters)).into_owned()
}

/// Calls for each move of the main line with the board before it; null moves have none.
fn for_each_move(game: &Game, mut visit: impl FnMut(&Board, Option<tabiya_board::Move>)) {
    let mut board = *game.start();
    for id in game.main_line() {
        let mv = game.move_to(id);
        visit(&board, mv);
        board = match mv {
            Some(mv) => board.after_unchecked(mv),
            None => board.null_move().unwrap_or(board),
        };
    }
}

/// The moves as people write them, with the start before them if it is not the usual one.
fn san_moves(game: &Game, letters: &PieceLetters) -> String {
    let mut words = Vec::new();
    if *game.start() != Board::start() {
        words.push(format!("[FEN \"{}\"]", game.start()));
    }
    let mut numbered = true;
    for_each_move(game, |board, mv| {
        let number = board.fullmove_number();
        if board.turn().is_white() {
            words.push(format!("{number}."));
        } else if numbered {
            words.push(format!("{number}..."));
        }
        numbered = false;
        words.push(match mv {
            Some(mv) => letters.localize(&write_san(board, mv)),
            None => "--".to_owned(),
        });
    });
    if let Some(result) = game.result.filter(|&result| result != GameResult::Unknown) {
        words.push(result.as_str().to_owned());
    }
    words.join(" ") + "\n"
}

/// The moves as engines write them, with the start before them if it is not the usual one.
fn uci_moves(game: &Game) -> String {
    let mut text = String::new();
    if *game.start() != Board::start() {
        // Writing to a string does not fail.
        let _ = write!(text, "position fen {} moves ", game.start());
    }
    for_each_move(game, |board, mv| {
        match mv {
            Some(mv) => {
                // Writing to a string does not fail.
                let _ = write!(text, "{}", uci::write(board, mv));
            }
            None => text.push_str("0000"),
        }
        text.push(' ');
    });
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
