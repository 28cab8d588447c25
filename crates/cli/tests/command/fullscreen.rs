//! The full screen: the menu, games, as a user sees them in a terminal.

use crate::folder::Folder;
use crate::terminal::Terminal;

/// The program in a terminal, with a folder of its own for what it keeps.
fn start(folder: &Folder, arguments: &[&str], columns: u16, rows: u16) -> Terminal {
    let home = folder.path("");
    let variables = [
        ("XDG_DATA_HOME", home.as_str()),
        ("XDG_CONFIG_HOME", home.as_str()),
        ("HOME", home.as_str()),
        ("LANG", "C.UTF-8"),
        ("LC_ALL", "C.UTF-8"),
        ("COLORTERM", "truecolor"),
    ];
    Terminal::start_with(arguments, &variables, columns, rows)
}

/// A game of two players, from the menu.
fn two_players(folder: &Folder, columns: u16, rows: u16) -> Terminal {
    let mut terminal = start(folder, &[], columns, rows);
    terminal.wait_for_text("Play the computer");
    terminal.press("\x1b[B\r");
    terminal.wait_for_text("at one board");
    terminal.press("\r");
    terminal.wait_for_text("White begins");
    terminal
}

#[test]
fn the_first_move() {
    let folder = Folder::new("full-first");
    let mut terminal = start(&folder, &[], 80, 24);
    terminal.wait_for_text("Play the computer");
    terminal.press("\r");
    terminal.wait_for_text("Level");
    terminal.press("\r");
    terminal.wait_for_text("Move ›");
    terminal.press("e4\r");
    terminal.wait_for_text("1. e4");
    terminal.wait_for_text("Your move.");
    terminal.press("\x11");
    assert!(terminal.wait_for_end().success());
}

#[test]
fn a_move_that_is_not_legal_has_a_reason() {
    let folder = Folder::new("full-illegal");
    let mut terminal = two_players(&folder, 80, 24);
    terminal.press("e2e5\r");
    terminal.wait_for_text("A pawn does not move from e2 to e5.");
    terminal.press("e4\r");
    terminal.wait_for_text("1. e4");
    terminal.press("\x11");
    assert!(terminal.wait_for_end().success());
}
