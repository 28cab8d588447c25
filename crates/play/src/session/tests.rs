//! Computers that resign, and offer, accept and claim draws. Their moves and scores are scripted.

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

/// A session with a temporary folder.
struct Test {
    session: Session,
    folder: PathBuf,
}

impl Drop for Test {
    fn drop(&mut self) {
        // Leftovers do no harm.
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

    /// A king or rook move to a new position, without capture or check.
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

    /// Reports the computer's move and score.
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

    /// Plays a person's move and the computer's reply with this score.
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
fn strong_levels_resign_after_three_lost_scores() {
    let mut test = Test::against("resigns", 8);
    test.round(LOST);
    test.round(Score::Mate(-7));
    assert_eq!(test.ending(), None);
    let events = test.round(LOST);
    let ended = SessionEvent::Game(GameEvent::Ended(Termination::Resigned(Color::Black)));
    assert_eq!(events.first(), Some(&ended), "{events:?}");
    // It resigns instead of moving.
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
fn weaker_levels_resign_later_or_never() {
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
fn a_better_score_resets_the_count() {
    let mut test = Test::against("hope", 8);
    for score in [LOST, LOST, Score::Cp(-900), LOST, LOST] {
        test.round(score);
    }
    assert_eq!(test.ending(), None);
    // A takeback resets the count too.
    test.session.take_back(Instant::now()).unwrap();
    test.round(LOST);
    test.round(LOST);
    assert_eq!(test.ending(), None);
    test.round(LOST);
    assert_eq!(test.ending(), RESIGNED);
}

#[test]
fn no_resignation_before_mate_in_one() {
    let mut test = Test::against("mate", 8);
    for score in [LOST, LOST, Score::Mate(-1), LOST, LOST] {
        test.round(score);
    }
    assert_eq!(test.ending(), None);
}

#[test]
fn no_resignation_if_the_opponent_is_short_of_time_or_it_is_turned_off() {
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
fn a_substitute_never_resigns() {
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
fn draws_are_offered_in_level_positions_but_not_too_often() {
    let mut test = Test::against("offers", 8);
    let offered = SessionEvent::Game(GameEvent::DrawOffered(Color::Black));
    let mut rounds = Vec::new();
    for round in 1..30 {
        if test.round(EVEN).contains(&offered) {
            rounds.push(round);
            assert_eq!(test.session.game().draw_offer(), Some(Color::Black));
        }
    }
    // A move declines the offer.
    assert_eq!(rounds, [5, 15, 25]);
    assert_eq!(test.session.game().draw_offer(), None);
}

#[test]
fn an_offer_survives_a_restart() {
    let mut test = Test::against("resumed", 8);
    for _ in 0..5 {
        test.round(EVEN);
    }
    assert_eq!(test.session.game().draw_offer(), Some(Color::Black));
    let store = test.session.store().clone();
    // The record is locked while the game exists.
    let players = test.session.game().players().clone();
    let another = Game::new(GameHistory::default(), players, TimeControl::None);
    test.session.start_game(another, Instant::now());
    let game = store.resume(&[]).unwrap().expect("it is not finished");
    assert_eq!(game.draw_offer(), Some(Color::Black));
    test.session.start_game(game, Instant::now());
    let events = test.session.draw(Instant::now()).unwrap();
    let agreed = SessionEvent::Game(GameEvent::Ended(Termination::Agreed));
    assert!(events.contains(&agreed), "{events:?}");
    let games = fs::read_to_string(test.session.store().collection().path()).unwrap();
    assert!(games.contains("[Result \"1/2-1/2\"]"), "{games}");
}

#[test]
fn no_draw_is_offered_after_captures_and_pawn_moves() {
    for (name, score) in [("better", Score::Cp(60)), ("worse", Score::Cp(-60))] {
        let mut test = Test::against(name, 8);
        for _ in 0..12 {
            test.round(score);
            assert_eq!(test.session.game().draw_offer(), None);
        }
    }
    // A pawn move.
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
fn computers_answer_each_others_offers_at_once() {
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
fn a_computer_that_is_not_better_claims_a_draw() {
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
fn draws_are_accepted_late_but_not_from_a_player_short_of_time() {
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
