//! Leaving a page, a program or the whole: what is kept, and what is said.

use crate::folder::Folder;
use crate::fullscreen::{DOWN, QUIT, UP, quit, start, start_in};
use crate::terminal::Terminal;

const ESC: &str = "\x1b";
const INTERRUPT: &str = "\x03";

/// Opens the settings, and chooses the light theme.
fn change_theme(folder: &Folder) -> Terminal {
    let mut terminal = start(folder, 80, 24);
    terminal.wait_for_text("Settings");
    for key in [UP, UP, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("Theme");
    terminal.press("\x1b[C");
    terminal.wait_for_text("sage on paper");
    terminal
}

#[test]
fn settings_are_kept_however_the_page_is_left() {
    for key in [ESC, "q", QUIT, INTERRUPT] {
        let folder = Folder::new("leaving-settings");
        let mut terminal = change_theme(&folder);
        terminal.press(key);
        if key == QUIT || key == INTERRUPT {
            assert!(terminal.wait_for_end().success());
            assert!(
                !terminal.text().contains("not saved"),
                "{}",
                terminal.text()
            );
        } else {
            terminal.wait_for_text("Play the computer");
            quit(terminal);
        }
        assert_eq!(folder.read("tabiya/config.toml"), "theme = \"light\"\n");
    }
}

/// Changes a setting, and puts a file where the folder of the settings should be.
fn change_in_vain() -> Terminal {
    let folder = Folder::new("leaving-unsaved");
    let mut terminal = change_theme(&folder);
    let _ = std::fs::remove_dir_all(folder.path("tabiya"));
    folder.write("tabiya", "");
    terminal.press(ESC);
    terminal.wait_for_text("ould not write");
    terminal
}

#[test]
fn settings_that_cannot_be_kept_are_said_not_to_be() {
    for key in [QUIT, INTERRUPT] {
        let mut terminal = change_in_vain();
        terminal.press(key);
        terminal.wait_for_text("Your settings are not saved: ");
        assert!(terminal.wait_for_exit().success());
    }
    // A second Esc leaves without saving.
    let mut terminal = change_in_vain();
    terminal.press(ESC);
    terminal.wait_for_text("Play the computer");
    quit(terminal);
}

#[test]
fn herochess_returns_to_the_menu() {
    let folder = Folder::new("leaving-herochess");
    let mut terminal = start(&folder, 80, 24);
    terminal.wait_for_text("Classics");
    for key in [UP, UP, UP, "\r"] {
        terminal.press(key);
    }
    terminal.wait_for_text("herochess");
    terminal.press("\r");
    terminal.wait_for_text("Choose Option:");
    terminal.press("4\r");
    terminal.wait_for_text("Play the computer");
    // The full screen works as before.
    terminal.press(DOWN);
    terminal.press("\r");
    terminal.wait_for_text("Clock");
    terminal.press(QUIT);
    assert!(terminal.wait_for_exit().success());
}

/// What is said goes to standard error: the output of these programs is fixed.
#[test]
fn classics_say_at_a_terminal_what_they_wait_for() {
    for (program, question, typed, answer) in [
        (
            "chessmaster",
            "Type a piece, a column and a row, such as N c 5, and press Enter.",
            "Ph2\r",
            "h3 h4",
        ),
        (
            "analysis",
            "Type the moves of a game, such as e4 e5 Nf3, and press Enter.",
            "f3 e5 g4 Qh4\r",
            "black wins by checkmate",
        ),
    ] {
        let folder = Folder::new("leaving-classics");
        let mut terminal = start_in(&folder, &["classic", program], &[], 80, 24);
        terminal.wait_for_text(question);
        terminal.press(typed);
        terminal.wait_for_text(answer);
        assert!(terminal.wait_for_exit().success());
        let piped = crate::fed(&["classic", program], typed.replace('\r', "\n").as_bytes());
        assert_eq!(crate::text(&piped.stdout), format!("{answer}\n"));
        assert_eq!(crate::text(&piped.stderr), "");
    }
}
