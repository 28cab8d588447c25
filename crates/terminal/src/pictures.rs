//! Screenshots for the documentation, compared with what is drawn.
//!
//! After an intended change, write them again and look at them:
//! `TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-terminal pictures`

mod svg;

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Position as Point;
use ratatui::style::Color;
use tabiya_board::{Board, GameHistory};
use tabiya_explorer::{Explored, ExploredMove};
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{Game as Pgn, Reader};
use tabiya_play::{Game, Level, Player, Settings, Store, TimeControl, parse_move};

use crate::app::{Screen, UserInput};
use crate::appearance::{Appearance, ColorDepth, PieceStyle};
use crate::context::{Context, SaveGame, SharedContext};
use crate::explorer::ExplorerPanel;
use crate::game::GameScreen;
use crate::menu::MenuScreen;
use crate::replay::{LoadedGame, ReplayScreen};
use crate::settings::SettingsScreen;
use crate::theme::Theme;

pub(crate) fn appearance(theme: &str) -> Appearance {
    Appearance {
        colors: ColorDepth::True,
        figures: PieceStyle::Glyphs,
        theme: Theme::named(theme).unwrap(),
    }
}

pub(crate) fn save_nowhere() -> Rc<SaveGame> {
    Rc::new(|_: &Path, _: &Pgn| Err("no files here".into()))
}

pub(crate) fn context() -> SharedContext {
    // The file does not exist, and nothing is written.
    context_in(&std::env::temp_dir().join("tabiya-pictures"))
}

pub(crate) fn context_in(folder: &Path) -> SharedContext {
    let settings = Settings::load(folder.join("config.toml")).unwrap();
    let open = Box::new(|_: &Path| Err("no files here".into()));
    let context = Context::new(settings, Store::new(folder), open, save_nowhere()).unwrap();
    Rc::new(RefCell::new(context))
}

pub(crate) fn drawn(
    screen: &mut dyn Screen,
    appearance: &Appearance,
    columns: u16,
    rows: u16,
) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal
        .draw(|frame| screen.draw(frame, appearance))
        .unwrap();
    terminal.backend().buffer().clone()
}

/// The text on a screen.
pub(crate) fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut text = String::new();
    for y in 0..area.height {
        let line: String = (0..area.width).map(|x| buffer[(x, y)].symbol()).collect();
        text.push_str(line.replace('\u{fe0e}', "").trim_end());
        text.push('\n');
    }
    text
}

