//! Computer players.

use std::time::{Duration, Instant};

use tabiya_board::{Board, GameHistory};
use tabiya_play::{
    ActionError, ComputerPlayer, EngineCommand, Game, GameEvent, Level, Player, PlayerUpdate,
    Session, SessionEvent, SessionOptions, Store, Termination, TimeControl,
};

use crate::folder::Folder;
use crate::{BLACK, WHITE, moves};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const OPTIONS: SessionOptions = SessionOptions {
    seed: 1,
    paced: false,
    resigns: false,
    offers_draws: false,
};

fn computer(level: u8) -> Player {
    Player::Computer(Level::new(level).unwrap())
}

fn session(test: &str, board: Board, players: [Player; 2], control: TimeControl) -> Session {
    let folder = Folder::new(test);
    let game = Game::new(GameHistory::new(board), players, control);
    Session::new(game, Store::new(folder.path()), OPTIONS)
}

/// Waits for a move or the end of the game.
#[track_caller]
fn wait_for_event(session: &mut Session) -> Vec<GameEvent> {
    let start = Instant::now();
    loop {
        let mut events = Vec::new();
        for event in session.wait(Duration::from_secs(1)) {
            match event {
                SessionEvent::Game(event) => events.push(event),
                SessionEvent::Warning(warning) => panic!("{warning}"),
                _ => {}
            }
        }
        if !events.is_empty() {
            return events;
        }
        assert!(start.elapsed() < PATIENCE, "nothing happens");
    }
}

#[test]
fn the_computer_replies() {
    let players = [Player::person("Ann"), computer(1)];
    let mut session = session("answers", Board::start(), players, TimeControl::None);
    let now = Instant::now();
    session.play_text("e4", now).unwrap();
    let error = session.play_text("e5", now).unwrap_err();
    assert_eq!(error, ActionError::NotYourTurn(BLACK));
    wait_for_event(&mut session);
    assert_eq!(session.game().history().moves().len(), 2);
    assert!(!session.is_busy());
    assert!(session.wait(Duration::ZERO).is_empty());
    // After a takeback it replies again, perhaps otherwise: its table knows the position now.
    let first = moves(session.game());
    session.take_back(Instant::now()).unwrap();
    session.play_text("e4", Instant::now()).unwrap();
    wait_for_event(&mut session);
    assert_eq!(session.game().history().moves().len(), 2);
    // The same seed gives the same game.
    let players = [Player::person("Ann"), computer(1)];
    let mut again = self::session("again", Board::start(), players, TimeControl::None);
    again.play_text("e4", Instant::now()).unwrap();
    wait_for_event(&mut again);
    assert_eq!(moves(again.game()), first);
}

#[test]
fn the_computer_plays_itself_to_the_end() {
    let board: Board = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1".parse().unwrap();
    let mut session = session(
        "itself",
        board,
        [computer(9), computer(1)],
        TimeControl::None,
    );
    while session.game().termination().is_none() {
        wait_for_event(&mut session);
    }
    let winner = session.game().termination().unwrap().winner();
    assert_eq!(winner, Some(WHITE), "{}", moves(session.game()));
    let games = std::fs::read_to_string(session.store().collection().path()).unwrap();
    assert!(
        games.contains(&format!("[White \"{}\"]", computer(9))),
        "{games}"
    );
    assert!(session.store().unfinished().unwrap().is_empty());
}

#[test]
fn the_computer_keeps_to_its_clock() {
    let board: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    let control = "0.2+0".parse().unwrap();
    let mut session = session("clock", board, [computer(10), computer(10)], control);
    for _ in 0..6 {
        wait_for_event(&mut session);
    }
    assert_eq!(session.game().termination(), None);
    let turn = &session.game().move_times()[5];
    assert!(turn.left.unwrap() < Duration::from_secs(12), "{turn:?}");
}

