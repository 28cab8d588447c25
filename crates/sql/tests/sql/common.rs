//! Folders that go away, the archive that most tests ask, and ways to run the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tabiya_archive::{BuildOptions, add, build};

/// The program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tabiya-sql");

/// A folder for temporary files, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tabiya-sql-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

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

fn options(folder: &Path, inputs: &[PathBuf]) -> BuildOptions {
    BuildOptions {
        folder: folder.to_owned(),
        inputs: inputs.to_vec(),
        memory: 128_000_000,
        threads: 2,
    }
}

pub(crate) fn build_archive(folder: &Path, inputs: &[PathBuf]) {
    build(&options(folder, inputs), &mut |_| {}).unwrap();
}

pub(crate) fn add_to_archive(folder: &Path, inputs: &[PathBuf]) {
    add(&options(folder, inputs), &mut |_| {}).unwrap();
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