#[track_caller]
fn compare(name: &str, buffer: &Buffer) {
    let picture = svg::draw(buffer, &crate::sprite::QUARTERS);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/images")
        .join(format!("terminal-{name}.svg"));
    if std::env::var_os("TABIYA_UPDATE_IMAGES").is_some() {
        fs::write(&path, &picture).expect("the picture can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    // Git may have converted the line endings.
    assert!(
        kept.replace('\r', "") == picture,
        "docs/images/terminal-{name}.svg is not what is drawn. If it should be, run \
         TABIYA_UPDATE_IMAGES=1 cargo test -p tabiya-terminal pictures"
    );
}

/// A history of moves from the starting position.
pub(crate) fn line(moves: &str) -> GameHistory {
    let mut line = GameHistory::default();
    for word in moves.split_whitespace() {
        line.play(parse_move(word, line.board()).unwrap());
    }
    line
}

const ITALIAN: &str =
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 Nxe4 O-O Bxc3 d5 Bf6 Re1 Ne7 Rxe4 d6";

pub(crate) fn game(line: GameHistory, players: [Player; 2]) -> GameScreen {
    let context = context();
    let session = context
        .borrow()
        .session(Game::new(line, players, TimeControl::None));
    GameScreen::new(session, None, context)
}

pub(crate) fn persons() -> [Player; 2] {
    [Player::person("Ann"), Player::person("Bob")]
}

pub(crate) fn against_computer() -> [Player; 2] {
    [Player::person("You"), Player::Computer(Level::ALL[3])]
}

pub(crate) fn press(screen: &mut dyn Screen, appearance: &mut Appearance, keys: &str) {
    for letter in keys.chars() {
        let code = match letter {
            '\n' => KeyCode::Enter,
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            'v' => KeyCode::Down,
            _ => KeyCode::Char(letter),
        };
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        screen.handle(UserInput::Key(key), appearance);
    }
}

#[test]
fn the_menu() {
    let mut menu = MenuScreen::new(context());
    compare("menu", &drawn(&mut menu, &appearance("dark"), 80, 24));
}

#[test]
fn the_end_of_a_game() {
    let mut appearance = appearance("dark");
    let folder = std::env::temp_dir().join(format!("tabiya-end-{}", std::process::id()));
    let context = context_in(&folder);
    let session =
        context
            .borrow()
            .session(Game::new(line("f3 e5 g4"), persons(), TimeControl::None));
    let mut screen = GameScreen::new(session, None, context);
    press(&mut screen, &mut appearance, "Qh4\n");
    while screen.is_busy() {
        std::thread::sleep(std::time::Duration::from_millis(5));
        screen.tick(std::time::Instant::now());
    }
    let buffer = drawn(&mut screen, &appearance, 80, 24);
    assert!(text(&buffer).contains("2. g4??"), "{}", text(&buffer));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_settings() {
    let mut settings = SettingsScreen::new(context());
    compare(
        "settings",
        &drawn(&mut settings, &appearance("dark"), 80, 24),
    );
}

#[test]
fn a_game_in_a_standard_window() {
    let mut appearance = appearance("dark");
    let mut screen = game(line(ITALIAN), against_computer());
    // The bishop on c1 is taken with the cursor.
    press(&mut screen, &mut appearance, "^<<<<v\n");
    compare("game", &drawn(&mut screen, &appearance, 80, 24));
}

#[test]
fn themes() {
    for theme in ["light", "high-contrast", "colour-blind"] {
        let appearance = appearance(theme);
        let mut screen = game(line(ITALIAN), against_computer());
        compare(theme, &drawn(&mut screen, &appearance, 80, 24));
    }
}

#[test]
fn a_refused_move() {
    let mut appearance = appearance("dark");
    let mut screen = game(
        line("e4 e5 Bc4 Nc6 Nf3 Nf6 d3 Bc5 Bg5 h6"),
        against_computer(),
    );
    press(&mut screen, &mut appearance, "e1c1\n");
    let buffer = drawn(&mut screen, &appearance, 80, 24);
    assert!(text(&buffer).contains("castle"), "{}", text(&buffer));
    compare("refused", &buffer);
}

#[test]
fn a_promotion() {
    let board: Board = "8/2P3k1/8/8/8/6K1/8/8 w - - 0 1".parse().unwrap();
    let mut appearance = appearance("dark");
    let mut screen = game(board.into(), persons());
    press(&mut screen, &mut appearance, "c8\n");
    compare("promotion", &drawn(&mut screen, &appearance, 80, 24));
}

#[test]
fn help() {
    let mut appearance = appearance("dark");
    let mut screen = game(GameHistory::default(), against_computer());
    press(&mut screen, &mut appearance, "?");
    compare("help", &drawn(&mut screen, &appearance, 80, 24));
}

#[test]
fn window_sizes() {
    let appearance = appearance("dark");
    let mut screen = game(line(ITALIAN), against_computer());
    compare("large", &drawn(&mut screen, &appearance, 140, 50));
    compare("medium", &drawn(&mut screen, &appearance, 100, 32));
    compare("small", &drawn(&mut screen, &appearance, 40, 20));
}

#[test]
fn color_depths() {
    let mut screen = game(line(ITALIAN), against_computer());
    let plain = |colors, figures| Appearance {
        colors,
        figures,
        theme: Theme::default_theme(),
    };
    let ascii = plain(ColorDepth::None, PieceStyle::Letters);
    let buffer = drawn(&mut screen, &ascii, 80, 24);
    assert!(text(&buffer).is_ascii(), "{}", text(&buffer));
    compare("monochrome", &buffer);
    let colors = |screen: &mut GameScreen, depth| {
        let buffer = drawn(screen, &plain(depth, PieceStyle::Glyphs), 80, 24);
        let cells = buffer.content.iter();
        cells
            .flat_map(|cell| [cell.fg, cell.bg])
            .collect::<Vec<_>>()
    };
    let sixteen = colors(&mut screen, ColorDepth::Sixteen);
    let is_ansi = |color: &Color| !matches!(color, Color::Rgb(..) | Color::Indexed(_));
    assert!(sixteen.iter().all(is_ansi));
    let palette = colors(&mut screen, ColorDepth::Palette);
    let is_rgb = |color: &Color| matches!(color, Color::Rgb(..));
    assert!(!palette.iter().any(is_rgb));
}

const REPLAYED: &str = r#"[Event "Paris"]
[Site "Paris"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4? {A weak move already.} (3... exd4 4. Nxd4 Nf6) 4. dxe5 Bxf3 5. Qxf3 dxe5
6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 (8. Qxb7 Qb4+) 8... c6 9. Bg5 b5? 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8
13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+!! Nxb8 17. Rd8# 1-0"#;

pub(crate) fn replay_of(pgn: &str) -> ReplayScreen {
    let game = Pgn::read(&mut Reader::new(pgn.as_bytes()));
    let loaded = LoadedGame {
        number: 1,
        game: game.unwrap().unwrap(),
        problem: None,
    };
    ReplayScreen::new(None, loaded, PieceLetters::ENGLISH, save_nowhere())
}

#[test]
fn a_replay() {
    let mut appearance = appearance("dark");
    let mut replay = replay_of(REPLAYED);
    press(&mut replay, &mut appearance, ">>>>>>");
    let buffer = drawn(&mut replay, &appearance, 80, 24);
    assert!(
        text(&buffer).contains("A weak move already."),
        "{}",
        text(&buffer)
    );
    compare("replay", &buffer);
}

#[test]
fn an_analysis() {
    let appearance = appearance("dark");
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Na5 (5... Nxd5 6. Nxf7) *";
    let game = Pgn::read(&mut Reader::new(text.as_bytes()))
        .unwrap()
        .unwrap();
    let mut replay = ReplayScreen::analysis(game, save_nowhere());
    replay.go_to_end();
    let lines = [
        (35, "c4b5 c7c6 d5c6 b7c6 b5d3 f6d5 g5f3 f8d6"),
        (12, "d2d3 h7h6 g5f3 e5e4 d1e2 a5c4"),
        (-20, "b1c3 a5c4 d1e2 c4d6 e2e5"),
    ];
    replay.pretend(&lines);
    compare("analysis", &drawn(&mut replay, &appearance, 80, 24));
}

/// The moves after 3. Bc4 Nf6, with counts that a large archive could have.
fn explored() -> Explored {
    let row = |uci: &str, san: &str, games, [white_wins, draws, black_wins]: [u32; 3], rating| {
        ExploredMove {
            uci: Some(uci.to_owned()),
            san: Some(san.to_owned()),
            games,
            white_wins,
            draws,
            black_wins,
            average_rating: Some(rating),
            last_played: Some("2025.04.30".to_owned()),
            ..ExploredMove::default()
        }
    };
    let moves = vec![
        row("d2d3", "d3", 18_342, [6_420, 7_010, 4_912], 2391),
        row("f3g5", "Ng5", 9_127, [4_390, 1_150, 3_587], 1984),
        row("b1c3", "Nc3", 4_410, [1_760, 930, 1_720], 1876),
        row("d2d4", "d4", 4_203, [1_702, 870, 1_631], 2011),
        row("e1g1", "O-O", 2_950, [1_240, 610, 1_100], 1913),
    ];
    Explored {
        games: moves.iter().map(|explored| explored.games).sum(),
        moves,
        ..Explored::default()
    }
}

fn explored_analysis() -> ReplayScreen {
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 *";
    let game = Pgn::read(&mut Reader::new(text.as_bytes()))
        .unwrap()
        .unwrap();
    let mut replay = ReplayScreen::analysis(game, save_nowhere());
    replay.go_to_end();
    let board = *line("e4 e5 Nf3 Nc6 Bc4 Nf6").board();
    let panel = ExplorerPanel::with_answer(board, Ok(explored()));
    let lines = [
        (21, "d2d3 f8e7 e1g1 e8g8 f1e1 d7d6"),
        (18, "f3g5 d7d5 e4d5 c6a5 c4b5 c7c6"),
        (-4, "b1c3 f6e4 c3e4 d7d5 c4d3 d5e4"),
    ];
    replay.pretend(&lines);
    replay.with_explorer(Some(panel))
}

#[test]
fn an_explorer() {
    let mut replay = explored_analysis();
    compare(
        "explorer",
        &drawn(&mut replay, &appearance("dark"), 100, 32),
    );
}

#[test]
fn the_explorer_leaves_room_for_the_moves_and_a_click_plays() {
    let mut appearance = appearance("dark");
    for (columns, rows, shown) in [
        (40, 20, false),
        (80, 18, false),
        (80, 24, true),
        (100, 32, true),
        (200, 60, true),
    ] {
        let text = text(&drawn(&mut explored_analysis(), &appearance, columns, rows));
        assert_eq!(
            text.contains("18,342"),
            shown,
            "{columns} x {rows}:\n{text}"
        );
        if shown {
            assert!(text.contains("3. Bc4"), "{text}");
        }
    }
    let mut replay = explored_analysis();
    let shown = text(&drawn(&mut replay, &appearance, 100, 32));
    let y = shown
        .lines()
        .position(|line| line.contains("9,127"))
        .unwrap();
    let before = shown.lines().nth(y).unwrap().split("Ng5").next().unwrap();
    let x = crate::text::columns(before) as u16;
    replay.handle(UserInput::Press(Point::new(x, y as u16)), &mut appearance);
    let shown = text(&drawn(&mut replay, &appearance, 100, 32));
    assert!(shown.contains("4. Ng5"), "{shown}");
}

/// Asks the stand-in for tabiya-archive, which knows the start position only.
#[cfg(unix)]
#[test]
fn the_explorer_follows_the_moves() {
    let mut appearance = appearance("dark");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../explorer/tests/fake-archive");
    let explorer = tabiya_explorer::Explorer::new(&program, "games".as_ref());
    let mut replay =
        replay_of("1. e4 e5 2. Nf3 *").with_explorer(Some(ExplorerPanel::new(explorer)));
    for (keys, expected) in [
        ("", "1,200"),
        (">", "no game has this"),
        (">>><<<<<", "1,200"),
        ("<><><>", "no game has this"),
    ] {
        press(&mut replay, &mut appearance, keys);
        while replay.is_busy() {
            replay.tick(std::time::Instant::now());
            std::thread::yield_now();
        }
        let shown = text(&drawn(&mut replay, &appearance, 100, 32));
        assert!(shown.contains(expected), "{keys}: {shown}");
    }
    // If the archive has a problem, its place shows it.
    let explorer = tabiya_explorer::Explorer::new(&program, "none".as_ref());
    let mut replay = replay_of("1. e4 *").with_explorer(Some(ExplorerPanel::new(explorer)));
    while replay.is_busy() {
        replay.tick(std::time::Instant::now());
        std::thread::yield_now();
    }
    let shown = text(&drawn(&mut replay, &appearance, 100, 32));
    assert!(shown.contains("none is not an"), "{shown}");
}

#[test]
fn every_screen_size_can_be_drawn() {
    let mut appearance = appearance("dark");
    let mut screen = game(line(ITALIAN), persons());
    press(&mut screen, &mut appearance, "^\n");
    let mut helped = game(GameHistory::default(), persons());
    press(&mut helped, &mut appearance, "?");
    let board: Board = "8/2P3k1/8/8/8/6K1/8/8 w - - 0 1".parse().unwrap();
    let mut promoting = game(board.into(), persons());
    press(&mut promoting, &mut appearance, "c8\n");
    let mut exploring = explored_analysis();
    for colors in [ColorDepth::True, ColorDepth::None] {
        for figures in [PieceStyle::Glyphs, PieceStyle::Letters] {
            appearance.colors = colors;
            appearance.figures = figures;
            for columns in [1, 5, 17, 18, 20, 25, 26, 28, 29, 40, 60, 80, 120, 200] {
                for rows in [1, 2, 5, 11, 12, 13, 15, 18, 20, 24, 25, 26, 33, 50, 70] {
                    drawn(&mut screen, &appearance, columns, rows);
                    drawn(&mut helped, &appearance, columns, rows);
                    drawn(&mut promoting, &appearance, columns, rows);
                    drawn(&mut exploring, &appearance, columns, rows);
                    drawn(&mut MenuScreen::new(context()), &appearance, columns, rows);
                    drawn(
                        &mut SettingsScreen::new(context()),
                        &appearance,
                        columns,
                        rows,
                    );
                }
            }
        }
    }
}

#[test]
fn small_screens_show_a_message() {
    let appearance = appearance("dark");
    let mut screen = game(GameHistory::default(), persons());
    let said = text(&drawn(&mut screen, &appearance, 24, 8)).replace('\n', " ");
    assert!(said.contains("at least 26 × 12."), "{said}");
    assert!(said.contains("too small: 24 × 8."), "{said}");
}

/// Names with wide, combining and right-to-left characters.
const ODD: [&str; 2] = [
    "王皓 九段 国际象棋特级大师",
    "Ade\u{301}le\u{7} \u{202e}Comtesse\u{1b}[2J de Longueville-Saint-Exupe\u{301}ry",
];

/// Checks the columns of each row: a wide character hides the next cell.
#[track_caller]
fn check_columns(buffer: &Buffer) {
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            assert!(!symbol.contains(char::is_control), "{symbol:?}");
            let width = crate::text::columns(symbol).max(1) as u16;
            // The hidden cell must be empty.
            for hidden in x + 1..x + width {
                assert_eq!(
                    buffer[(hidden, y)].symbol(),
                    " ",
                    "{x} {y}\n{}",
                    text(buffer)
                );
            }
            x += width;
        }
        assert_eq!(x, buffer.area.width, "row {y}\n{}", text(buffer));
    }
}

fn timed(names: [&str; 2]) -> GameScreen {
    let players = names.map(Player::person);
    let control = "5+3".parse().unwrap();
    let context = context();
    let session = context
        .borrow()
        .session(Game::new(line("e4"), players, control));
    GameScreen::new(session, None, context)
}

#[test]
fn unusual_names_keep_the_layout() {
    let appearance = appearance("dark");
    for columns in [26, 40, 60, 80, 100, 140] {
        for rows in [12, 20, 24, 32, 50] {
            let odd = drawn(&mut timed(ODD), &appearance, columns, rows);
            check_columns(&odd);
            let plain = drawn(&mut timed(["A", "B"]), &appearance, columns, rows);
            let (odd, plain) = (text(&odd), text(&plain));
            // Title, players and clocks stay in place.
            let differ = odd.lines().zip(plain.lines()).filter(|(a, b)| a != b);
            for (odd, plain) in differ {
                assert!(plain.contains('A') || plain.contains('B'), "{odd}\n{plain}");
                let clock = |line: &str| line.contains(":0") || line.contains(":5");
                assert_eq!(clock(odd), clock(plain), "{odd}\n{plain}");
            }
        }
    }
}

#[test]
fn unusual_comments_and_tags_keep_the_layout() {
    let mut appearance = appearance("dark");
    let [white, black] = ODD;
    let pgn = format!(
        "[Event \"{black}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"王\"]\n\n\
         1. e4 {{{white}{white} {black} {white}}} e5 *\n"
    );
    let mut replay = replay_of(&pgn);
    for keys in ["", ">", ">"] {
        press(&mut replay, &mut appearance, keys);
        for columns in [26, 27, 40, 61, 80, 140] {
            for rows in [12, 20, 24, 50] {
                check_columns(&drawn(&mut replay, &appearance, columns, rows));
            }
        }
    }
    // What is typed, too.
    press(&mut replay, &mut appearance, white);
    for columns in 26..80 {
        check_columns(&drawn(&mut replay, &appearance, columns, 24));
    }
}

#[test]
fn the_name_can_be_edited() {
    let mut appearance = appearance("dark");
    let folder = std::env::temp_dir().join(format!("tabiya-name-{}", std::process::id()));
    let context = context_in(&folder);
    let mut screen = SettingsScreen::new(context.clone());
    drawn(&mut screen, &appearance, 80, 24);
    press(&mut screen, &mut appearance, "vv\n");
    let shown = text(&drawn(&mut screen, &appearance, 80, 24));
    assert!(shown.contains("Your name › Player"), "{shown}");
    let clear = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    screen.handle(UserInput::Key(clear), &mut appearance);
    press(&mut screen, &mut appearance, "\n");
    let shown = text(&drawn(&mut screen, &appearance, 80, 24));
    assert!(shown.contains("Your name › your name, shown"), "{shown}");
    // Navigation letters are ordinary letters here.
    press(&mut screen, &mut appearance, "hjkl 王\n");
    assert_eq!(context.borrow().preferences.name, "hjkl 王");
    let drawn = drawn(&mut screen, &appearance, 80, 24);
    check_columns(&drawn);
    // The details line up.
    let shown = text(&drawn);
    let column = |detail: &str| {
        let line = shown.lines().find(|line| line.contains(detail)).unwrap();
        crate::text::columns(line.split(detail).next().unwrap())
    };
    // A wide character is followed by a hidden cell.
    assert_eq!(column("shown in") - 1, column("walnut"), "{shown}");
    let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
    screen.handle(UserInput::Key(escape), &mut appearance);
    let file = fs::read_to_string(folder.join("config.toml")).unwrap();
    assert_eq!(file, "name = \"hjkl 王\"\n");
    fs::remove_dir_all(folder).unwrap();
}
