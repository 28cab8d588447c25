//! Files are written as a whole or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tabiya_files::OutputFile;

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tabiya-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn create_new_never_replaces_a_file() {
    let folder = Folder::new("whole-create");
    let path = folder.join("a.txt");
    tabiya_files::create_new(&path, "first\n").unwrap();
    let error = tabiya_files::create_new(&path, "second\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "first\n");
    let error = tabiya_files::create_new(&folder.join("no/such.txt"), "").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(tabiya_files::create_new(Path::new("/"), "").is_err());
    // No temporary file is left.
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn replace_returns_the_new_file_locked() {
    let folder = Folder::new("whole-replace");
    let path = folder.join("a.txt");
    for text in ["a long first text\n", "short\n"] {
        let file = tabiya_files::replace(&path, text).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert!(File::open(&path).unwrap().try_lock().is_err());
        drop(file);
        assert!(File::open(&path).unwrap().try_lock().is_ok());
    }
    assert!(tabiya_files::replace(folder.path(), "").is_err());
    assert!(tabiya_files::replace(&folder.join("no/such.txt"), "").is_err());
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[cfg(unix)]
#[test]
fn replace_keeps_links_permissions_and_devices() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("whole-links");
    let there = folder.join("there");
    fs::create_dir(&there).unwrap();
    let (path, link) = (there.join("a.txt"), folder.join("link"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    tabiya_files::replace(&link, "new").unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    tabiya_files::replace(Path::new("/dev/null"), "gone").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn read_refuses_folders_and_huge_files() {
    let folder = Folder::new("whole-read");
    let path = folder.join("a.txt");
    fs::write(&path, [b'a', 0xff]).unwrap();
    let open = || File::open(&path).unwrap();
    assert_eq!(tabiya_files::read(&open()).unwrap(), [b'a', 0xff]);
    let error = tabiya_files::read_text(&open()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    fs::write(&path, "text").unwrap();
    assert_eq!(tabiya_files::read_text(&open()).unwrap(), "text");
    File::create(&path).unwrap().set_len(1 << 26).unwrap();
    let error = tabiya_files::read(&open()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    fs::remove_file(&path).unwrap();
    // Some systems do not open folders at all.
    let read = File::open(folder.path()).and_then(|file| tabiya_files::read(&file));
    assert!(read.is_err());
}

/// Output replaces a file, also behind a link, and goes to a device as it is written.
#[cfg(unix)]
#[test]
fn output_replaces_files_only() {
    let folder = Folder::new("output");
    let (file, link) = (folder.join("file"), folder.join("link"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let mut output = OutputFile::open(&link).unwrap();
    output.write_all(b"new").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"old");
    output.commit().unwrap();
    assert_eq!(fs::read(&link).unwrap(), b"new");
    assert!(link.is_symlink());

    let mut device = OutputFile::open(Path::new("/dev/null")).unwrap();
    assert!(matches!(device, OutputFile::Device(_)));
    device.write_all(b"text").unwrap();
    device.commit().unwrap();

    let Err(error) = OutputFile::open(folder.path()) else {
        panic!("a folder was opened");
    };
    assert_eq!(error.to_string(), "it is a directory");
}

/// A pipe may never be written to, and a device may never end.
#[cfg(unix)]
#[test]
fn only_files_are_opened() {
    let folder = Folder::new("only-files");
    let (file, pipe, link) = (
        folder.join("file"),
        folder.join("pipe"),
        folder.join("link"),
    );
    fs::write(&file, "text").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for path in [&file, &link] {
        let open = tabiya_files::open(path).unwrap();
        assert_eq!(tabiya_files::read_text(&open).unwrap(), "text");
    }
    for path in [&pipe, Path::new("/dev/zero")] {
        let error = tabiya_files::open(path).unwrap_err();
        assert_eq!(error.to_string(), "not a file", "{}", path.display());
    }
    let error = tabiya_files::open(folder.path()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IsADirectory);
    let error = tabiya_files::open(&folder.join("nothing")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    // An open device can still not be read.
    let zeros = File::open("/dev/zero").unwrap();
    assert!(tabiya_files::read(&zeros).is_err());
}
