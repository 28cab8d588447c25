//! `tabiya archive`: starts another program.

use std::path::Path;
use std::process::{Command, Output};

use crate::folder::Folder;
use crate::fullscreen::{DOWN, quit};
use crate::terminal::Terminal;
use crate::{tabiya, text};

const TABIYA: &str = env!("CARGO_BIN_EXE_tabiya");

/// Runs `tabiya archive` in a folder where nothing else is. A link to the command, unlike a copy of it, is never busy.
fn lonely(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = command(folder);
    command.env("PATH", "").arg("archive").args(arguments);
    command.output().unwrap()
}

/// The command in a folder of its own, which is its home too.
pub(crate) fn command(folder: &Folder) -> Command {
    let program = folder.path("tabiya");
    if !Path::new(&program).exists() {
        std::fs::hard_link(TABIYA, &program).unwrap();
    }
    let home = folder.path("home");
    let mut command = Command::new(program);
    for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"] {
        command.env(name, &home);
    }
    command
}

/// The command with a stand-in for tabiya-archive beside it; the name of the archive says how it behaves.
pub(crate) fn with_stand_in(folder: &Folder, arguments: &[&str]) -> Command {
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../explorer/tests/fake-archive");
    std::os::unix::fs::symlink(stand_in, folder.path("tabiya-archive")).unwrap();
    let mut command = command(folder);
    command.args(arguments);
    command
}

#[test]
fn missing_program_is_named_with_the_line_that_installs_it() {
    let folder = Folder::new("archive-missing");
    for arguments in [&["info", "games"][..], &["--help"], &[]] {
        let output = lonely(&folder, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            text(&output.stderr),
            "error: tabiya-archive is not installed: cargo install --path crates/archive\n"
        );
    }
}

#[test]
fn missing_sql_program_is_named_with_the_line_that_installs_it() {
    let folder = Folder::new("archive-sql-missing");
    for arguments in [&["sql", "games", "select 1"][..], &["sql", "--help"]] {
        let output = lonely(&folder, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            text(&output.stderr),
            "error: tabiya-sql is not installed: cargo install --locked --path crates/sql\n"
        );
    }
}

#[test]
fn sql_goes_to_the_sql_program() {
    let folder = Folder::new("archive-sql-beside");
    // Any program will do. It knows no command `query`, and says so with the arguments.
    std::os::unix::fs::symlink(TABIYA, folder.path("tabiya-sql")).unwrap();
    let output = lonely(&folder, &["sql", "games", "select 1", "--csv"]);
    let expected = tabiya(&["query", "games", "select 1", "--csv"])
        .output()
        .unwrap();
    // The program calls itself by the name that it was started with.
    let expected_error = text(&expected.stderr).replace("Usage: tabiya ", "Usage: tabiya-sql ");
    assert_eq!(text(&output.stderr), expected_error);
    assert_eq!(output.status.code(), expected.status.code());
    assert!(text(&output.stderr).contains("query"));
}

#[test]
fn program_beside_the_command_gets_all_arguments() {
    let folder = Folder::new("archive-beside");
    // Any program will do: this one, whose answers are known.
    std::os::unix::fs::symlink(TABIYA, folder.path("tabiya-archive")).unwrap();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for arguments in [
        &["why", "e2e5"][..],
        &["board", "--fen", fen],
        &["moves", "g1", "--help"],
        &["--version"],
        &["no", "--such", "-1500"],
    ] {
        let output = lonely(&folder, arguments);
        let expected = tabiya(arguments).output().unwrap();
        assert_eq!(
            text(&output.stdout),
            text(&expected.stdout),
            "{arguments:?}"
        );
        assert_eq!(
            output.status.code(),
            expected.status.code(),
            "{arguments:?}"
        );
    }
}

#[test]
fn an_archive_that_cannot_be_opened_is_said_at_the_start() {
    for (name, archive, expected) in [
        ("none", "games/none", "none is not an archive: build one"),
        (
            "silent",
            "silent",
            "tabiya-archive ended before it answered",
        ),
    ] {
        let folder = Folder::new(&format!("archive-serve-{name}"));
        let arguments = ["serve", "--port", "0", "--no-open", "--archive", archive];
        let output = with_stand_in(&folder, &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr), format!("error: {expected}\n"));
        assert_eq!(text(&output.stdout), "");
    }
    let folder = Folder::new("archive-serve-missing");
    let mut command = command(&folder);
    command
        .env("PATH", "")
        .args(["serve", "--archive", "games"]);
    let error = text(&command.output().unwrap().stderr);
    assert!(
        error.contains("cargo install --path crates/archive"),
        "{error}"
    );
}

#[test]
fn the_analysis_board_needs_a_terminal_and_a_position() {
    let output = tabiya(&["analyse", "--archive", "a/b/c/d/e/f/g/h"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("tabiya archive explore"), "{error}");
    for others in [&["games.pgn"][..], &["--depth", "3"], &["--json"]] {
        let output = tabiya(&[&["analyse", "--archive", "games"], others].concat())
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert!(error.contains("cannot be used with"), "{error}");
    }
}

#[test]
fn the_analysis_board_shows_what_was_played() {
    let folder = Folder::new("archive-analyse");
    let mut command = with_stand_in(&folder, &["analyse", "--archive", "games"]);
    command.env("LC_ALL", "C.UTF-8");
    let mut terminal = Terminal::start_command(command, 100, 32);
    terminal.wait_for_text("1,200");
    let shown = terminal.text();
    for part in ["move", "games", "W%", "Elo", "2345", "2024", "(end)"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    terminal.press("e4\r");
    terminal.wait_for_text("no game has");
    quit(terminal);
}

#[test]
fn the_menu_opens_the_analysis_board_with_the_archive_of_the_settings() {
    let folder = Folder::new("archive-setting");
    let archive = folder.path("games");
    let mut set = with_stand_in(&folder, &["config", "set", "archive", &archive]);
    assert!(set.status().unwrap().success());
    let mut command = command(&folder);
    command.env("LC_ALL", "C.UTF-8");
    let mut terminal = Terminal::start_command(command, 100, 32);
    terminal.wait_for_text("Play the computer");
    for _ in 0..2 {
        terminal.press(DOWN);
    }
    terminal.press("\r");
    terminal.wait_for_text("1,200");
    quit(terminal);
}

#[test]
fn a_game_is_replayed_with_what_was_played() {
    let folder = Folder::new("archive-replay");
    let game = folder.write("game.pgn", "1. e4 e5 1-0\n");
    let mut command = with_stand_in(&folder, &["pgn", "show", &game, "--archive", "once"]);
    command.env("LC_ALL", "C.UTF-8");
    let mut terminal = Terminal::start_command(command, 100, 32);
    // The program ends after its first answer, and is started again by the next question.
    terminal.wait_for_text("before it answered");
    terminal.press("\x1b[C");
    terminal.wait_for_text("no game has");
    quit(terminal);
}
