//! Files that are written as a whole or not at all, whatever happens meanwhile, and read only if they are files.
//!
//! New content goes to a temporary file in the same folder. Once it is on the disk, the temporary file takes the name
//! of the target.
//!
//! ```
//! let path = std::env::temp_dir().join(format!("example-{}.txt", std::process::id()));
//! tabiya_files::create_new(&path, "one\n")?;
//! assert!(tabiya_files::create_new(&path, "two\n").is_err());
//! tabiya_files::replace(&path, "three\n")?;
//! assert_eq!(std::fs::read_to_string(&path)?, "three\n");
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// More than any record, table, network or settings file needs.
const MAX_SIZE: u64 = 1 << 26;

/// Opens a file for reading. Anything else is an error: a folder, a pipe that may never be written to, a device that
/// never ends.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe would wait for a writer, so this cannot be asked of the open file.
    check_is_file(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    check_is_file(&file.metadata()?)?;
    Ok(file)
}

fn check_is_file(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"))
    }
}

/// Adds a number to the name of a file: `graph-3.svg`.
///
/// ```
/// use std::path::Path;
///
/// for (path, numbered) in [("graph.svg", "graph-3.svg"), ("a.b/graph", "a.b/graph-3"), ("x/.svg", "x/.svg-3")] {
///     assert_eq!(tabiya_files::numbered(Path::new(path), 3), Path::new(numbered));
/// }
/// ```
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut file = path.file_stem().unwrap_or_default().to_owned();
    file.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        file.push(".");
        file.push(extension);
    }
    path.with_file_name(file)
}

/// Reads a whole open file. Anything but a file is an error, and so is a file of 64 MiB or more.
pub fn read(file: &File) -> io::Result<Vec<u8>> {
    check_is_file(&file.metadata()?)?;
    let mut bytes = Vec::new();
    file.take(MAX_SIZE).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == MAX_SIZE {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Reads a whole open text file. Text that is not UTF-8 is an error.
pub fn read_text(file: &File) -> io::Result<String> {
    io::read_to_string(&read(file)?[..])
}

/// Creates a file. If it exists, it stays as it is, and the error is `AlreadyExists`.
pub fn create_new(path: &Path, text: &str) -> io::Result<()> {
    let mut new = AtomicFile::create(path)?;
    new.write_all(text.as_bytes())?;
    new.sync()?;
    // Unlike a rename, a hard link never replaces a file.
    match fs::hard_link(&new.temporary.0, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // Some file systems have no hard links.
            let mut file = File::options().write(true).create_new(true).open(path)?;
            append(&mut file, text).inspect_err(|_| {
                let _ = fs::remove_file(path);
            })?;
        }
        linked => linked?,
    }
    drop(new);
    sync_folder(path);
    Ok(())
}

/// Replaces the content of a file, which need not exist, and returns the new file, locked.
///
/// A symbolic link stays: the file it points to is replaced. Text for a device or a pipe is appended.
pub fn replace(path: &Path, text: &str) -> io::Result<File> {
    match OutputFile::open(path)? {
        OutputFile::Device(mut file) => {
            append(&mut file, text)?;
            Ok(file)
        }
        OutputFile::File(mut new) => {
            new.write_all(text.as_bytes())?;
            // If the file system has no locks, no other process holds one either.
            let _ = new.file.get_ref().try_lock();
            new.commit()
        }
    }
}

/// What a path stands for that output goes to: a file to replace, or a device or pipe, which cannot be replaced.
pub enum OutputFile {
    /// A device or a pipe.
    Device(File),
    /// The new content of a file, which need not exist.
    File(AtomicFile),
}

impl OutputFile {
    /// Opens a path for output. A symbolic link stays: the file it points to is replaced.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(path) {
            Ok(old) if old.is_dir() => Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a directory",
            )),
            Ok(old) if !old.is_file() => Ok(Self::Device(File::options().append(true).open(path)?)),
            _ => Ok(Self::File(AtomicFile::create(path)?)),
        }
    }

    /// Completes the file, if it is one: from now on it has the new content.
    pub fn commit(self) -> io::Result<()> {
        match self {
            Self::Device(_) => Ok(()),
            Self::File(file) => file.commit().map(drop),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Device(file) => file.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Device(file) => file.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// Appends text to a file and waits until it is on the disk.
pub fn append(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    match file.sync_data() {
        // Devices cannot be synced.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// Waits until the name of a new file is on the disk, on systems that let a program open a folder.
pub fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

/// A file that replaces another one when it is committed. Dropped before that, it leaves nothing behind.
///
/// ```
/// use std::io::Write;
/// use tabiya_files::AtomicFile;
///
/// let path = std::env::temp_dir().join(format!("example-{}.pgn", std::process::id()));
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "1. e4 *")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "1. e4 *\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct AtomicFile {
    file: BufWriter<File>,
    temporary: TemporaryFile,
    target: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file for a target, with the target's permissions if it exists.
    pub fn create(target: &Path) -> io::Result<Self> {
        let path = temporary_path(target)?;
        // Only a process that crashed can have left a file of this name.
        let _ = fs::remove_file(&path);
        let file = File::options().write(true).create_new(true).open(&path)?;
        if let Ok(old) = fs::metadata(target) {
            let _ = fs::set_permissions(&path, old.permissions());
        }
        Ok(Self {
            file: BufWriter::with_capacity(1 << 16, file),
            temporary: TemporaryFile(path),
            target: target.to_owned(),
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }

    /// The file that will be replaced or created.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary file: `.NAME.PID.tmp` in the folder of the target.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary.0
    }

    /// Replaces the target and returns the open file.
    pub fn commit(mut self) -> io::Result<File> {
        // A crash after a rename without a sync could leave an empty file.
        self.sync()?;
        fs::rename(&self.temporary.0, &self.target)?;
        sync_folder(&self.target);
        self.file.into_inner().map_err(io::Error::from)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn temporary_path(target: &Path) -> io::Result<PathBuf> {
    let mut name = OsString::from(".");
    name.push(target.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
    name.push(format!(".{}.tmp", std::process::id()));
    Ok(target.with_file_name(name))
}

/// A path that is removed when dropped. After a rename nothing is there to remove.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