#[test]
fn flags_fall_while_waiting() {
    let players = [Player::person("Ann"), computer(1)];
    let control = "0.1s/move".parse().unwrap();
    let mut session = session("flag", Board::start(), players, control);
    // The first tick starts the clock.
    session.tick(Instant::now());
    let events = session.tick(Instant::now() + Duration::from_secs(1));
    let flag = Termination::TimeForfeit {
        color: WHITE,
        drawn: false,
    };
    assert_eq!(events, [SessionEvent::Game(GameEvent::Ended(flag))]);
    let error = session.play_text("e4", Instant::now()).unwrap_err();
    assert_eq!(error, ActionError::GameOver(flag));
}

#[test]
fn the_computer_accepts_a_draw_only_when_losing() {
    let lost: Board = "3qk3/8/8/8/8/8/8/4K2R b - - 0 1".parse().unwrap();
    for (person_has_queen, accepted) in [(true, true), (false, false)] {
        let mut players = [computer(5), Player::person("Ann")];
        if !person_has_queen {
            players.swap(0, 1);
        }
        let mut session = session("draw", lost, players, TimeControl::None);
        let events = session.draw(Instant::now()).unwrap();
        let last = events.iter().find_map(|events| match events {
            SessionEvent::Game(GameEvent::Ended(ending)) => Some(*ending),
            _ => None,
        });
        assert_eq!(last == Some(Termination::Agreed), accepted, "{events:?}");
    }
}

#[test]
fn players_can_swap_change_and_be_replaced_for_a_move() {
    let players = [Player::person("Ann"), computer(1)];
    let mut session = session("swap", Board::start(), players, TimeControl::None);
    let now = Instant::now();
    session.swap_sides(now).unwrap();
    wait_for_event(&mut session);
    assert_eq!(session.game().person_to_act(), Some(BLACK));
    session.set_level(Level::new(2).unwrap(), now).unwrap();
    assert_eq!(session.game().player(WHITE), &computer(2));
    session.play_for_me(now).unwrap();
    while session.game().history().moves().len() < 3 {
        wait_for_event(&mut session);
    }
    assert!(session.game().player(BLACK).is_person());
    session.resign(None, now).unwrap();
    assert_eq!(
        session.game().termination(),
        Some(Termination::Resigned(BLACK))
    );
}

#[test]
fn stop_abandons_the_search_and_move_now_ends_it() {
    let game = Game::new(
        GameHistory::default(),
        [computer(10), computer(10)],
        TimeControl::None,
    );
    let mut board = *game.board();
    for mv in ["a2a4", "h7h5", "a4a5", "h5h4", "a1a3", "h8h6"] {
        board.play(tabiya_play::parse_move(mv, &board).unwrap());
    }
    let game = Game::new(
        GameHistory::new(board),
        game.players().clone(),
        TimeControl::None,
    );
    let mut player = ComputerPlayer::new(&computer(10), 1, false).unwrap();
    player.start(&game, Instant::now());
    player.stop();
    assert!(!player.is_thinking());
    assert_eq!(player.wait(Duration::from_millis(50)), None);
    player.start(&game, Instant::now());
    player.move_now();
    let start = Instant::now();
    let mv = loop {
        match player.wait(PATIENCE) {
            Some(PlayerUpdate::Move { mv, .. }) => break mv,
            Some(PlayerUpdate::SearchInfo(_)) => {}
            other => panic!("{other:?}"),
        }
        assert!(start.elapsed() < PATIENCE);
    };
    assert!(board.validate(mv).is_ok());
    assert!(ComputerPlayer::new(&Player::person("Ann"), 1, false).is_none());
}

