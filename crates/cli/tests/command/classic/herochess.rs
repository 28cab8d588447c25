//! `tabiya classic herochess`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use crate::folder::Folder;
use crate::{error_message, fed, output, printed, tabiya, text};

const FOOLS_MATE: &str = "f2 f3\ne7 e5\ng2 g4\nd8 h4\n";

/// The output for typed input and arguments.
#[track_caller]
fn play(arguments: &[&str], typed: &str) -> String {
    let output = fed(
        &[&["classic", "herochess"], arguments].concat(),
        typed.as_bytes(),
    );
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout)
}

/// The one file in a folder.
fn only(folder: &Folder) -> String {
    let names = folder.names();
    assert_eq!(names.len(), 1, "{names:?}");
    folder.path(&names[0])
}

#[test]
fn a_game_through_a_pipe() {
    let said = play(&[], &format!("1\n{FOOLS_MATE}n\n4\n"));
    assert!(said.starts_with("Welcome to HeroChess"), "{said}");
    assert!(
        said.contains("\n8 | bR | bN | bB |    | bK | bB | bN | bR |\n"),
        "{said}"
    );
    assert!(
        said.contains("Checkmate! Player 2 (Black) wins.\n"),
        "{said}"
    );
    assert!(said.ends_with("4. Exit Game\nChoose Option: \n"), "{said}");
}

#[test]
fn the_end_of_input_ends_the_game() {
    let output = output(&["classic", "herochess"]);
    assert!(output.status.success());
    for typed in ["", "1\n", "1\ne2", "2\ne2 e4\n", "3\n1\n"] {
        play(&[], typed);
    }
}

#[test]
fn records_are_saved_replayed_and_continued() {
    let folder = Folder::new("herochess-record");
    let place = folder.path("");
    let said = play(&["--folder", &place], "1\nf2 f3\ne7 e5\nq\ny\n4\n");
    let record = only(&folder);
    assert!(
        said.contains(&format!("Saved the replay in {record}.\n")),
        "{said}"
    );
    let said = printed(&["classic", "herochess", "--replay", &record]);
    assert!(said.contains("\nPlayer 2 moved from e7 to e5.\n"), "{said}");
    assert!(
        said.ends_with("\nWinner: nobody yet, the game is not finished\n"),
        "{said}"
    );
    let rest = "g2 g4\nd8 h4\ny\n4\n";
    let said = play(&["--continue", &record, "--folder", &place], rest);
    assert!(
        said.contains("Checkmate! Player 2 (Black) wins.\n"),
        "{said}"
    );
    let names = folder.names();
    assert_eq!(names.len(), 2, "{names:?}");
    let mut paths = names.iter().map(|name| folder.path(name));
    let whole = paths.find(|path| *path != record).unwrap();
    let said = error_message(&["classic", "herochess", "--continue", &whole]);
    assert!(said.contains("is over: checkmate"), "{said}");
}

#[test]
fn records_that_cannot_be_read() {
    let folder = Folder::new("herochess-damaged");
    play(&["--folder", &folder.path("")], "1\ne2 e4\nq\ny\n4\n");
    let record = only(&folder);
    let sound = std::fs::read_to_string(&record).unwrap();
    let damaged = folder.write("damaged.txt", sound.replace("to e4.", "to e5."));
    for option in ["--replay", "--continue"] {
        let said = error_message(&["classic", "herochess", option, &damaged]);
        assert!(
            said.contains("damaged.txt: line 7: the move is not legal: "),
            "{said}"
        );
        let said = error_message(&["classic", "herochess", option, &folder.path("missing")]);
        assert!(said.contains("missing: no such file"), "{said}");
        error_message(&["classic", "herochess", option, &folder.path("")]);
        error_message(&["classic", "herochess", option]);
    }
    error_message(&[
        "classic",
        "herochess",
        "--replay",
        &record,
        "--continue",
        &record,
    ]);
    error_message(&["classic", "herochess", "--level", "0"]);
    error_message(&["classic", "herochess", "--level", "7"]);
    error_message(&["classic", "herochess", "--seed", "x"]);
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let typed = "2\ne2 e4\nn\nd2 d4\nn\nq\nn\n4\n";
    let first = play(&["--seed", "5", "--level", "1"], typed);
    assert_eq!(play(&["--seed", "5", "--level", "1"], typed), first);
    assert!(
        first.contains("Player 2 has chosen an opening: "),
        "{first}"
    );
}

#[test]
fn an_unwritable_folder_is_one_sentence() {
    let folder = Folder::new("herochess-nowhere");
    let nowhere = folder.path("nowhere");
    let said = play(&["--folder", &nowhere], "1\nq\ny\n1\nq\nn\n4\n");
    let expected = format!("Cannot save the replay in {nowhere}: ");
    assert_eq!(said.matches(&expected).count(), 1, "{said}");
    assert_eq!(said.matches("Choose Option: ").count(), 3, "{said}");
}

/// A closed pipe is not an error, a full disk is.
#[cfg(target_os = "linux")]
#[test]
fn closed_pipe_and_full_disk() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = tabiya(&["classic", "herochess"])
        .stdout(writer)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stderr), "");
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = tabiya(&["classic", "herochess"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// A running tournament.
fn running(path: &str) -> Child {
    tabiya(&["classic", "herochess", "--tournament", path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// After a kill, the finished games are kept, and the same command continues.
#[test]
fn a_tournament_survives_being_killed() {
    let folder = Folder::new("herochess-killed");
    let path = folder.path("club.txt");
    for (round, typed) in ["Ann\nBob\nCem\n\n", "", ""].into_iter().enumerate() {
        let mut child = running(&path);
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        write!(stdin, "{typed}{FOOLS_MATE}").unwrap();
        // The standings appear once the result is saved; then the program asks whether to save the game.
        let mut line = String::new();
        while !line.starts_with(&format!("Standings after {} of 3", round + 1)) {
            line.clear();
            assert_ne!(
                stdout.read_line(&mut line).unwrap(),
                0,
                "it ended too early"
            );
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        let table = folder.read("club.txt");
        assert_eq!(table.matches(": 0-1\n").count(), round + 1, "{table}");
        assert_eq!(
            table.matches("to be played\n").count(),
            2 - round,
            "{table}"
        );
        assert_eq!(folder.names(), ["club.txt"]);
    }
    let said = printed(&["classic", "herochess", "--tournament", &path]);
    assert!(said.contains("The tournament is over. Winner: "), "{said}");
    // Only one process can run the tournament.
    let fresh = folder.path("fresh.txt");
    let mut child = running(&fresh);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"Ann\nBob\n\n").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("Game 1 of 1") {
        line.clear();
        assert_ne!(
            stdout.read_line(&mut line).unwrap(),
            0,
            "it ended too early"
        );
    }
    let said = error_message(&["classic", "herochess", "--tournament", &fresh]);
    assert!(said.contains("fresh.txt is in use"), "{said}");
    drop(stdin);
    child.wait().unwrap();
}
