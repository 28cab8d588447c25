//! The game screen, driven by keys and the mouse.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position as Point;
use tabiya_board::{Board, GameHistory};
use tabiya_notation::MoveText;
use tabiya_play::{Game, Level, Player, SavedGame, Session, Store, TimeControl};

use super::GameScreen;
use crate::app::{Screen, Transition, UserInput};
use crate::appearance::Appearance;
use crate::pictures::{
    against_computer, appearance, context_in, drawn, game, line, persons, press, text,
};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn control(screen: &mut dyn Screen, letter: char) -> Transition {
    let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
    screen.handle(UserInput::Key(key), &mut appearance("dark"))
}

fn key(screen: &mut dyn Screen, code: KeyCode) -> Transition {
    let key = KeyEvent::new(code, KeyModifiers::NONE);
    screen.handle(UserInput::Key(key), &mut appearance("dark"))
}

fn typed(screen: &mut dyn Screen, keys: &str) {
    for letter in keys.chars() {
        let code = if letter == '\n' {
            KeyCode::Enter
        } else {
            KeyCode::Char(letter)
        };
        key(screen, code);
    }
}

fn shown(screen: &mut dyn Screen) -> String {
    text(&drawn(screen, &appearance("dark"), 80, 24))
}

#[track_caller]
fn assert_shows(screen: &mut dyn Screen, wanted: &str) {
    let shown = shown(screen);
    assert!(shown.contains(wanted), "{wanted}:\n{shown}");
}

#[track_caller]
fn assert_hides(screen: &mut dyn Screen, unwanted: &str) {
    let shown = shown(screen);
    assert!(!shown.contains(unwanted), "{unwanted}:\n{shown}");
}

/// Ticks until the screen shows a text.
#[track_caller]
fn wait_for(screen: &mut dyn Screen, wanted: &str) {
    let start = Instant::now();
    while !shown(screen).contains(wanted) {
        let shown = shown(screen);
        assert!(start.elapsed() < PATIENCE, "{wanted}:\n{shown}");
        std::thread::sleep(Duration::from_millis(5));
        screen.tick(Instant::now());
    }
}

/// Clicks on a text.
#[track_caller]
fn click(screen: &mut dyn Screen, target: &str) {
    let shown = shown(screen);
    let found = shown.lines().enumerate().find_map(|(row, line)| {
        let before = line.split_once(target)?.0;
        Some(Point::new(crate::text::columns(before) as u16, row as u16))
    });
    let point = found.unwrap_or_else(|| panic!("{target}:\n{shown}"));
    screen.handle(UserInput::Press(point), &mut appearance("dark"));
    screen.handle(UserInput::Release(point), &mut appearance("dark"));
}

/// A folder of the test's own, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("tabiya-screen-{name}-{}", std::process::id()));
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A game that is written to its own folder.
fn game_in(folder: &Folder, line: GameHistory, players: [Player; 2]) -> GameScreen {
    let context = context_in(&folder.0);
    let session = context
        .borrow()
        .session(Game::new(line, players, TimeControl::None));
    GameScreen::new(session, None, context)
}

#[test]
fn control_keys_edit_the_line_while_it_has_text() {
    let folder = Folder::new("edit");
    let mut screen = game_in(&folder, line("e4 e5 Nf3 Nc6"), persons());
    // Each of these is a command on an empty line.
    for letter in "uwaekdfbhty".chars() {
        typed(&mut screen, "why Nb5 x");
        control(&mut screen, letter);
        assert_eq!(screen.game().history().moves().len(), 4, "{letter}");
        assert!(screen.overlay.is_none(), "{letter}");
        key(&mut screen, KeyCode::Esc);
    }
    typed(&mut screen, "Bb5 Bc4");
    control(&mut screen, 'w');
    control(&mut screen, 'a');
    assert_shows(&mut screen, "Move › Bb5");
    control(&mut screen, 'k');
    assert_shows(&mut screen, "type a move");
    // On the empty line, the key takes back a move.
    control(&mut screen, 'u');
    assert_eq!(screen.game().history().moves().len(), 3);
    control(&mut screen, 'y');
    assert_shows(&mut screen, "Played the move again.");
    assert_eq!(screen.game().history().moves().len(), 4);
}

