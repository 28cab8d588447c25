//! Temporary folders for tests.

use std::fs;
use std::path::{Path, PathBuf};

/// A new, empty folder for a test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}
