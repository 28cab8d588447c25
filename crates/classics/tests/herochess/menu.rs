//! The menu, the settings and quitting.

use crate::{FOOLS_MATE, boards, game, session};

const MENU: &str = "\
1. Start New Game (Human v. Human)
2. Start New Game (Human v. AI)
3. Game Settings
4. Exit Game
Choose Option: ";

#[test]
fn menu_comes_first_and_after_every_game() {
    let printed = session("4\n");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        printed,
        format!("Welcome to HeroChess, Tabiya {version}.\n{MENU}\n")
    );
    let printed = session(&format!("1\n{FOOLS_MATE}\nn\n1\nq\nn\n4\n"));
    assert_eq!(printed.matches(MENU).count(), 3, "{printed}");
    assert_eq!(printed.matches("Welcome").count(), 1);
}

#[test]
fn other_menu_input_is_an_error() {
    for wrong in ["5", "0", "", "x", "1 2", "q", "Exit", "\u{0}", "11"] {
        let printed = session(&format!("{wrong}\n4\n"));
        let expected = format!("{MENU}\nError. Try again\n{MENU}\n");
        assert!(printed.ends_with(&expected), "{wrong:?}: {printed}");
    }
}

#[test]
fn prints_a_turn_as_specified() {
    let printed = session("1\n");
    let expected = "\
   ----------------------------------------
8 | bR | bN | bB | bQ | bK | bB | bN | bR |
   ----------------------------------------
7 | bP | bP | bP | bP | bP | bP | bP | bP |
   ----------------------------------------
6 |    |    |    |    |    |    |    |    |
   ----------------------------------------
5 |    |    |    |    |    |    |    |    |
   ----------------------------------------
4 |    |    |    |    |    |    |    |    |
   ----------------------------------------
3 |    |    |    |    |    |    |    |    |
   ----------------------------------------
2 | wP | wP | wP | wP | wP | wP | wP | wP |
   ----------------------------------------
1 | wR | wN | wB | wQ | wK | wB | wN | wR |
   ----------------------------------------
     a    b    c    d    e    f    g    h
To quit the game at any point, enter Q or q.
Player 1 pick your piece: ";
    assert!(printed.contains(expected), "{printed}");
    let printed = game("e2\ne4");
    assert!(
        printed.contains("Where would you like to move this piece? "),
        "{printed}"
    );
    assert!(printed.contains("Player 2 pick your piece: "), "{printed}");
}

#[test]
fn settings_change_the_colours() {
    let printed = session("3\n1\n2\n4\n1\ne2 e4\nq\nn\n4\n");
    assert!(
        printed.contains("(Player 1 has Black, Player 2 has White)"),
        "{printed}"
    );
    let first = printed.find("Player 2 pick your piece").unwrap();
    let second = printed.find("Player 1 pick your piece").unwrap();
    assert!(first < second, "{printed}");
    // Back again.
    let printed = session("3\n1\n2\n1\n1\n4\n1\nq\nn\n4\n");
    assert!(!printed.contains("Player 2 pick your piece"), "{printed}");
    // Against the AI with Black, so the AI moves first.
    let printed = session("3\n2\nB\n4\n2\nq\nn\n4\n");
    let moved = printed.find("Player 2 moved from ").unwrap();
    assert!(moved < printed.find("Player 1 pick your piece").unwrap());
    let printed = session("3\n2\nb\n2\nw\n4\n2\nq\nn\n4\n");
    assert!(!printed.contains("moved from"), "{printed}");
}

#[test]
fn settings_change_the_level() {
    let printed = session("3\n3\n1\n4\n4\n");
    assert!(
        printed.contains("Strength of the AI (level 3 of 6)"),
        "{printed}"
    );
    assert!(
        printed.contains("Strength of the AI (level 1 of 6)"),
        "{printed}"
    );
}

