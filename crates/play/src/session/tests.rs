//! Computers that end games as persons do. What they play and think is scripted.

use std::collections::HashSet;
use std::fs;

use tabiya_board::{Board, DrawClaim, GameHistory, Role};

use super::*;
use crate::termination::Termination;
use tabiya_notation::TimeControl;

const OPTIONS: SessionOptions = SessionOptions {
    seed: 1,
    paced: false,
    resigns: true,
    offers_draws: true,
};

/// Rooks and three pawns each, at move 45.
const LEVEL_ENDGAME: &str = "3r2k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 45";

/// A session in a folder of its own, which goes with it.
struct Test {
    session: Session,
    folder: PathBuf,
}

impl Drop for Test {
    fn drop(&mut self) {
        // What is left of it does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Test {
    fn new(name: &str, players: [Player; 2], control: &str, options: SessionOptions) -> Self {
        let folder =
            std::env::temp_dir().join(format!("tabiya-session-{}-{name}", std::process::id()));
        let board: Board = LEVEL_ENDGAME.parse().unwrap();
        let game = Game::new(
            GameHistory::new(board),
            players,
            control.parse::<TimeControl>().unwrap(),
        );
        let session = Session::new(game, Store::new(&folder), options);
        Self { session, folder }
    }

    /// A person with White against a computer.
    fn against(name: &str, level: u8) -> Self {
        let players = [Player::person("Ann"), computer(level)];
        Self::new(name, players, "none", OPTIONS)
    }

    /// A move of a king or a rook to a position that is new in this game, without a capture or a check.
    fn quiet_move(&self) -> Move {
        let line = self.session.game().history();
        let seen: HashSet<u64> = line.played().iter().map(|(board, _)| board.key()).collect();
        let board = line.board();
        let moves = board.legal_moves();
        let mut quiet = moves.iter().copied().filter(|&mv| {
            let mut after = *board;
            after.play(mv);
            board.role_at(mv.from()) != Some(Role::Pawn)
                && board.captured(mv).is_none()
                && !after.is_check()
                && !seen.contains(&after.key())
        });
        quiet.next().expect("there are such moves")
    }

    /// The computer to move has come to a move, and thinks this of the position.
    fn found(&mut self, mv: Move, score: Score) -> Vec<SessionEvent> {
        let thinks = SearchInfo {
            depth: 1,
            score,
            nodes: 1,
            ..SearchInfo::default()
        };
        let report = PlayerUpdate::Move {
            mv,
            search_info: Some(thinks),
        };
        let mut events = Vec::new();
        self.session
            .handle_update(report, Instant::now(), &mut events);
        events
    }

    /// A move of the person and one of the computer, who thinks this of it.
    fn round(&mut self, score: Score) -> Vec<SessionEvent> {
        let mv = self.quiet_move();
        self.session.play(mv, Instant::now()).unwrap();
        let mv = self.quiet_move();
        self.found(mv, score)
    }

    fn ending(&self) -> Option<Termination> {
        self.session.game().termination()
    }
}

fn computer(level: u8) -> Player {
    Player::Computer(Level::new(level).unwrap())
}

const LOST: Score = Score::Cp(-1200);
const EVEN: Score = Score::Cp(-5);
const RESIGNED: Option<Termination> = Some(Termination::Resigned(Color::Black));

#[test]
fn a_strong_computer_resigns_at_the_third_hopeless_move() {
    let mut test = Test::against("resigns", 8);
    test.round(LOST);
    test.round(Score::Mate(-7));
    assert_eq!(test.ending(), None);
    let events = test.round(LOST);
    let ended = SessionEvent::Game(GameEvent::Ended(Termination::Resigned(Color::Black)));
    assert_eq!(events.first(), Some(&ended), "{events:?}");
    // It resigns in place of its move.
    assert_eq!(test.session.game().history().moves().len(), 5);
    let games = fs::read_to_string(test.session.store().collection().path()).unwrap();
    for text in [
        "[Result \"1-0\"]",
        "[Termination \"normal\"]",
        "White wins: Black resigned",
    ] {
        assert!(games.replace('\n', " ").contains(text), "{games}");
    }
}

#[test]
fn weaker_ones_hope_for_longer_and_the_weakest_to_the_end() {
    let mut middling = Test::against("middling", 5);
    for _ in 0..4 {
        middling.round(LOST);
    }
    assert_eq!(middling.ending(), None);
    middling.round(LOST);
    assert_eq!(middling.ending(), RESIGNED);
    let mut weak = Test::against("weak", 3);
    for _ in 0..12 {
        weak.round(LOST);
    }
    assert_eq!(weak.ending(), None);
}

#[test]
fn hope_comes_back() {
    let mut test = Test::against("hope", 8);
    for score in [LOST, LOST, Score::Cp(-900), LOST, LOST] {
        test.round(score);
    }
    assert_eq!(test.ending(), None);
    // After a move has been taken back, it thinks anew.
    test.session.take_back(Instant::now()).unwrap();
    test.round(LOST);
    test.round(LOST);
    assert_eq!(test.ending(), None);
    test.round(LOST);
    assert_eq!(test.ending(), RESIGNED);
}

#[test]
fn the_other_side_gives_the_mate_that_is_next() {
    let mut test = Test::against("mate", 8);
    for score in [LOST, LOST, Score::Mate(-1), LOST, LOST] {
        test.round(score);
    }
    assert_eq!(test.ending(), None);
}

#[test]
fn nobody_resigns_to_a_falling_flag_or_against_the_settings() {
    let players = [Player::person("Ann"), computer(8)];
    let mut hurried = Test::new("hurried", players.clone(), "0.25+0", OPTIONS);
    let options = SessionOptions {
        resigns: false,
        ..OPTIONS
    };
    let mut stubborn = Test::new("stubborn", players, "none", options);
    for _ in 0..6 {
        hurried.round(LOST);
        stubborn.round(LOST);
    }
    assert_eq!(hurried.ending(), None);
    assert_eq!(stubborn.ending(), None);
}

#[test]
fn whoever_plays_for_a_person_does_not_resign_for_them() {
    let mut test = Test::against("substitute", 8);
    for _ in 0..4 {
        let now = Instant::now();
        test.session.substitute = ComputerPlayer::new(&computer(8), 1, false);
        let mv = test.quiet_move();
        test.found(mv, LOST);
        assert_eq!(test.ending(), None);
        let mv = test.quiet_move();
        test.session.game.play(mv, now).unwrap();
    }
}

#[test]
fn a_draw_is_offered_when_nothing_happens_and_not_too_often() {
    let mut test = Test::against("offers", 8);
    let offered = SessionEvent::Game(GameEvent::DrawOffered(Color::Black));
    let mut rounds = Vec::new();
    for round in 1..30 {
        if test.round(EVEN).contains(&offered) {
            rounds.push(round);
            assert_eq!(test.session.game().draw_offer(), Some(Color::Black));
        }
    }
    // A person refuses by moving.
    assert_eq!(rounds, [5, 15, 25]);
    assert_eq!(test.session.game().draw_offer(), None);
}

#[test]
fn an_offer_survives_the_end_of_the_program_and_can_be_taken() {
    let mut test = Test::against("resumed", 8);
    for _ in 0..5 {
        test.round(EVEN);
    }
    assert_eq!(test.session.game().draw_offer(), Some(Color::Black));
    let store = test.session.store().clone();
    // The record is locked as long as the game is there.
    let players = test.session.game().players().clone();
    let another = Game::new(GameHistory::default(), players, TimeControl::None);
    test.session.start_game(another, Instant::now());
    let game = store.resume().unwrap().expect("it is not finished");
    assert_eq!(game.draw_offer(), Some(Color::Black));
    test.session.start_game(game, Instant::now());
    let events = test.session.draw(Instant::now()).unwrap();
    let agreed = SessionEvent::Game(GameEvent::Ended(Termination::Agreed));
    assert!(events.contains(&agreed), "{events:?}");
    let games = fs::read_to_string(test.session.store().collection().path()).unwrap();
    assert!(games.contains("[Result \"1/2-1/2\"]"), "{games}");
}

#[test]
fn no_draw_is_offered_while_something_happens() {
    for (name, score) in [("better", Score::Cp(60)), ("worse", Score::Cp(-60))] {
        let mut test = Test::against(name, 8);
        for _ in 0..12 {
            test.round(score);
            assert_eq!(test.session.game().draw_offer(), None);
        }
    }
    // A pawn has moved.
    let mut test = Test::against("pawn", 8);
    for _ in 0..3 {
        test.round(EVEN);
    }
    test.session.play_text("h3", Instant::now()).unwrap();
    let mv = test.quiet_move();
    test.found(mv, EVEN);
    test.round(EVEN);
    test.round(EVEN);
    assert_eq!(test.session.game().draw_offer(), None);
}

#[test]
fn computers_answer_each_other_at_once() {
    let players = [computer(9), computer(9)];
    let mut test = Test::new("computers", players, "none", OPTIONS);
    let mut answers = Vec::new();
    for _ in 0..12 {
        let mv = test.quiet_move();
        let events = test.found(mv, EVEN);
        if events.contains(&SessionEvent::Game(GameEvent::DrawOffered(Color::White))) {
            answers = events;
            break;
        }
    }
    let is_answer = |events: &SessionEvent| {
        matches!(
            events,
            SessionEvent::Game(
                GameEvent::Ended(Termination::Agreed) | GameEvent::DrawDeclined(Color::Black)
            )
        )
    };
    assert!(answers.iter().any(is_answer), "{answers:?}");
}

#[test]
fn a_draw_is_claimed_by_a_computer_that_is_not_better() {
    for (name, score, claimed) in [("claims", EVEN, true), ("plays-on", Score::Cp(90), false)] {
        let players = [computer(8), Player::person("Ann")];
        let mut test = Test::new(name, players, "none", OPTIONS);
        for uci in ["a1a2", "d8d7", "a2a1", "d7d8"].repeat(2) {
            let board = test.session.game().board();
            let mv = crate::parse_move::parse_move(uci, board).unwrap();
            if board.turn().is_white() {
                test.found(mv, score);
            } else {
                test.session.play(mv, Instant::now()).unwrap();
            }
        }
        let mv = test.quiet_move();
        test.found(mv, score);
        let repetition = Termination::Claimed(DrawClaim::ThreefoldRepetition);
        assert_eq!(test.ending(), claimed.then_some(repetition), "{name}");
    }
}

#[test]
fn a_draw_is_taken_late_but_not_from_a_person_whose_flag_is_falling() {
    let players = [Player::person("Ann"), computer(8)];
    for (name, control, taken) in [("takes", "none", true), ("flag", "0.25+0", false)] {
        let mut test = Test::new(name, players.clone(), control, OPTIONS);
        test.session.draw(Instant::now()).unwrap();
        assert_eq!(
            test.ending(),
            taken.then_some(Termination::Agreed),
            "{name}"
        );
    }
}
