//! Moves, takebacks, players and results.

use std::time::Instant;

use tabiya_board::{Board, GameHistory, Outcome, Square};
use tabiya_play::{ActionError, Game, GameEvent, Level, Player, Termination, TimeControl};

use crate::{BLACK, WHITE, ending, moves, people, play};

#[test]
fn checkmate_ends_the_game() {
    let mut game = people();
    play(&mut game, "f3 e5 g4");
    let events = game.play_text("d8h4", Instant::now()).unwrap();
    let [GameEvent::Moved { san, .. }, end] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(san, "Qh4#");
    let mate = Termination::Outcome(Outcome::Checkmate { winner: BLACK });
    assert_eq!(ending(end), mate);
    assert_eq!(game.termination(), Some(mate));
    assert_eq!(game.player_to_move(), None);
    // Nothing but a takeback is possible any more.
    let now = Instant::now();
    let over = ActionError::GameOver(mate);
    assert_eq!(game.play_text("a3", now), Err(over.clone()));
    assert_eq!(game.redo(now), Err(over.clone()));
    assert_eq!(game.resign(WHITE, now), Err(over.clone()));
    assert_eq!(game.draw(WHITE, now), Err(over.clone()));
    assert_eq!(game.swap_sides(now).unwrap_err(), over);
    assert_eq!(
        over.to_string(),
        "the game is over: Black wins by checkmate"
    );
}

#[test]
fn a_position_without_legal_moves_is_over_at_once() {
    let stalemate: Board = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    let game = crate::game_from(stalemate, TimeControl::None);
    assert_eq!(
        game.termination(),
        Some(Termination::Outcome(Outcome::Stalemate))
    );
}

#[test]
fn illegal_moves_are_explained() {
    let mut game = people();
    for (text, from, to) in [
        ("e2e5", Square::E2, Square::E5),
        ("e7-e5", Square::E7, Square::E5),
        ("Ke2", Square::E1, Square::E2),
        ("O-O", Square::E1, Square::G1),
    ] {
        let error = game.play_text(text, Instant::now()).unwrap_err();
        let refusal = game.board().legal_move(from, to, None).unwrap_err();
        assert_eq!(error.to_string(), refusal.to_string(), "{text}");
    }
    assert_eq!(game.history().moves().len(), 0);
}

#[test]
fn between_people_one_ply_is_taken_back() {
    let mut game = people();
    let now = Instant::now();
    assert_eq!(game.take_back(now), Err(ActionError::NothingToTakeBack));
    play(&mut game, "e4 e5 Nf3");
    assert_eq!(game.take_back(now), Ok(GameEvent::TakenBack { plies: 1 }));
    assert_eq!(moves(&game), "1. e4 e5");
    play(&mut game, "Bc4");
    assert_eq!(moves(&game), "1. e4 e5 2. Bc4");
}

#[test]
fn against_a_computer_both_plies_are_taken_back() {
    let players = [Player::person("Ann"), Player::Computer(Level::ALL[0])];
    let mut game = Game::new(GameHistory::default(), players, TimeControl::None);
    let now = Instant::now();
    play(&mut game, "e4 e5 Nf3");
    // The computer has not replied yet.
    assert_eq!(game.plies_to_take_back(), 1);
    play(&mut game, "Nc6");
    assert_eq!(game.take_back(now), Ok(GameEvent::TakenBack { plies: 2 }));
    assert_eq!(moves(&game), "1. e4 e5");
    assert_eq!(game.take_back(now), Ok(GameEvent::TakenBack { plies: 2 }));
    assert_eq!(game.take_back(now), Err(ActionError::NothingToTakeBack));
    // If only the computer has moved, there is nothing to take back.
    game.swap_sides(now).unwrap();
    play(&mut game, "e4");
    assert_eq!(game.take_back(now), Err(ActionError::NothingToTakeBack));
}