/// Black, the computer, is lost.
fn won() -> GameHistory {
    let board: Board = "7k/8/8/8/8/8/Q7/K7 w - - 0 60".parse().unwrap();
    board.into()
}

#[test]
fn draws_and_swaps_ask_first() {
    let folder = Folder::new("asks");
    let players = [Player::person("Ann"), Player::Computer(Level::ALL[4])];
    let mut screen = game_in(&folder, won(), players);
    // The computer would accept at once.
    control(&mut screen, 'd');
    assert_shows(&mut screen, "Offer a draw?");
    assert!(screen.game().termination().is_none());
    key(&mut screen, KeyCode::Char('n'));
    control(&mut screen, 'd');
    control(&mut screen, 'd');
    key(&mut screen, KeyCode::Esc);
    assert!(screen.game().termination().is_none());
    control(&mut screen, 'w');
    assert_shows(&mut screen, "Swap sides with the computer?");
    assert!(screen.game().player(tabiya_board::Color::White).is_person());
    key(&mut screen, KeyCode::Char('n'));
    typed(&mut screen, "draw\ny");
    assert!(screen.game().termination().is_some());
    assert_shows(&mut screen, "1/2-1/2");
}

#[test]
fn friends_answer_draw_offers_and_say_who_resigns() {
    let folder = Folder::new("friends");
    let mut screen = game_in(&folder, line("e4"), persons());
    typed(&mut screen, "draw\ny");
    assert_shows(&mut screen, "Black offers a draw. White: do you accept?");
    // A move typed over the question accepts nothing.
    typed(&mut screen, "e5\n");
    assert!(screen.game().termination().is_none());
    assert_shows(&mut screen, "Black offers a draw. White: do you accept?");
    key(&mut screen, KeyCode::Char('n'));
    assert!(screen.game().draw_offer().is_none());
    typed(&mut screen, "resign\n");
    assert_shows(&mut screen, "w White   b Black   Esc nobody");
    typed(&mut screen, "w");
    assert_shows(&mut screen, "Black wins: White resigned.");
    // A resignation can be taken back.
    control(&mut screen, 'u');
    assert_shows(&mut screen, "The game goes on.");
    typed(&mut screen, "draw\nyy");
    assert_shows(&mut screen, "Draw by agreement.");
}

#[test]
fn undo_works_after_the_end_and_the_result_is_in_the_list() {
    let folder = Folder::new("undo");
    let mut screen = game_in(&folder, line("f3 e5 g4"), persons());
    typed(&mut screen, "Qh4\n");
    assert_shows(&mut screen, "0-1  Black wins by checkmate.");
    key(&mut screen, KeyCode::Esc);
    let list = shown(&mut screen);
    let moves = list
        .lines()
        .position(|line| line.contains("2. g4"))
        .unwrap();
    assert!(
        list.lines().nth(moves + 1).unwrap().contains("0-1"),
        "{list}"
    );
    control(&mut screen, 'u');
    assert_shows(&mut screen, "Took back the last move.");
    assert_hides(&mut screen, "0-1");
    typed(&mut screen, "d6\n");
    assert_shows(&mut screen, "d6");
}

#[test]
fn the_card_fills_in_and_offers_a_rematch_and_a_review() {
    let folder = Folder::new("card");
    // Black's only move walks into mate, and White's only move gives it: no search rates them otherwise.
    let start: Board = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
        .parse()
        .unwrap();
    let mut history = GameHistory::new(start);
    history.play(start.parse_san("Nf6").unwrap());
    let mut screen = game_in(&folder, history, persons());
    typed(&mut screen, "Qxf7\n");
    assert_shows(&mut screen, "analysing");
    wait_for(&mut screen, "worst: 3... Nf6??");
    assert_shows(&mut screen, "accuracy 100%");
    // The board stays in view.
    assert_shows(&mut screen, "a    b    c    d    e    f    g    h");
    // The review opens at the first mistake, with its comment.
    let Transition::Open(mut replay) = control(&mut screen, 'a') else {
        panic!("the review opens");
    };
    let review = shown(replay.as_mut());
    assert!(review.contains("3... Nf6??"), "{review}");
    assert!(review.contains("was best."), "{review}");
    drop(replay);
    control(&mut screen, 'o');
    let [white, black] = screen.game().players().clone();
    assert_eq!(
        [white, black],
        [Player::person("Bob"), Player::person("Ann")]
    );
    // The moves that were there when the game began.
    assert_eq!(screen.game().history().moves().len(), 1);
    assert_hides(&mut screen, "worst");
}

