//! `tabiya pgn show` without a terminal.

use super::GAMES;
use crate::folder::Folder;
use crate::{error_message, fed, output, printed, text};

#[test]
fn the_boards_of_one_game() {
    let folder = Folder::new("show-one");
    let file = folder.write("games.pgn", GAMES);
    let printed = printed(&["pgn", "show", &file, "--game", "3"]);
    assert!(
        printed
            .starts_with("Game 3: Paulsen – Morphy, 1/2-1/2\nNew York, 1857.??.??\n\n8  r n b q"),
        "{printed}"
    );
    assert_eq!(printed.matches("  a b c d e f g h\n").count(), 7);
    assert!(printed.contains("\n1. e4\n8  r n b q"), "{printed}");
    assert!(printed.contains("\n1... e5\n8  r n b q"), "{printed}");
    assert!(
        printed.contains("\nC47 Four Knights Game\nor 3... Bc5 4. Bb5\n"),
        "{printed}"
    );
    assert!(printed.ends_with("\n1/2-1/2\n\n"), "{printed}");
}

#[test]
fn the_boards_of_all_games() {
    let folder = Folder::new("show-all");
    let file = folder.write("games.pgn", GAMES);
    let output = output(&["pgn", "show", &file, "--all"]);
    // A broken game is shown up to the error.
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    for start in ["Game 1: Anderssen", "\nGame 2: Morphy", "\nGame 3: Paulsen"] {
        assert!(printed.contains(start), "{printed}");
    }
    assert!(printed.contains("\n4... Bxf3\n8  r n"), "{printed}");
    let problem = format!("\n{file}:17:17: 5. Qxf4: ");
    assert!(printed.contains(&problem), "{printed}");
}

#[test]
fn comments_are_shown() {
    let output = fed(
        &["pgn", "show", "-"],
        b"{Before.} 1. e4! {Best by\ntest.} e5 $14 *",
    );
    let printed = text(&output.stdout);
    assert!(printed.contains("h\nBefore.\n\n1. e4!\n"), "{printed}");
    assert!(
        printed.contains("\nBest by test.\n\n1... e5 $14\n"),
        "{printed}"
    );
}

#[test]
fn the_letters_of_a_language() {
    let games = b"1. e4 e5 2. Sf3 Sc6 (2... Lc5 3. Sxe5) *";
    let output = fed(&["pgn", "show", "--letters", "de", "-"], games);
    assert!(output.status.success(), "{output:?}");
    let printed = text(&output.stdout);
    // They are shown in the same language.
    assert!(printed.contains("\n2. Sf3\n8  r n b q"), "{printed}");
    assert!(printed.contains("\nor 2... Lc5 3. Sxe5\n"), "{printed}");
    let output = fed(&["pgn", "show", "-"], games);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(
        printed.contains("\nstandard input:1:13: 2. Sf3: 'S' is not a piece letter"),
        "{printed}"
    );
    assert!(printed.contains("--letters"), "{printed}");
}

#[test]
fn missing_games_are_errors() {
    let folder = Folder::new("show-missing");
    let file = folder.write("games.pgn", GAMES);
    let said = error_message(&["pgn", "show", &file, "--game", "4"]);
    assert!(said.contains("has no game 4"), "{said}");
    assert!(said.contains("its last game is 3"), "{said}");
    let said = error_message(&["pgn", "show", &file, "--game", "0"]);
    assert!(said.contains("use a number from 1"), "{said}");
    let said = error_message(&["pgn", "show", &folder.write("empty.pgn", "")]);
    assert!(said.contains("contains no games"), "{said}");
    let said = error_message(&["pgn", "show", &folder.path("none.pgn")]);
    assert!(said.contains("no such file"), "{said}");
    error_message(&["pgn", "show"]);
}
