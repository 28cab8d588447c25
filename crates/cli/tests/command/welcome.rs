//! `tabiya` alone, help and version.

use crate::{printed, tabiya, text};

#[test]
fn a_newcomer_sees_a_board_and_the_commands() {
    let printed = printed(&[]);
    assert!(printed.contains("8  r n b q k b n r"), "{printed}");
    for command in ["board", "moves", "why", "perft"] {
        assert!(printed.contains(&format!("\n  {command}")), "{printed}");
    }
    assert!(printed.contains("\n  tabiya why e2e5\n"), "{printed}");
    assert!(!printed.contains('\u{1b}'), "{printed}");
}

#[test]
fn under_cargo_the_examples_are_for_cargo() {
    let output = tabiya(&[]).env("CARGO", "/usr/bin/cargo").output().unwrap();
    let printed = text(&output.stdout);
    assert!(
        printed.contains("\n  cargo run --release -- why e2e5\n"),
        "{printed}"
    );
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [&[][..], &["board"], &["moves"], &["why"], &["perft"]] {
        for flag in ["--help", "-h"] {
            let printed = printed(&[command, &[flag]].concat());
            assert!(printed.contains("Usage: tabiya"), "{printed}");
            assert!(printed.contains("Examples:\n  tabiya "), "{printed}");
            assert!(!printed.contains('\u{1b}'), "{printed}");
        }
    }
}

/// The examples of the help pages are run as they stand, but for `jq` and `wc`.
#[test]
fn the_examples_work() {
    for command in ["board", "moves", "why", "perft"] {
        let help = printed(&[command, "--help"]);
        let (_, examples) = help.split_once("Examples:\n").unwrap();
        for example in examples.lines() {
            let line = example.split('|').next().unwrap().trim();
            // A debug build counts slowly.
            let line = line
                .replace("perft 7", "perft 3")
                .replace("perft 6", "perft 3");
            let mut arguments = Vec::new();
            for (i, part) in line.split('"').enumerate() {
                match i % 2 {
                    0 => arguments.extend(part.split_whitespace()),
                    _ => arguments.push(part),
                }
            }
            let output = tabiya(&arguments[1..]).output().unwrap();
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1)), "{line}: {output:?}");
            assert!(output.stderr.is_empty(), "{line}: {output:?}");
        }
    }
}

#[test]
fn version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(printed(&["--version"]), format!("tabiya {version}\n"));
}

#[test]
fn help_obeys_the_colour_option() {
    assert!(printed(&["--color", "always", "--help"]).contains('\u{1b}'));
    assert!(!printed(&["--color=never", "why", "--help"]).contains('\u{1b}'));
}
