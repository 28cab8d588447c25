//! Writing positions and games in any format.

use std::fmt::Write;

use tabiya_board::{Board, Move};
use tabiya_notation::pgn::{Event, Game, Reader, SanToken, decode};
use tabiya_notation::{GameResult, PieceLetters, uci, write_san};

use super::read::with_clocks;
use super::{ConvertError, Format, Item};

/// Writes a position or a game in a format, with a line break at the end. A game becomes its last position where the
/// format has only positions, and a position a game without moves.
pub fn write(item: Item, format: Format, letters: &PieceLetters) -> Result<String, ConvertError> {
    Ok(match (item, format) {
        (Item::Position(epd), Format::Fen) => format!("{}\n", epd.board),
        (Item::Position(epd), Format::Epd) => format!("{epd}\n"),
        (Item::Position(epd), Format::Pgn) => pgn(Game::new(epd.board), letters),
        (Item::Position(_), _) => return Err(ConvertError::NoMoves),
        (Item::Game(game), Format::Fen) => format!("{}\n", last_board(&game)),
        (Item::Game(game), Format::Epd) => format!("{}\n", with_clocks(last_board(&game))),
        (Item::Game(game), Format::San) => san_moves(&game, letters),
        (Item::Game(game), Format::Uci) => uci_moves(&game),
        (Item::Game(game), Format::Pgn) => pgn(game, letters),
    })
}

fn last_board(game: &Game) -> Board {
    let last = game.main_line().last();
    game.board(last.unwrap_or(Game::ROOT))
}

fn pgn(mut game: Game, letters: &PieceLetters) -> String {
    game.standardize();
    let mut text = game.to_string();
    text.push('\n');
    if *letters == PieceLetters::ENGLISH {
        return text;
    }
    decode(&localize(text.as_bytes(), letters)).into_owned()
}

/// Replaces the English piece letters in the moves of PGN by those of another language. Everything else stays.
pub fn localize(pgn: &[u8], letters: &PieceLetters) -> Vec<u8> {
    let mut localized = Vec::with_capacity(pgn.len() + pgn.len() / 8);
    let mut done = 0;
    let mut reader = Reader::new(pgn);
    while let Some(event) = reader.next() {
        let Event::Move(SanToken { text: word, .. }) = event else {
            continue;
        };
        let offset = reader.event_offset();
        localized.extend_from_slice(&pgn[done..offset]);
        localized.extend_from_slice(letters.localize(&decode(word)).as_bytes());
        done = offset + word.len();
    }
    localized.extend_from_slice(&pgn[done..]);
    localized
}

/// Calls for each move of the main line, with the board before it. A null move is `None`.
fn for_each_move(game: &Game, mut visit: impl FnMut(&Board, Option<Move>)) {
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

/// The moves in SAN, after the starting position if it is not the standard one.
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
        words.push(result.to_string());
    }
    words.join(" ") + "\n"
}

/// The moves in UCI notation, after the starting position if it is not the standard one.
fn uci_moves(game: &Game) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if *game.start() != Board::start() {
        let _ = write!(text, "position fen {} moves ", game.start());
    }
    for_each_move(game, |board, mv| {
        let _ = match mv {
            Some(mv) => write!(text, "{} ", uci::write(board, mv)),
            None => write!(text, "0000 "),
        };
    });
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_another_language_and_back() {
        let german: PieceLetters = "de".parse().unwrap();
        let english = "1. e4 e5 { Nf3 next } 2. Nf3 Nc6 3. Bb5 (3. Bc4 Nd4) *\n";
        let localized = localize(english.as_bytes(), &german);
        assert_eq!(
            decode(&localized),
            "1. e4 e5 { Nf3 next } 2. Sf3 Sc6 3. Lb5 (3. Lc4 Sd4) *\n"
        );
        let game = Game::read_with(&mut Reader::new(&localized), &german);
        assert_eq!(game.unwrap().unwrap().to_string(), english);
    }
}
