//! `tabiya config`, `tabiya completions` and `tabiya man`.

use std::fs;
use std::process::{Command, Output};

use crate::folder::Folder;
use crate::{error_message, printed, tabiya, text};

fn config(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = tabiya(&[&["config"], arguments].concat());
    command.env("XDG_CONFIG_HOME", folder.path(""));
    command.output().expect("the program starts")
}

#[track_caller]
fn shown(folder: &Folder, arguments: &[&str]) -> String {
    let output = config(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text(&output.stdout)
}

#[test]
fn settings_are_kept() {
    let folder = Folder::new("config");
    let list = shown(&folder, &[]);
    assert!(list.contains("level     3"), "{list}");
    assert_eq!(shown(&folder, &["set", "level", "5"]), "");
    assert_eq!(shown(&folder, &["set", "name", "Ann Lee"]), "");
    assert_eq!(shown(&folder, &["get", "level"]), "5\n");
    assert_eq!(shown(&folder, &["get", "name"]), "Ann Lee\n");
    let path = shown(&folder, &["path"]);
    assert_eq!(path, format!("{}tabiya/config.toml\n", folder.path("")));
    let text = fs::read_to_string(path.trim_end()).unwrap();
    assert_eq!(text, "level = 5\nname = \"Ann Lee\"\n");
    // A game uses them.
    let mut play = tabiya(&["play"]);
    play.env("XDG_CONFIG_HOME", folder.path(""))
        .env("XDG_DATA_HOME", folder.path(""));
    let output = play.output().unwrap();
    let played = crate::text(&output.stdout);
    assert_eq!(
        played,
        format!(
            "White: Ann Lee\nBlack: Tabiya, {}\n",
            tabiya_play::Level::ALL[4]
        )
    );
    assert_eq!(shown(&folder, &["unset", "level"]), "");
    assert_eq!(shown(&folder, &["get", "level"]), "3\n");
}

#[test]
fn wide_letters_keep_columns_aligned() {
    let folder = Folder::new("config-wide");
    shown(&folder, &["set", "name", "王皓"]);
    let list = shown(&folder, &[]);
    // Two wide letters take four columns; the longest value has seven letters.
    assert!(list.contains("name      王皓     your name"), "{list}");
    assert!(list.contains("pieces    figures  how"), "{list}");
}

#[test]
fn wrong_settings_are_errors() {
    let folder = Folder::new("config-wrong");
    for (arguments, problem) in [
        (
            &["set", "speed", "3"][..],
            "there is no setting \"speed\"; the settings are name, level",
        ),
        (&["get", "speed"], "there is no setting \"speed\""),
        (&["unset", "speed"], "there is no setting \"speed\""),
        (
            &["set", "level", "11"],
            "invalid value \"11\" for level: use a number from 1 to 10",
        ),
        (&["set", "clock", "-1"], "invalid value \"-1\" for clock"),
    ] {
        let output = config(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(
            said.starts_with("error: ") && said.contains(problem),
            "{said}"
        );
    }
    let path = shown(&folder, &["path"]);
    fs::create_dir_all(folder.path("tabiya")).unwrap();
    for (content, problem) in [
        ("level = = 3\n", "is not valid TOML"),
        ("level = \"high\"\n", "invalid value \"high\" for level"),
        ("speed = 3\n", "unknown setting \"speed\" ignored"),
    ] {
        fs::write(path.trim_end(), content).unwrap();
        let said = text(&config(&folder, &[]).stderr);
        assert!(said.contains(problem), "{said}");
    }
    // The way out that the message names.
    fs::write(path.trim_end(), "level = \"high\"\n").unwrap();
    shown(&folder, &["unset", "level"]);
    assert_eq!(shown(&folder, &["get", "level"]), "3\n");
}

/// Lets a shell parse its completions, if it is installed.
fn check_by_shell(shell: &str, script: &str) {
    let folder = Folder::new(&format!("completions-{shell}"));
    let file = folder.write("script", script);
    if let Ok(output) = Command::new(shell).args(["-n", &file]).output() {
        assert!(output.status.success(), "{shell}: {output:?}");
    }
}

#[test]
fn shells_accept_their_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("resume"), "{shell}");
        if ["bash", "zsh", "fish"].contains(&shell) {
            check_by_shell(shell, &script);
        }
    }
    assert!(error_message(&["completions", "tcsh"]).contains("possible values: bash"));
}

#[test]
fn manual_pages() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH tabiya 1"), "{page}");
    let folder = Folder::new("man");
    assert_eq!(printed(&["man", "--dir", &folder.path("man1")]), "");
    let said = error_message(&["man", "--dir", &folder.write("file", "")]);
    assert!(said.contains("it is not a folder"), "{said}");
    let pages = fs::read_dir(folder.path("man1")).unwrap();
    let mut names = Vec::new();
    for entry in pages {
        let entry = entry.unwrap();
        let page = fs::read_to_string(entry.path()).unwrap();
        assert!(!page.contains('\u{1b}'), "{:?}", entry.path());
        names.push(entry.file_name().into_string().unwrap());
    }
    for name in [
        "tabiya.1",
        "tabiya-play.1",
        "tabiya-config.1",
        "tabiya-pgn-check.1",
    ] {
        assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
    }
}
