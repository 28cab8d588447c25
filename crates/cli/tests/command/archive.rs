//! `tabiya archive`: starts another program.

use std::path::Path;
use std::process::{Command, Output};

use crate::folder::Folder;
use crate::{tabiya, text};

const TABIYA: &str = env!("CARGO_BIN_EXE_tabiya");

/// Runs `tabiya archive` in a folder where nothing else is. A link to the command, unlike a copy of it, is never busy.
fn lonely(folder: &Folder, arguments: &[&str]) -> Output {
    let program = folder.path("tabiya");
    if !Path::new(&program).exists() {
        std::fs::hard_link(TABIYA, &program).unwrap();
    }
    let mut command = Command::new(program);
    command.env("PATH", "").arg("archive").args(arguments);
    command.output().unwrap()
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
