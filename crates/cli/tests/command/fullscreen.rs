//! The full screen: the menu and games in a terminal.

use std::os::unix::process::ExitStatusExt;

use rustix::process::Signal;

use crate::folder::Folder;
use crate::terminal::Terminal;

pub(crate) const UP: &str = "\x1b[A";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const QUIT: &str = "\x11";

/// The program in a terminal, with its own folder for settings and games.
pub(crate) fn start_in(
    folder: &Folder,
    arguments: &[&str],
    others: &[(&str, &str)],
    columns: u16,
    rows: u16,
) -> Terminal {
    let home = folder.path("");
    let mut variables = vec![
        ("XDG_DATA_HOME", home.as_str()),
        ("XDG_CONFIG_HOME", home.as_str()),
        ("HOME", home.as_str()),
        ("LC_ALL", "C.UTF-8"),
        ("COLORTERM", "truecolor"),
    ];
    variables.extend_from_slice(others);
    Terminal::start(arguments, &variables, columns, rows)
}

pub(crate) fn start(folder: &Folder, columns: u16, rows: u16) -> Terminal {
    start_in(folder, &[], &[], columns, rows)
}

/// Starts a game of two players from the menu.
fn begin(mut terminal: Terminal) -> Terminal {
    terminal.wait_for_text("Play the computer");
    terminal.press(DOWN);
    terminal.press("\r");
    terminal.wait_for_text("Clock");
    terminal.press("\r");
    terminal.wait_for_text("White moves first");
    terminal
}

fn two_players(folder: &Folder) -> Terminal {
    begin(start(folder, 80, 24))
}

/// Types moves, and waits for each.
fn play(terminal: &mut Terminal, moves: &[&str]) {
    for mv in moves {
        terminal.press(mv);
        terminal.wait_for_text(&format!("› {mv}"));
        terminal.press("\r");
        terminal.wait_for(|text| !text.contains(&format!("› {mv}")) && text.contains(mv));
    }
}

#[track_caller]
pub(crate) fn quit(mut terminal: Terminal) {
    terminal.press(QUIT);
    assert!(terminal.wait_for_end().success());
}

#[test]
fn the_first_move() {
    let folder = Folder::new("full-first");
    let mut terminal = start(&folder, 80, 24);
    terminal.wait_for_text("Play the computer");
    terminal.press("\r");
    terminal.wait_for_text("Level");
    terminal.press("\r");
    terminal.wait_for_text("You play White.");
    terminal.press("e4\r");
    terminal.wait_for_text("1. e4");
    // The computer replies.
    terminal.wait_for_text("Your move.");
    quit(terminal);
}

#[test]
fn a_game_without_the_menu() {
    let folder = Folder::new("full-play");
    let fen = "8/2P3k1/8/8/8/6K1/8/8 w - - 0 1";
    let arguments = ["play", "--opponent", "person", "--fen", fen];
    let mut terminal = start_in(&folder, &arguments, &[], 80, 24);
    terminal.wait_for_text("White moves first");
    play(&mut terminal, &["Kf3", "Kf7"]);
    // Another game from the same position.
    terminal.press("\x0e");
    terminal.wait_for_text("Start a new game?");
    terminal.press("y");
    terminal.wait_for_text("White moves first");
    terminal.wait_for(|text| !text.contains("Kf3"));
    // The pawn is in the third column of the second row of squares.
    terminal.press("\x1b[<0;15;5M\x1b[<0;15;5m");
    terminal.wait_for_text("•");
    terminal.press("\x1b[<0;15;3M\x1b[<0;15;3m");
    terminal.wait_for_text("Promote to");
    terminal.press("r");
    terminal.wait_for_text("c8=R");
    quit(terminal);
}

