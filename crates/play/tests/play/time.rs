//! Clocks, tested without waiting.

use std::time::{Duration, Instant};

use tabiya_board::Board;
use tabiya_play::{ActionError, Termination, TimeControl};

use crate::{BLACK, WHITE, ending, game_from};

const SECOND: Duration = Duration::from_secs(1);

fn blitz() -> TimeControl {
    "3+2".parse().unwrap()
}

#[test]
fn moves_use_time_and_add_the_increment() {
    let mut game = game_from(Board::start(), blitz());
    let start = Instant::now();
    // No clock runs before the start.
    assert_eq!(
        game.clock().remaining(WHITE, start + 999 * SECOND),
        Some(180 * SECOND)
    );
    game.start(start);
    game.play_text("e4", start + 10 * SECOND).unwrap();
    game.play_text("e5", start + 15 * SECOND).unwrap();
    let now = start + 16 * SECOND;
    assert_eq!(game.clock().remaining(WHITE, now), Some(171 * SECOND));
    assert_eq!(game.clock().remaining(BLACK, now), Some(177 * SECOND));
    assert_eq!(game.move_times()[0].spent, Some(10 * SECOND));
    assert_eq!(game.move_times()[0].left, Some(172 * SECOND));
    let text = game.pgn().to_string();
    assert!(text.contains("[%clk 0:02:52] [%emt 0:00:10]"), "{text}");
}

#[test]
fn a_fallen_flag_ends_the_game() {
    let mut game = game_from(Board::start(), blitz());
    let start = Instant::now();
    game.start(start);
    assert_eq!(game.check_flag(start + 179 * SECOND), None);
    let event = game.check_flag(start + 181 * SECOND).unwrap();
    let flag = Termination::TimeForfeit {
        color: WHITE,
        drawn: false,
    };
    assert_eq!(ending(&event), flag);
    assert_eq!(flag.to_string(), "Black wins: White ran out of time");
    assert_eq!(game.check_flag(start + 182 * SECOND), None);
    // A late move is an error even if the flag was not checked before.
    let mut game = game_from(Board::start(), blitz());
    game.start(start);
    let error = game.play_text("e4", start + 181 * SECOND);
    assert_eq!(error, Err(ActionError::GameOver(flag)));
}

#[test]
fn no_win_on_time_without_mating_material() {
    let board: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    let mut game = game_from(board, blitz());
    let start = Instant::now();
    game.start(start);
    let event = game.check_flag(start + 200 * SECOND).unwrap();
    assert_eq!(ending(&event).winner(), None);
    assert_eq!(
        ending(&event).to_string(),
        "draw: White ran out of time, but Black has no mating material"
    );
}

#[test]
fn a_takeback_resets_the_clocks() {
    let mut game = game_from(Board::start(), blitz());
    let start = Instant::now();
    game.start(start);
    game.play_text("e4", start + 10 * SECOND).unwrap();
    game.play_text("e5", start + 30 * SECOND).unwrap();
    let now = start + 40 * SECOND;
    game.take_back(now).unwrap();
    assert_eq!(game.clock().remaining(WHITE, now), Some(172 * SECOND));
    assert_eq!(game.clock().remaining(BLACK, now), Some(180 * SECOND));
    assert_eq!(
        game.clock().remaining(BLACK, now + SECOND),
        Some(179 * SECOND)
    );
}

#[test]
fn each_move_has_its_own_time() {
    let mut game = game_from(Board::start(), "10s/move".parse().unwrap());
    let start = Instant::now();
    game.start(start);
    game.play_text("e4", start + 9 * SECOND).unwrap();
    game.play_text("e5", start + 18 * SECOND).unwrap();
    assert!(game.check_flag(start + 27 * SECOND).is_none());
    assert!(game.check_flag(start + 29 * SECOND).is_some());
}

#[test]
fn a_pause_stops_the_clock() {
    let mut game = game_from(Board::start(), blitz());
    let start = Instant::now();
    game.start(start);
    game.pause(start + 10 * SECOND);
    assert_eq!(
        game.clock().remaining(WHITE, start + 500 * SECOND),
        Some(170 * SECOND)
    );
    game.start(start + 500 * SECOND);
    game.play_text("e4", start + 505 * SECOND).unwrap();
    assert_eq!(game.move_times()[0].spent, Some(15 * SECOND));
    assert_eq!(game.move_times()[0].left, Some(167 * SECOND));
    // A takeback restores the clock from before the pause.
    game.take_back(start + 505 * SECOND).unwrap();
    assert_eq!(
        game.clock().remaining(WHITE, start + 505 * SECOND),
        Some(180 * SECOND)
    );
}
