//! A walk from the menu through a game to its end, in many kinds of terminals; and its pictures.

use crate::folder::Folder;
use crate::fullscreen::{DOWN, quit, start_in};
use crate::pictures;

/// From the menu through a game to its end: nothing wraps, and everything is there. `walk-in-tmux` goes the same way.
#[test]
fn a_walk_through_all_terminals() {
    let rich = ("COLORTERM", "truecolor");
    for (name, columns, rows, variables) in [
        ("", 80, 24, &[rich][..]),
        ("-small", 46, 18, &[rich]),
        ("-large", 120, 40, &[rich]),
        ("-linux", 80, 24, &[("TERM", "linux"), ("COLORTERM", "")]),
        ("-no-color", 80, 24, &[("NO_COLOR", "1"), rich]),
    ] {
        let folder = Folder::new(&format!("walk{name}"));
        let mut terminal = start_in(&folder, &[], variables, columns, rows);
        terminal.wait_for_text("Play the computer");
        terminal.press(DOWN);
        terminal.press("\r");
        terminal.wait_for_text("Clock");
        if name.is_empty() {
            pictures::compare_screen("walk-setup.svg", terminal.screen());
        }
        terminal.press("\r");
        terminal.wait_for_text("White moves first");
        for mv in ["f3", "e5", "g4"] {
            terminal.press(&format!("{mv}\r"));
            terminal.wait_for_text(mv);
        }
        assert!(!terminal.is_too_narrow());
        // Look back, and return.
        terminal.press("\x1b[5~");
        terminal.wait_for_text("The position after 1... e5.");
        terminal.press("\x1b[6~");
        terminal.wait_for_text("Black to move.");
        terminal.press("?");
        terminal.wait_for_text("look back at earlier");
        terminal.press("\x1b");
        terminal.wait_for(|text| !text.contains("look back at earlier"));
        terminal.press("Qh4\r");
        terminal.wait_for_text("Black wins by checkmate.");
        terminal.wait_for_text("2. g4??");
        assert!(!terminal.is_too_narrow());
        if name == "-linux" {
            assert!(terminal.text().is_ascii(), "{}", terminal.text());
        }
        pictures::compare_screen(&format!("walk-end{name}.svg"), terminal.screen());
        // The review opens at the mistake.
        terminal.press("\x01");
        terminal.wait_for_text("v variation");
        quit(terminal);
    }
}
