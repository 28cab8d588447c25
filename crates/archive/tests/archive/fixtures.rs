//! Folders that go away, and archives in them. The tests of `crates/sql` use this file, too.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tabiya_archive::{Archive, BuildOptions, BuildSummary, add, build};

/// A folder for temporary files, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (package, process) = (env!("CARGO_PKG_NAME"), std::process::id());
        let path = std::env::temp_dir().join(format!("{package}-test-{process}-{number}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn options(folder: &Path, inputs: &[PathBuf]) -> BuildOptions {
    BuildOptions {
        folder: folder.to_owned(),
        inputs: inputs.to_vec(),
        memory: 128_000_000,
        threads: 2,
    }
}

pub(crate) fn build_archive(folder: &Path, inputs: &[PathBuf]) -> (BuildSummary, Archive) {
    let built = build(&options(folder, inputs), &mut |_| {}).unwrap();
    (built, Archive::open(folder).unwrap())
}

pub(crate) fn add_to_archive(folder: &Path, inputs: &[PathBuf]) -> (BuildSummary, Archive) {
    let built = add(&options(folder, inputs), &mut |_| {}).unwrap();
    (built, Archive::open(folder).unwrap())
}

/// All files below a folder, with their content, in order.
pub(crate) fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
