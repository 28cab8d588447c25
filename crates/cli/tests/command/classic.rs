//! The five small programs.

mod analysis;
mod checker;
mod chessmaster;
mod chessmoves;
mod herochess;

use crate::folder::Folder;
use crate::{printed, tabiya, text};

/// Runs the examples of a program's help in a shell.
#[cfg(unix)]
fn check_examples(program: &str, folder: &Folder) {
    use std::process::Command;

    let help = printed(&["classic", program, "--help"]);
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    let tabiya = tabiya(&[]);
    for example in examples.lines() {
        let line = example.replace("tabiya", "\"$TABIYA\"");
        let output = Command::new("sh")
            .args(["-c", &line])
            .env("TABIYA", tabiya.get_program())
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        assert!(output.status.success(), "{example}: {output:?}");
        assert_eq!(text(&output.stderr), "", "{example}");
    }
}