#[test]
fn the_card_names_nobody_twice() {
    let folder = Folder::new("card-names");
    let players = [Player::person("White"), Player::person("Bob")];
    let mut screen = game_in(&folder, line("f3 e5 g4"), players);
    typed(&mut screen, "Qh4\n");
    assert_shows(&mut screen, "│ White ");
    assert_shows(&mut screen, "│ Black: Bob ");
}

#[test]
fn the_card_fits_small_windows() {
    let folder = Folder::new("small-card");
    let mut screen = game_in(&folder, line("f3 e5 g4"), persons());
    typed(&mut screen, "Qh4\n");
    for (columns, rows) in [(46, 18), (26, 12), (80, 24), (120, 40)] {
        let drawn = text(&drawn(&mut screen, &appearance("dark"), columns, rows));
        assert!(drawn.contains("Black wins"), "{columns} {rows}\n{drawn}");
    }
}

#[test]
fn earlier_moves_can_be_looked_at_during_a_game() {
    let folder = Folder::new("look");
    let mut screen = game_in(&folder, line("e4 e5 Nf3 Nc6 Bb5"), persons());
    key(&mut screen, KeyCode::PageUp);
    assert_shows(&mut screen, "The position after 2... Nc6.");
    screen.handle(UserInput::Wheel { down: false }, &mut appearance("dark"));
    assert_shows(&mut screen, "The position after 2. Nf3.");
    key(&mut screen, KeyCode::Home);
    assert_shows(&mut screen, "The starting position.");
    // No engine is started, and the game goes on.
    assert!(screen.analysis.is_none() && !screen.is_busy());
    key(&mut screen, KeyCode::Esc);
    assert_shows(&mut screen, "Black to move.");
    click(&mut screen, "e4");
    assert_shows(&mut screen, "The position after 1. e4.");
    click(&mut screen, "Nf3");
    assert_shows(&mut screen, "The position after 2. Nf3.");
    // A typed move is a move in the game.
    typed(&mut screen, "a6\n");
    assert_eq!(screen.game().history().moves().len(), 6);
    assert!(screen.looking_at.is_none());
}

#[test]
fn a_move_typed_while_the_computer_thinks_is_a_premove() {
    let folder = Folder::new("premove");
    // Black has one legal move, and answers Ra7 after it.
    let board: Board = "k7/8/8/8/8/8/7R/K7 w - - 0 1".parse().unwrap();
    let players = [Player::person("Ann"), Player::Computer(Level::FULL)];
    let mut screen = game_in(&folder, board.into(), players.clone());
    typed(&mut screen, "Rb2\n");
    assert!(screen.can_premove());
    typed(&mut screen, "hello\n");
    assert_shows(&mut screen, "Did you mean help?");
    typed(&mut screen, "ka2\n");
    assert_shows(&mut screen, "Premove: ka2. Esc cancels it.");
    wait_for(&mut screen, "Ka2");
    // An illegal one is dropped with a remark.
    let mut screen = game_in(&folder, board.into(), players.clone());
    typed(&mut screen, "Rb2\nRb9\nRa3\n");
    wait_for(&mut screen, "Your premove Ra3 was dropped: ");
    assert_eq!(screen.game().history().moves().len(), 2);
    // Esc cancels one.
    let mut screen = game_in(&folder, board.into(), players);
    typed(&mut screen, "Rb2\nRb3\n");
    key(&mut screen, KeyCode::Esc);
    assert_shows(&mut screen, "Premove cancelled.");
    wait_for(&mut screen, "Your move.");
    assert_eq!(screen.game().history().moves().len(), 2);
}

