//! A game as its players meet it: what may be done, what is written, what survives.

mod collection;
mod computer;
mod draws;
mod folder;
mod game;
mod record;
mod time;
mod whole_file;

use std::time::Instant;

use tabiya_board::{Board, Color, Line};
use tabiya_play::{Event, Game, Player, TimeControl};

/// Two people without a clock.
fn people() -> Game {
    game_from(Board::start(), TimeControl::None)
}

fn game_from(board: Board, control: TimeControl) -> Game {
    let players = [Player::person("Ann"), Player::person("Bob")];
    Game::new(Line::new(board), players, control)
}

/// Plays moves in SAN.
#[track_caller]
fn play(game: &mut Game, moves: &str) {
    for san in moves.split_whitespace() {
        let played = game.play_text(san, Instant::now());
        played.unwrap_or_else(|refused| panic!("{san}: {refused}"));
    }
}

/// The end that an event tells of.
#[track_caller]
fn ending(event: &Event) -> tabiya_play::Ending {
    match event {
        Event::Ended(ending) => *ending,
        other => panic!("{other:?}"),
    }
}

/// The moves in SAN.
fn moves(game: &Game) -> String {
    let line: Vec<_> = game.line().moves().collect();
    tabiya_play::variation_text(game.line().start(), &line)
}

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;
