//! Games as players see them: actions, records, clocks.

mod collection;
mod computer;
mod draws;
mod folder;
mod game;
mod record;
mod time;

use std::time::Instant;

use tabiya_board::{Board, Color, GameHistory};
use tabiya_play::{Game, GameEvent, Player, TimeControl};

/// Two people without a clock.
fn people() -> Game {
    game_from(Board::start(), TimeControl::None)
}

fn game_from(board: Board, control: TimeControl) -> Game {
    let players = [Player::person("Ann"), Player::person("Bob")];
    Game::new(GameHistory::new(board), players, control)
}

/// Plays moves in SAN.
#[track_caller]
fn play(game: &mut Game, moves: &str) {
    for san in moves.split_whitespace() {
        let played = game.play_text(san, Instant::now());
        played.unwrap_or_else(|error| panic!("{san}: {error}"));
    }
}

/// The termination in an event.
#[track_caller]
fn ending(event: &GameEvent) -> tabiya_play::Termination {
    match event {
        GameEvent::Ended(ending) => *ending,
        other => panic!("{other:?}"),
    }
}

/// The moves in SAN.
fn moves(game: &Game) -> String {
    let line: Vec<_> = game.history().moves().collect();
    tabiya_display::variation::format_variation(game.history().start(), &line)
}

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;