#[test]
fn only_players_who_know_theory_play_from_the_book() {
    let game = Game::new(
        GameHistory::default(),
        [computer(1), computer(1)],
        TimeControl::None,
    );
    for (level, knows_theory) in [(1, false), (3, false), (4, true), (6, true)] {
        let mut player = ComputerPlayer::new(&computer(level), 1, false).unwrap();
        player.start(&game, Instant::now());
        let searched = loop {
            match player.wait(PATIENCE) {
                Some(PlayerUpdate::Move { search_info, .. }) => break search_info.is_some(),
                Some(PlayerUpdate::SearchInfo(_)) => {}
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(searched, !knows_theory, "level {level}");
    }
}

#[test]
fn a_paced_move_waits_until_it_is_due() {
    let game = Game::new(
        GameHistory::default(),
        [computer(1), computer(1)],
        TimeControl::None,
    );
    let mut player = ComputerPlayer::new(&computer(1), 1, true).unwrap();
    let start = Instant::now();
    player.start(&game, start);
    loop {
        match player.wait(Duration::from_millis(100)) {
            Some(PlayerUpdate::Move { .. }) => break,
            // What the search finds out is shown at once.
            Some(PlayerUpdate::SearchInfo(_)) | None => assert!(start.elapsed() < PATIENCE),
            other => panic!("{other:?}"),
        }
    }
    assert!(
        start.elapsed() >= Duration::from_millis(400),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_missing_engine_is_reported_and_can_be_replaced() {
    let engine = EngineCommand::parse("/no/such/engine").unwrap();
    let players = [Player::Engine(engine), Player::person("Ann")];
    let mut session = session("missing", Board::start(), players, TimeControl::None);
    let mut warnings = Vec::new();
    let start = Instant::now();
    while warnings.is_empty() && start.elapsed() < PATIENCE {
        warnings = session.wait(Duration::from_secs(1));
    }
    let [SessionEvent::Warning(warning)] = &warnings[..] else {
        panic!("{warnings:?}");
    };
    assert!(
        warning.contains("/no/such/engine cannot be started"),
        "{warning}"
    );
    // It is not asked again.
    assert!(session.wait(Duration::from_millis(50)).is_empty());
    session
        .set_level(Level::new(1).unwrap(), Instant::now())
        .unwrap();
    wait_for_event(&mut session);
    assert_eq!(session.game().history().moves().len(), 1);
}

/// The move that a player finds, with depth and nodes.
#[track_caller]
fn found(player: &Player, line: &GameHistory) -> (String, Option<(u32, u64)>) {
    let players = [player.clone(), player.clone()];
    let game = Game::new(line.clone(), players, TimeControl::None);
    let mut player = ComputerPlayer::new(player, 1, false).unwrap();
    let start = Instant::now();
    player.start(&game, start);
    while start.elapsed() < PATIENCE {
        match player.wait(PATIENCE) {
            Some(PlayerUpdate::Move {
                mv,
                search_info: thinks,
            }) => {
                let looked = thinks.map(|thinks| (thinks.depth, thinks.nodes));
                return (mv.to_string(), looked);
            }
            Some(PlayerUpdate::Failed(reason)) => panic!("{reason}"),
            _ => {}
        }
    }
    panic!("no move comes");
}

#[test]
fn limits_are_kept_without_a_book() {
    let line = GameHistory::default();
    // A book move has no search info.
    assert_eq!(found(&computer(10), &line).1, None);
    for (depth, nodes) in [(1, 1_000), (2, 5_000), (40, 2_000)] {
        let player = Player::Limited { depth, nodes };
        let (mv, looked) = found(&player, &line);
        let (ahead, seen) = looked.expect("it has thought");
        assert!((1..=depth).contains(&ahead), "{ahead} of {depth}");
        // The engine may exceed the node limit slightly.
        assert!(seen <= nodes + 100, "{seen} of {nodes}");
        // The same limits give the same move.
        assert_eq!(found(&player, &line), (mv, looked));
    }
    // It moves even with a tiny limit.
    let nothing = Player::Limited { depth: 0, nodes: 0 };
    let (mv, _) = found(&nothing, &line);
    assert!(tabiya_play::parse_move(&mv, line.board()).is_ok(), "{mv}");
}