#[test]
fn settings_reject_other_input() {
    for (typed, errors) in [
        ("3\n5\n\nx\n4\n4\n", 3),
        ("3\n1\n3\nx\n1\n4\n4\n", 2),
        ("3\n2\n1\nblack\nb\n4\n4\n", 2),
        ("3\n3\n0\n7\n-1\nx\n6\n4\n4\n", 4),
        // Q goes back.
        ("3\nq\n4\n", 0),
        ("3\n1\nq\n2\nQ\n3\nq\n4\n4\n", 0),
    ] {
        let printed = session(typed);
        assert_eq!(
            printed.matches("Error. Try again\n").count(),
            errors,
            "{printed}"
        );
        assert!(printed.ends_with("Choose Option: \n"), "{printed}");
    }
}

#[test]
fn q_quits_at_every_prompt_of_a_game() {
    for typed in ["1\nq\n", "1\nQ\n", "1\n e2\nq\n", "1\ne2\nQ\n"] {
        let printed = session(&format!("{typed}n\n4\n"));
        assert_eq!(boards(&printed).len(), 1, "{printed}");
        assert_eq!(printed.matches("The game is left unfinished.").count(), 1);
        assert_eq!(printed.matches("Do you want to save").count(), 1);
        assert!(
            printed.ends_with("4. Exit Game\nChoose Option: \n"),
            "{printed}"
        );
    }
    // At the undo prompt and at the save prompt.
    let printed = session("2\ne2 e4\nq\nq\n4\n");
    assert!(
        printed.contains("undo the last move? (Y/N) \nThe game is left"),
        "{printed}"
    );
    assert!(printed.ends_with("Choose Option: \n"), "{printed}");
}

/// The program ends where the input ends, and its output up to there doesn't depend on later input.
#[test]
fn end_of_input_quits_at_every_prompt() {
    let pawn = "h2 h4\ng7 g5\nh4 g5\nh7 h6\ng5 h6\na7 a6\nh6 h7\na6 a5\nh7\ng8\nx\nQ\n";
    for script in [
        format!("x\n1\n{pawn}zz\nq\nx\nn\n4\n"),
        "3\n1\nx\n2\n2\nb\n3\n1\n4\n2\ne7 e5\nN\nx\nn\nd7 d6\nY\nq\nn\n4\n".to_owned(),
        format!("1\n{FOOLS_MATE}\nx\nn\n4\n"),
    ] {
        let whole = session(&script);
        let ends = script.match_indices('\n').map(|(at, _)| at + 1);
        for end in ends.chain([0]) {
            let printed = session(&script[..end]);
            // The last prompt is followed by a line break and a message about quitting.
            let common = printed
                .trim_end()
                .trim_end_matches("The game is left unfinished.");
            assert!(whole.starts_with(common.trim_end()), "{printed}");
            assert!(printed.lines().count() <= whole.lines().count() + 1);
            // A last line without its break counts as well.
            let unbroken = session(script[..end].trim_end_matches('\n'));
            assert_eq!(unbroken.trim_end(), printed.trim_end());
        }
    }
}

/// A terminal already shows the line break.
#[test]
fn terminal_echoes_input() {
    let options = tabiya_classics::herochess::Options {
        terminal: true,
        ..crate::options()
    };
    let printed = crate::session_with(options, "5\n4\n");
    assert!(
        printed.contains("Choose Option: Error. Try again\n"),
        "{printed}"
    );
}

/// Invalid UTF-8 and very long lines.
#[test]
fn garbage_is_an_error() {
    let mut typed = b"1\n\xff\xfe\n".to_vec();
    typed.resize(100_000, b'e');
    typed.extend(b"\n\0\nq\nn\n4\n");
    let mut printed = Vec::new();
    let mut session = tabiya_classics::herochess::HerochessSession::new(
        &typed[..],
        &mut printed,
        crate::options(),
    );
    session.run().unwrap();
    let printed = String::from_utf8(printed).unwrap();
    assert_eq!(
        printed.matches("Error. Try again\n").count(),
        3,
        "{printed}"
    );
}