#[test]
fn a_takeback_works_after_the_end() {
    let now = Instant::now();
    let mut game = people();
    play(&mut game, "f3 e5 g4 Qh4#");
    let mate = game.termination();
    assert_eq!(game.take_back(now), Ok(GameEvent::TakenBack { plies: 1 }));
    assert_eq!(game.termination(), None);
    assert_eq!(game.redo(now), Ok(GameEvent::Redone { plies: 1 }));
    assert_eq!(game.termination(), mate);
    game.take_back(now).unwrap();
    play(&mut game, "d5");
    assert_eq!(moves(&game), "1. f3 e5 2. g4 d5");
    // The other move replaces what could have been redone.
    assert_eq!(game.redo(now), Err(ActionError::NothingToRedo));
    // A resignation is taken back without a move.
    game.resign(WHITE, now).unwrap();
    assert_eq!(game.take_back(now), Ok(GameEvent::TakenBack { plies: 0 }));
    assert_eq!(moves(&game), "1. f3 e5 2. g4 d5");
    play(&mut game, "a3");
    // A mate on the board at the start cannot be taken back.
    let mate: Board = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    let mut game = crate::game_from(mate, TimeControl::None);
    assert_eq!(game.take_back(now), Err(ActionError::NothingToTakeBack));
}

#[test]
fn moves_that_were_taken_back_can_be_played_again() {
    let now = Instant::now();
    let players = [Player::person("Ann"), Player::Computer(Level::ALL[0])];
    let mut game = Game::new(GameHistory::default(), players, "1+0".parse().unwrap());
    let second = std::time::Duration::from_secs(1);
    game.start(now);
    for (i, san) in ["e4", "e5", "Nf3", "Nc6"].into_iter().enumerate() {
        game.play_text(san, now + second * (i as u32 + 1)).unwrap();
    }
    let later = now + second * 5;
    let clocks = |game: &Game| [WHITE, BLACK].map(|color| game.clock().remaining(color, later));
    let before = [58 * second, 58 * second].map(Some);
    game.take_back(later).unwrap();
    game.take_back(later).unwrap();
    assert_eq!(clocks(&game), [60 * second, 60 * second].map(Some));
    assert_eq!(game.redo(later), Ok(GameEvent::Redone { plies: 2 }));
    assert_eq!(moves(&game), "1. e4 e5");
    assert_eq!(game.redo(later), Ok(GameEvent::Redone { plies: 2 }));
    assert_eq!(moves(&game), "1. e4 e5 2. Nf3 Nc6");
    assert_eq!(clocks(&game), before);
    assert!(!game.can_redo());
}

#[test]
fn games_can_be_resigned_and_abandoned() {
    let now = Instant::now();
    let mut game = people();
    let resigned = game.resign(WHITE, now).unwrap();
    assert_eq!(ending(&resigned).to_string(), "Black wins: White resigned");
    let mut game = people();
    let abandoned = game.abandon(now).unwrap();
    assert_eq!(ending(&abandoned).winner(), None);
    assert!(game.pgn().to_string().trim_end().ends_with('*'));
}

#[test]
fn players_can_be_changed_and_swapped() {
    let now = Instant::now();
    let mut game = people();
    game.set_player(BLACK, Player::Computer(Level::FULL), now)
        .unwrap();
    assert_eq!(game.person_to_act(), Some(WHITE));
    game.swap_sides(now).unwrap();
    assert_eq!(game.person_to_act(), Some(BLACK));
    assert_eq!(game.player(BLACK), &Player::person("Ann"));
    game.set_player(BLACK, Player::Computer(Level::FULL), now)
        .unwrap();
    assert_eq!(game.person_to_act(), None);
}

#[test]
fn openings_are_named() {
    let mut game = people();
    assert_eq!(game.opening(), None);
    play(&mut game, "e4 c5");
    assert_eq!(game.opening().unwrap().name, "Sicilian Defense");
    // After the last named position, the name stays.
    play(&mut game, "h4 h5 Rh3 Rh6");
    assert_eq!(game.opening().unwrap().name, "Sicilian Defense");
}

#[test]
fn the_pgn_is_complete() {
    let mut game = people();
    play(&mut game, "f3 e5 g4 Qh4#");
    let text = game.pgn().to_string();
    for line in [
        "[White \"Ann\"]",
        "[Black \"Bob\"]",
        "[Result \"0-1\"]",
        "[Termination \"normal\"]",
        "[TimeControl \"-\"]",
        "[WhiteType \"human\"]",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(
        text.contains("Black wins by checkmate") && text.trim_end().ends_with("0-1"),
        "{text}"
    );
    let chess960 = crate::game_from(Board::chess960_start(0), TimeControl::None);
    let text = chess960.pgn().to_string();
    assert!(
        text.matches("[Variant \"Chess960\"]").count() == 1 && text.contains("[FEN \"bbqnnrkr/"),
        "{text}"
    );
}