#[test]
fn a_premove_can_be_made_on_the_board() {
    let folder = Folder::new("premove-mouse");
    let board: Board = "k7/8/8/8/8/8/7R/K7 w - - 0 1".parse().unwrap();
    let players = [Player::person("Ann"), Player::Computer(Level::FULL)];
    let mut screen = game_in(&folder, board.into(), players);
    drawn(&mut screen, &appearance("dark"), 80, 24);
    typed(&mut screen, "Rb2\n");
    screen.touch(tabiya_board::Square::B2);
    screen.touch(tabiya_board::Square::B5);
    assert_shows(&mut screen, "Premove: b2b5.");
    wait_for(&mut screen, "Rb5");
}

#[test]
fn leaving_says_that_the_game_is_kept() {
    let folder = Folder::new("kept");
    let mut screen = game_in(&folder, GameHistory::default(), persons());
    assert_eq!(screen.close(), None);
    typed(&mut screen, "e4\n");
    let note = screen.close().unwrap();
    assert!(note.contains("tabiya play --resume"), "{note}");
}

#[test]
fn saving_says_what_it_did() {
    let folder = Folder::new("save");
    let names: Rc<RefCell<Vec<String>>> = Rc::default();
    let seen = names.clone();
    let save = Rc::new(move |path: &Path, _: &tabiya_notation::pgn::Game| {
        seen.borrow_mut().push(path.display().to_string());
        Ok(SavedGame::Added)
    });
    let settings = tabiya_play::Settings::load(folder.0.join("config.toml")).unwrap();
    let open = Box::new(|_: &Path| Err("no files here".into()));
    let context = crate::Context::new(settings, Store::new(&folder.0), open, save).unwrap();
    let context = Rc::new(RefCell::new(context));
    let session: Session =
        context
            .borrow()
            .session(Game::new(line("e4"), persons(), TimeControl::None));
    let mut screen = GameScreen::new(session, None, context);
    typed(&mut screen, "save three.pgn\n");
    assert_shows(&mut screen, "Added to the games in three.pgn.");
    assert_eq!(*names.borrow(), ["three.pgn"]);
    // The end of a game suggests nothing that could hit a file by chance.
    assert!(!super::EXAMPLE_AT_END.contains(".pgn"));
}

#[test]
fn levels_have_ratings() {
    let mut screen = game(GameHistory::default(), against_computer());
    typed(&mut screen, "level\n");
    assert_shows(&mut screen, "about ");
}

#[test]
fn moves_can_be_clicked_in_a_replay() {
    let mut replay = crate::pictures::replay_of("1. e4 e5 2. Nf3 (2. Bc4 Nf6) 2... Nc6 1-0");
    shown(&mut replay);
    click(&mut replay, "Nf6");
    assert_shows(&mut replay, "Move ›");
    let board = shown(&mut replay);
    press(
        &mut replay,
        &mut Appearance {
            ..appearance("dark")
        },
        "<",
    );
    assert_ne!(shown(&mut replay), board);
    click(&mut replay, "e5");
    press(&mut replay, &mut appearance("dark"), "d3\n");
    assert_shows(&mut replay, "d3");
    // The result is no move.
    click(&mut replay, "1-0");
}

#[test]
fn a_fen_can_be_pasted_on_the_analysis_board() {
    let mut replay = crate::pictures::replay_of("*");
    let fen = "8/2P3k1/8/8/8/6K1/8/8 b - - 0 1";
    replay.handle(
        UserInput::Paste(format!("{fen}\n")),
        &mut appearance("dark"),
    );
    assert_shows(&mut replay, "Black to move.");
    assert_hides(&mut replay, "♜");
    typed(&mut replay, "8/8/8/8/8/8/8/8 w - - 0 1\n");
    assert_shows(&mut replay, "Invalid FEN");
    typed(&mut replay, "Kf7\n");
    assert_shows(&mut replay, "Kf7");
}

