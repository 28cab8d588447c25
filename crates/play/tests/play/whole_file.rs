//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use tabiya_play::whole_file;

use crate::folder::Folder;

/// What is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_new_file_takes_no_other_ones_place() {
    let folder = Folder::new("whole-create");
    let path = folder.join("a.txt");
    whole_file::create(&path, "first\n").unwrap();
    let error = whole_file::create(&path, "second\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "first\n");
    let error = whole_file::create(&folder.join("no/such.txt"), "").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(whole_file::create(Path::new("/"), "").is_err());
    // Nothing stays beside it.
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[test]
fn a_file_is_replaced_and_locked() {
    let folder = Folder::new("whole-replace");
    let path = folder.join("a.txt");
    for text in ["a long first text\n", "short\n"] {
        let file = whole_file::replace(&path, text).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert!(File::open(&path).unwrap().try_lock().is_err());
        drop(file);
        assert!(File::open(&path).unwrap().try_lock().is_ok());
    }
    // What cannot be replaced stays as it is.
    assert!(whole_file::replace(folder.path(), "").is_err());
    assert!(whole_file::replace(&folder.join("no/such.txt"), "").is_err());
    assert_eq!(names(folder.path()), ["a.txt"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("whole-links");
    let there = folder.join("there");
    fs::create_dir(&there).unwrap();
    let (path, link) = (there.join("a.txt"), folder.join("link"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    whole_file::replace(&link, "new").unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    // A device stays one.
    whole_file::replace(Path::new("/dev/null"), "gone").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn reading_knows_its_bounds() {
    let folder = Folder::new("whole-read");
    let path = folder.join("a.txt");
    fs::write(&path, [b'a', 0xff]).unwrap();
    let open = || File::open(&path).unwrap();
    assert_eq!(whole_file::read(&open()).unwrap(), [b'a', 0xff]);
    let error = whole_file::read_text(&open()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    fs::write(&path, "text").unwrap();
    assert_eq!(whole_file::read_text(&open()).unwrap(), "text");
    File::create(&path).unwrap().set_len(1 << 26).unwrap();
    let error = whole_file::read(&open()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    fs::remove_file(&path).unwrap();
    // Some systems do not open folders at all.
    let read = File::open(folder.path()).and_then(|file| whole_file::read(&file));
    assert!(read.is_err());
}
