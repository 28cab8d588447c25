//! `tabiya pgn show` in a terminal.

use std::os::unix::process::ExitStatusExt;

use rustix::process::Signal;

use super::GAMES;
use crate::folder::Folder;
use crate::terminal::Terminal;

const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";

/// Shows a file in a standard terminal without colours. The current move is in brackets.
fn show(file: &str) -> Terminal {
    let mut terminal = sized(file, 80, 24);
    terminal.wait_for_text("? help");
    terminal
}

fn sized(file: &str, columns: u16, rows: u16) -> Terminal {
    let arguments = ["pgn", "show", file, "--color", "never"];
    Terminal::start(&arguments, &[("LC_ALL", "C.UTF-8")], columns, rows)
}

#[test]
fn keys_step_through_the_games() {
    let folder = Folder::new("view-keys");
    let mut terminal = show(&folder.write("games.pgn", GAMES));
    terminal.wait_for_text("Anderssen – Kieseritzky, 1-0");
    assert!(!terminal.text().contains("[1. e4]"));
    for (key, shown) in [
        (RIGHT, "[1. e4]"),
        (RIGHT, "[e5]"),
        (" ", "[2. f4]"),
        (LEFT, "[e5]"),
        (END, "[Nf6]"),
        (UP, "Anderssen – Kieseritzky"),
        (DOWN, "[Nf6]"),
        (HOME, "Anderssen – Kieseritzky"),
        ("n", "Morphy – Allies"),
        (END, "5. Qxf4: queens move along"),
        ("n", "Game 3 of 3"),
        ("n", "Paulsen – Morphy"),
        (END, "[Nf6]"),
        ("v", "[(3... Bc5]"),
        (RIGHT, "[4. Bb5)]"),
        ("\x06", "h g f e d c b a"),
        // A new move starts a variation.
        (HOME, "Paulsen – Morphy"),
        ("d4\r", "[(1. d4)]"),
        (
            "e7e4\r",
            "Pawns move one square forward, or two from their starting square",
        ),
        (LEFT, "Paulsen – Morphy"),
        // Leaving the game would lose the variation.
        ("p", "You'll lose your unsaved moves"),
        ("n", "Your moves are still here"),
        ("p", "You'll lose your unsaved moves"),
        ("y", "Morphy – Allies"),
    ] {
        terminal.press(key);
        terminal.wait_for(|text| {
            let squeezed: Vec<&str> = text.split_whitespace().collect();
            text.contains(shown) || squeezed.join(" ").contains(shown)
        });
    }
    terminal.press("q");
    assert!(terminal.wait_for_end().success());
}

#[test]
fn the_next_mistake() {
    let folder = Folder::new("view-mistake");
    let marked = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n";
    let mut terminal = show(&folder.write("marked.pgn", marked));
    terminal.press("m");
    terminal.wait_for_text("3... Nf6 is marked as a mistake.");
    terminal.wait_for_text("[Nf6??]");
    terminal.press("q");
    assert!(terminal.wait_for_end().success());
    // The engine finds it.
    let mut terminal = show(&folder.write("plain.pgn", marked.replace("??", "")));
    terminal.press("m");
    terminal.wait_for_text("3... Nf6 is a blunder");
    terminal.press("m");
    terminal.wait_for_text("No more mistakes in this line.");
    terminal.press("q");
    assert!(terminal.wait_for_end().success());
}

#[test]
fn keys_that_quit() {
    let folder = Folder::new("view-quit");
    let file = folder.write("games.pgn", GAMES);
    // Escape, Control-C, D and Q.
    for key in ["q", "\x1b", "\x03", "\x04", "\x11"] {
        let mut terminal = show(&file);
        terminal.press(key);
        assert!(terminal.wait_for_end().success(), "{key:?}");
    }
}

/// After a resize, the screen looks as if it had always had that size.
#[test]
fn the_terminal_can_be_resized() {
    let folder = Folder::new("view-size");
    let file = folder.write("games.pgn", GAMES);
    let sizes = [(40, 30), (120, 50), (25, 12), (80, 24), (10, 3), (60, 20)];
    let mut terminal = show(&file);
    for (columns, rows) in sizes {
        let mut fresh = sized(&file, columns, rows);
        terminal.resize(columns, rows);
        // The last line is drawn last, if there is room for a board.
        terminal.wait_for_same(&mut fresh, |text| {
            let last = text.lines().nth(usize::from(rows) - 1);
            text.starts_with("This") || last.is_some_and(|last| last.contains("←→"))
        });
    }
    terminal.press(RIGHT);
    terminal.wait_for_text("[1. e4]");
    terminal.press("q");
    assert!(terminal.wait_for_end().success());
}

/// A signal ends the program, and the terminal is restored.
#[test]
fn signals_restore_the_terminal() {
    let folder = Folder::new("view-signals");
    let file = folder.write("games.pgn", GAMES);
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut terminal = show(&file);
        terminal.press(RIGHT);
        terminal.wait_for_text("[1. e4]");
        terminal.signal(signal);
        let status = terminal.wait_for_end();
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
    }
}

#[test]
fn a_closed_terminal_ends_the_program() {
    let folder = Folder::new("view-gone");
    let terminal = show(&folder.write("games.pgn", GAMES));
    assert!(!terminal.close().success());
}