#[test]
fn settings_are_kept() {
    let folder = Folder::new("full-settings");
    let mut terminal = start(&folder, 80, 24);
    terminal.wait_for_text("Settings");
    for key in [UP, UP, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("Theme");
    terminal.press("\x1b[C");
    terminal.wait_for_text("sage on paper");
    terminal.press("\r");
    terminal.wait_for_text("Settings saved.");
    quit(terminal);
    let file = std::fs::read_to_string(folder.path("tabiya/config.toml")).unwrap();
    assert_eq!(file, "theme = \"light\"\n");
    let terminal = begin(start(&folder, 80, 24));
    assert_eq!(
        terminal.backgrounds()[0],
        vt100::Color::Rgb(0xf6, 0xf4, 0xee)
    );
    quit(terminal);
}

#[test]
fn a_name_is_typed() {
    let folder = Folder::new("full-name");
    let mut terminal = start(&folder, 80, 24);
    terminal.wait_for_text("Settings");
    for key in [UP, UP, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("Your name");
    for key in [DOWN, DOWN, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("Your name › Player");
    terminal.press("\x15Zoë 王\r");
    terminal.wait_for(|text| text.contains("‹ Zoë 王") && !text.contains("Your name ›"));
    // Leaving the screen saves it.
    terminal.press("\x1b");
    terminal.wait_for_text("Play the computer");
    quit(terminal);
    let file = std::fs::read_to_string(folder.path("tabiya/config.toml")).unwrap();
    assert_eq!(file, "name = \"Zoë 王\"\n");
}

#[test]
fn a_file_in_another_language_is_read() {
    let folder = Folder::new("full-letters");
    let games = "[White \"Anna\"]\n\n1. e4 e5 2. Sf3 Sc6 *\n\n1. d4 Sf6 2. Lg5 Se4 *\n";
    let file = folder.write("spiele.pgn", games);
    let mut terminal = start(&folder, 80, 24);
    terminal.wait_for_text("Replay a game");
    for key in [DOWN, DOWN, DOWN, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("type the name of a PGN file");
    // Standard input is the keyboard.
    terminal.press("-\r");
    terminal.wait_for_text("Enter a file name.");
    terminal.press(&format!("{file}\r"));
    terminal.wait_for_text("Game 1 of 2, pieces K D T L S. Anna");
    terminal.press("n");
    terminal.wait_for_text("2. Lg5 Se4");
    quit(terminal);
}

#[test]
fn an_illegal_move_is_explained() {
    let folder = Folder::new("full-illegal");
    let mut terminal = two_players(&folder);
    terminal.press("e2e5\r");
    terminal.wait_for_text("Pawns move one square forward, or two from their starting square.");
    terminal.press("nonsense\r");
    terminal.wait_for_text("Unknown move or command: nonsense");
    play(&mut terminal, &["e4"]);
    quit(terminal);
}

#[test]
fn moves_with_the_cursor_and_the_mouse() {
    let folder = Folder::new("full-cursor");
    let mut terminal = two_players(&folder);
    // The cursor starts on e2.
    terminal.press(UP);
    terminal.press("\r");
    terminal.wait_for_text("•");
    for key in [UP, UP, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("1. e4");
    // Squares have two rows and five columns: e7 is at row 5, column 25, and e5 at row 9.
    terminal.press("\x1b[<0;25;5M\x1b[<0;25;5m");
    terminal.wait_for_text("•");
    terminal.press("\x1b[<0;25;9M\x1b[<0;25;9m");
    terminal.wait_for_text("e5");
    // Dragged from g1 to f3.
    terminal.press("\x1b[<0;35;17M\x1b[<0;30;13m");
    terminal.wait_for_text("2. Nf3");
    // A click on the key bar flips the board.
    let text = terminal.text();
    let last = text.lines().last().unwrap();
    let column = last.chars().take_while(|&letter| letter != 'F').count() + 1;
    assert!(text.contains("^F flip"), "{text}");
    terminal.press(&format!("\x1b[<0;{column};24M\x1b[<0;{column};24m"));
    terminal.wait_for(|text| squeezed(text).contains("h g f e d c b a"));
    quit(terminal);
}

fn squeezed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn a_promotion_is_chosen() {
    let folder = Folder::new("full-promotion");
    let mut terminal = two_players(&folder);
    play(
        &mut terminal,
        &["a4", "b5", "axb5", "a6", "bxa6", "Nc6", "a7", "Rb8"],
    );
    terminal.press("axb8\r");
    terminal.wait_for_text("Promote to");
    terminal.press("\x1b");
    terminal.wait_for(|text| !text.contains("Promote to"));
    terminal.press("axb8\r");
    terminal.wait_for_text("Promote to");
    terminal.press("n");
    terminal.wait_for_text("5. axb8=N");
    quit(terminal);
}

#[test]
fn undo_draw_and_resign() {
    let folder = Folder::new("full-undo");
    let mut terminal = two_players(&folder);
    play(&mut terminal, &["e4", "e5"]);
    terminal.press("\x15");
    terminal.wait_for_text("Took back the last move.");
    terminal.wait_for(|text| !text.contains("e5  "));
    terminal.press("undo\r");
    terminal.wait_for(|text| !text.contains("1. e4"));
    terminal.press("\x15");
    terminal.wait_for_text("There is no move to take back.");
    play(&mut terminal, &["d4"]);
    terminal.press("draw\r");
    terminal.wait_for_text("Offer a draw?");
    terminal.press("y");
    terminal.wait_for_text("White: do you accept?");
    terminal.press("n");
    terminal.wait_for_text("declines the draw");
    terminal.press("\x12");
    terminal.wait_for_text("Who resigns?");
    terminal.press("n");
    terminal.wait_for(|text| !text.contains("Who resigns?"));
    terminal.press("resign\r");
    terminal.wait_for_text("Who resigns?");
    terminal.press("b");
    terminal.wait_for_text("White wins: Black resigned.");
    // The card shows how well both played, and undo takes the resignation back.
    terminal.wait_for_text("accuracy");
    terminal.press("\x15");
    terminal.wait_for_text("The game goes on.");
    quit(terminal);
}

#[test]
fn a_hint_says_why() {
    let folder = Folder::new("full-hint");
    let mut terminal = two_players(&folder);
    play(&mut terminal, &["f3", "e5", "g4"]);
    terminal.press("\x14");
    terminal.wait_for_text("Hint: Qh4# mates");
    play(&mut terminal, &["Qh4#"]);
    terminal.wait_for_text("Black wins by checkmate.");
    terminal.wait_for_text("new game");
    // The game is now in the list of finished games.
    terminal.press("\x1b");
    terminal.wait_for(|text| !text.contains("close this card"));
    terminal.press("\x1b");
    terminal.wait_for_text("Replay a game");
    for key in [DOWN, DOWN, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("your finished games");
    terminal.press("\r");
    terminal.wait_for_text("Game 1 of 1");
    quit(terminal);
}

#[test]
fn the_computer_moves_first_and_sides_are_swapped() {
    let folder = Folder::new("full-black");
    let arguments = ["play", "--side", "black", "--level", "1", "--no-pace"];
    let mut terminal = start_in(&folder, &arguments, &[], 80, 24);
    terminal.wait_for_text("Your move.");
    terminal.wait_for(|text| squeezed(text).contains("h g f e d c b a"));
    terminal.press("level 3\r");
    terminal.wait_for_text("White is now Tabiya, level 3");
    terminal.press("think on\r");
    terminal.wait_for_text("shown below the moves");
    terminal.press("eval\r");
    terminal.wait_for_text("The bar beside the board");
    // The computer plays a move for the person, and replies.
    terminal.press("go\r");
    terminal.wait_for_text("2. ");
    terminal.press("swap\r");
    terminal.wait_for_text("Swap sides with the computer?");
    terminal.press("y");
    terminal.wait_for_text("Black is now Tabiya, level 3");
    terminal.wait_for(|text| squeezed(text).contains("a b c d e f g h"));
    quit(terminal);
}

#[test]
fn a_game_is_saved_and_analysed() {
    let folder = Folder::new("full-save");
    let mut terminal = two_players(&folder);
    play(&mut terminal, &["e4", "e5"]);
    let file = folder.path("my game.pgn");
    terminal.press(&format!("save {file}\r"));
    terminal.wait_for_text("Saved to");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("1... e5"), "{saved}");
    // Saving again adds to the file.
    play(&mut terminal, &["Nf3"]);
    terminal.press(&format!("save {file}\r"));
    terminal.wait_for_text("Added to the games in");
    let both = std::fs::read_to_string(&file).unwrap();
    assert!(both.starts_with(&saved), "{both}");
    assert!(both.contains("2. Nf3") && both.matches("[Event ").count() == 2);
    terminal.press("save -\r");
    terminal.wait_for_text("Enter a file name.");
    // The engine analyses it.
    terminal.press("\x01");
    terminal.wait_for_text("Engine, depth 1");
    terminal.wait_for_text("2... ");
    terminal.press("\x1b[D");
    terminal.press("Bc4\r");
    terminal.wait_for_text("(2. Bc4)");
    terminal.press("q");
    terminal.wait_for_text("^D draw");
    quit(terminal);
}

#[test]
fn a_theme_by_its_name() {
    let folder = Folder::new("full-theme");
    let mut terminal = two_players(&folder);
    let paper = |terminal: &Terminal| terminal.backgrounds()[0];
    let dark = paper(&terminal);
    terminal.press("theme light\r");
    terminal.wait_for_text("Theme: light.");
    assert_ne!(paper(&terminal), dark);
    terminal.press("theme pink\r");
    terminal.wait_for_text("Choose a theme: dark, light, high-contrast, colour-blind.");
    quit(terminal);
}

#[test]
fn a_killed_game_is_resumed() {
    let folder = Folder::new("full-kill");
    let mut terminal = two_players(&folder);
    play(&mut terminal, &["e4", "c5"]);
    terminal.signal(Signal::KILL);
    drop(terminal);
    let mut terminal = start(&folder, 80, 24);
    terminal.wait_for_text("your unfinished game");
    terminal.press("\r");
    terminal.wait_for_text("Sicilian");
    terminal.wait_for_text("Game resumed. White to move.");
    play(&mut terminal, &["Nf3"]);
    quit(terminal);
}

/// After a resize, the screen looks as if it had always had that size.
#[test]
fn the_terminal_can_be_resized() {
    let folder = Folder::new("full-size");
    let mut terminal = two_players(&folder);
    for (columns, rows) in [(40, 20), (140, 50), (26, 12), (10, 3), (100, 32), (80, 24)] {
        let mut fresh = two_players(&folder);
        // The last row is drawn last.
        let is_drawn = |text: &str| {
            let last = text.lines().nth(usize::from(rows) - 1);
            text.starts_with("This") || last.is_some_and(|last| last.contains("? help"))
        };
        fresh.resize(columns, rows);
        terminal.resize(columns, rows);
        // Remains of the old size would be on one of the screens only.
        terminal.wait_for_same(&mut fresh, is_drawn);
        quit(fresh);
    }
    quit(terminal);
}

#[test]
fn narrow_and_monochrome_screens() {
    let folder = Folder::new("full-plain");
    let plain = start_in(&folder, &["--color", "never"], &[("LC_ALL", "C")], 40, 20);
    let mut plain = begin(plain);
    plain.press("e4\r");
    plain.wait_for_text("1. e4");
    let text = plain.text();
    assert!(text.is_ascii(), "{text}");
    assert!(text.contains("8  r  n  b  q  k  b  n  r"), "{text}");
    assert!(text.contains("[P]") && text.contains("[ ]"), "{text}");
    assert!(
        plain
            .backgrounds()
            .iter()
            .all(|&ground| ground == vt100::Color::Default)
    );
    quit(plain);

    let folder = Folder::new("full-wished");
    let wished = start_in(&folder, &[], &[("NO_COLOR", "1")], 80, 24);
    let mut wished = begin(wished);
    wished.press("e4\r");
    wished.wait_for_text("1. e4");
    assert!(
        wished
            .backgrounds()
            .iter()
            .all(|&ground| ground == vt100::Color::Default)
    );
    assert!(wished.text().contains('['), "{}", wished.text());
    quit(wished);
}

#[test]
fn colours_match_the_terminal() {
    let folder = Folder::new("full-colours");
    let is_painted = |ground: &vt100::Color| *ground != vt100::Color::Default;
    for (colorterm, term) in [
        ("truecolor", "xterm-256color"),
        ("", "xterm-256color"),
        ("", "xterm"),
    ] {
        let variables = [("COLORTERM", colorterm), ("TERM", term)];
        let terminal = begin(start_in(&folder, &[], &variables, 80, 24));
        let grounds = terminal.backgrounds();
        let painted: Vec<vt100::Color> = grounds.into_iter().filter(is_painted).collect();
        assert!(painted.len() >= 40 * 15, "{}", painted.len());
        for ground in painted {
            match (colorterm, term, ground) {
                ("truecolor", _, vt100::Color::Rgb(..))
                | ("", "xterm-256color", vt100::Color::Idx(16..))
                | ("", "xterm", vt100::Color::Idx(0..16)) => {}
                _ => panic!("{ground:?} in {term} {colorterm}"),
            }
        }
        quit(terminal);
    }
}

#[test]
fn the_program_can_be_suspended() {
    let folder = Folder::new("full-suspended");
    let mut terminal = two_players(&folder);
    terminal.press("\x1a");
    terminal.wait_for(|text| text == "$ tabiya");
    terminal.wait_until_stopped();
    terminal.signal(Signal::CONT);
    terminal.wait_for_text("White moves first");
    play(&mut terminal, &["e4"]);
    quit(terminal);
}

/// A signal ends the program, and the terminal is restored.
#[test]
fn signals_restore_the_terminal() {
    let folder = Folder::new("full-signals");
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut terminal = start(&folder, 80, 24);
        terminal.wait_for_text("Play the computer");
        terminal.signal(signal);
        let status = terminal.wait_for_end();
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
    }
}

/// Leaving by Ctrl+Q or Ctrl+C says that the game is kept.
#[test]
fn leaving_says_that_the_game_is_kept() {
    for key in [QUIT, "\x03"] {
        let folder = Folder::new("full-kept");
        let mut terminal = two_players(&folder);
        play(&mut terminal, &["e4"]);
        terminal.press(key);
        terminal.wait_for_text("Your game is saved. Continue it with: tabiya play --resume");
        assert!(terminal.wait_for_end().success());
    }
}
