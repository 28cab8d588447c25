//! The archive that most tests ask, and ways to run the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

pub(crate) use crate::fixtures::{Folder, add_to_archive, build_archive, files};

/// The program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tabiya-sql");

/// The games of the examples.
pub(crate) fn league_pgn() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/league.pgn")
}

/// The archive of them, built once for all tests.
pub(crate) fn league() -> &'static str {
    static ARCHIVE: LazyLock<String> = LazyLock::new(|| {
        let name = format!("league-{}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        build_archive(&folder, &[league_pgn()]);
        folder.to_str().unwrap().to_owned()
    });
    &ARCHIVE
}

/// `tabiya archive sql`.
pub(crate) fn sql(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("query").args(arguments);
    command
}

/// What a query over the games of the examples prints.
pub(crate) fn ask(query: &str, options: &[&str]) -> String {
    let arguments = [&[league(), query], options].concat();
    answer(&sql(&arguments).output().unwrap())
}

/// What a query prints that succeeds.
pub(crate) fn answer(output: &Output) -> String {
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{errors}");
    text(&output.stdout)
}

/// The error of a query that fails, in one line.
pub(crate) fn failure(output: &Output) -> String {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(text(&output.stdout), "");
    let line = errors
        .strip_prefix("error: ")
        .unwrap_or_else(|| panic!("{errors}"));
    let line = line.strip_suffix('\n').unwrap();
    assert!(!line.contains('\n'), "{errors}");
    line.to_owned()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
