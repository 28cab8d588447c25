//! Commands during a game, and the records of games.

use std::time::Instant;

use tabiya_board::Board;
use tabiya_notation::pgn::{self, Reader};
use tabiya_play::{Game, GameCommand, parse_move};

/// Checks that every line is a command or an error message, that a record can be resumed, and that its PGN has the same
/// moves.
pub fn check_play(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        match GameCommand::parse(line) {
            Ok(Some(GameCommand::Move(text))) => {
                if let Err(error) = parse_move(&text, &Board::start()) {
                    assert!(!error.to_string().is_empty());
                }
            }
            Ok(_) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let mut game = match Game::from_record(bytes) {
        Ok(game) => game,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let text = game.pgn().to_string();
    let read = pgn::Game::read(&mut Reader::new(text.as_bytes()));
    let read = read
        .expect("the PGN has a game")
        .expect("the game is valid");
    let moves = read.main_line().filter_map(|place| read.move_to(place));
    assert!(moves.eq(game.history().moves()), "{text}");

    let now = Instant::now();
    let plies = game.history().moves().len();
    game.start(now);
    match game.take_back(now) {
        Ok(_) => assert!(game.history().moves().len() < plies),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
