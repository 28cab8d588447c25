//! Files that are there as a whole or not at all, whatever happens while they are written.
//!
//! What is new is written to a temporary file beside the one that is meant, which gets the name when all of it is on the
//! disk.
//!
//! ```
//! use tabiya_play::whole_file;
//!
//! let path = std::env::temp_dir().join(format!("example-{}.txt", std::process::id()));
//! whole_file::create(&path, "one\n")?;
//! assert!(whole_file::create(&path, "two\n").is_err());
//! whole_file::replace(&path, "three\n")?;
//! assert_eq!(std::fs::read_to_string(&path)?, "three\n");
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// No file of ours comes near this size.
const LARGEST: u64 = 1 << 26;

/// All that is in a file. A folder is an error, and so is a file that is larger than any of ours.
pub fn read(file: &File) -> io::Result<Vec<u8>> {
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == LARGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// The same for a file of text.
pub fn read_text(file: &File) -> io::Result<String> {
    io::read_to_string(&read(file)?[..])
}

/// Makes a file that is not there yet. One that is there stays, and is an error.
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    let (beside, _) = write_beside(path, text)?;
    // A second name is given only if there is no such file, which a rename would replace.
    match fs::hard_link(&beside.0, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // Some file systems have no second names.
            let mut file = File::options().write(true).create_new(true).open(path)?;
            append(&mut file, text).inspect_err(|_| {
                let _ = fs::remove_file(path);
            })?;
        }
        linked => linked?,
    }
    drop(beside);
    sync_folder(path);
    Ok(())
}

/// Puts a text into the place of a file, which need not be there, and gives the new one. It is locked.
pub fn replace(path: &Path, text: &str) -> io::Result<File> {
    // Through a link to the file that it means, which is the one to replace.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // Nothing can take the place of a device.
        let mut file = File::options().append(true).open(path)?;
        append(&mut file, text)?;
        return Ok(file);
    }
    let (beside, file) = write_beside(path, text)?;
    if let Some(old) = old {
        // Who may read it is the same as before, where that can be set.
        let _ = fs::set_permissions(&beside.0, old.permissions());
    }
    // Where files cannot be locked, nobody else has locked them either.
    let _ = file.try_lock();
    fs::rename(&beside.0, path)?;
    sync_folder(path);
    Ok(file)
}

/// The name of a temporary file, which is gone in the end: removed, or renamed before.
struct Beside(PathBuf);

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes a temporary file beside the one that is meant.
fn write_beside(path: &Path, text: &str) -> io::Result<(Beside, File)> {
    let mut name = OsString::from(".");
    name.push(path.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = Beside(path.with_file_name(name));
    let mut file = File::create(&beside.0)?;
    append(&mut file, text)?;
    Ok((beside, file))
}

/// Writes a text to the end of a file, and waits until it is on the disk.
pub(crate) fn append(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    match file.sync_data() {
        // Devices have nothing to wait for.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// A new name, too, should be on the disk; where a folder cannot be opened, the system sees to it.
pub(crate) fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}