#[test]
fn moves_on_the_analysis_board_are_not_dropped_without_asking() {
    let mut replay = crate::pictures::replay_of("1. e4 e5 *");
    let fen = "8/2P3k1/8/8/8/6K1/8/8 b - - 0 1";
    let paste = |replay: &mut dyn Screen| {
        let input = UserInput::Paste(fen.to_owned());
        replay.handle(input, &mut appearance("dark"));
    };
    typed(&mut replay, "d4\n");
    for answer in [KeyCode::Char('n'), KeyCode::Esc] {
        paste(&mut replay);
        assert_shows(&mut replay, "You'll lose your unsaved moves");
        // Nothing else is taken for an answer.
        typed(&mut replay, "x\n");
        click(&mut replay, "e4");
        key(&mut replay, answer);
        assert_shows(&mut replay, "Your moves are still here.");
        assert_shows(&mut replay, "1. d4");
    }
    // Typed, a FEN asks as well.
    typed(&mut replay, &format!("{fen}\n"));
    typed(&mut replay, "y");
    assert_shows(&mut replay, "Black to move.");
    assert_hides(&mut replay, "1. d4");
    // A move that was there already is nothing to lose.
    let mut replay = crate::pictures::replay_of("1. e4 e5 *");
    typed(&mut replay, "e4\n");
    paste(&mut replay);
    assert_shows(&mut replay, "Black to move.");
}

/// The row of a setup page with this label.
fn row(screen: &mut dyn Screen, label: &str) -> String {
    let shown = shown(screen);
    let mut lines = shown.lines();
    let line = lines.find(|line| line.contains(label));
    line.unwrap_or_else(|| panic!("{label}:\n{shown}"))
        .to_owned()
}

#[test]
fn the_setup_page_offers_engines_positions_and_ratings() {
    let folder = Folder::new("setup");
    let context = context_in(&folder.0);
    let mut screen = crate::setup::SetupScreen::new(context, false);
    assert!(row(&mut screen, "Level").contains("about "));
    let before = shown(&mut screen);
    let column = |shown: &str| {
        let line = shown.lines().find(|line| line.contains("Clock")).unwrap();
        line.find("Clock").unwrap()
    };
    // Another level has a longer description, and nothing jumps.
    key(&mut screen, KeyCode::Down);
    key(&mut screen, KeyCode::Down);
    for _ in 0..Level::ALL.len() {
        key(&mut screen, KeyCode::Right);
        let now = shown(&mut screen);
        assert_eq!(column(&before), column(&now), "{now}");
        assert_eq!(before.lines().count(), now.lines().count());
    }
    // An engine that is not there is reported before the board appears.
    key(&mut screen, KeyCode::Up);
    key(&mut screen, KeyCode::Enter);
    typed(&mut screen, "/no/such/engine\n");
    assert!(row(&mut screen, "Opponent").contains("engine"));
    key(&mut screen, KeyCode::Up);
    key(&mut screen, KeyCode::Enter);
    wait_for(&mut screen, "Cannot play against engine");
    assert!(!screen.is_busy());
    // A position by its FEN or its Chess960 number.
    screen.handle(
        UserInput::Paste("8/2P3k1/8/8/8/6K1/8/8 b - - 0 1".to_owned()),
        &mut appearance("dark"),
    );
    assert!(row(&mut screen, "Position").contains("from a FEN"));
    for _ in 0..5 {
        key(&mut screen, KeyCode::Down);
    }
    key(&mut screen, KeyCode::Enter);
    typed(&mut screen, "960\n");
    assert_shows(&mut screen, "0 to 959");
    control(&mut screen, 'u');
    typed(&mut screen, "518\n");
    assert!(row(&mut screen, "Position").contains("Chess960 518"));
    assert!(row(&mut screen, "Position").contains("RNBQKBNR"));
}

#[test]
fn the_bell_rings_when_the_computer_has_moved() {
    let folder = Folder::new("bell");
    let players = [Player::Computer(Level::FULL), Player::person("Ann")];
    let board: Board = "k7/8/8/8/8/8/7R/K7 w - - 0 1".parse().unwrap();
    let mut screen = game_in(&folder, board.into(), players);
    screen.context.borrow_mut().preferences.rings = true;
    wait_for(&mut screen, "Your move.");
    assert!(screen.take_bell());
    assert!(!screen.take_bell());
}
