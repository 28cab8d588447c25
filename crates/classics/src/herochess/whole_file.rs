//! Files that are there as a whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// No file of ours comes near this size.
const LARGEST: u64 = 1 << 26;

/// Reads a file of text.
pub(super) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    file.take(LARGEST).read_to_string(&mut text)?;
    if text.len() as u64 == LARGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(text)
}

/// Makes a file that is not there yet. One that is there stays, and is an error.
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
    let (beside, file) = write_beside(path, text)?;
    drop(file);
    // A second name is given only if there is no such file, which a rename would replace.
    let linked = fs::hard_link(&beside, path);
    let _ = fs::remove_file(&beside);
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // Some file systems have no second names.
            let mut file = File::options().write(true).create_new(true).open(path)?;
            let written = file
                .write_all(text.as_bytes())
                .and_then(|()| file.sync_all());
            if written.is_err() {
                let _ = fs::remove_file(path);
            }
            written
        }
        linked => linked,
    }
}

/// Replaces a file and gives the new one, locked.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<File> {
    let (beside, file) = write_beside(path, text)?;
    if let Ok(metadata) = fs::metadata(path) {
        // Who may read it is the same as before, where that can be set.
        let _ = fs::set_permissions(&beside, metadata.permissions());
    }
    // Where files cannot be locked, nobody else has locked them either.
    let _ = file.try_lock();
    if let Err(error) = fs::rename(&beside, path) {
        let _ = fs::remove_file(&beside);
        return Err(error);
    }
    // The new name, too, should be on the disk; where a folder cannot be opened, the system sees to it.
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(file)
}

/// Writes a temporary file beside the one that is meant.
fn write_beside(path: &Path, text: &str) -> io::Result<(PathBuf, File)> {
    let mut name = OsString::from(".");
    name.push(path.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let mut file = File::create(&beside)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all());
    match written {
        Ok(()) => Ok((beside, file)),
        Err(error) => {
            let _ = fs::remove_file(&beside);
            Err(error)
        }
    }
}
