//! Files that are read, compressed or not, and standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_notation::pgn::decode;

/// The name that stands for standard input.
const STANDARD_INPUT: &str = "-";
/// How much is read of a file at a time.
const CHUNK: usize = 1 << 18;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Packing {
    Zstd,
    Gzip,
    Bzip2,
}

impl Packing {
    /// All of them: the end of a name, and the bytes that such a file starts with.
    const ALL: [(Self, &'static str, &'static [u8]); 3] = [
        (Self::Zstd, "zst", b"\x28\xb5\x2f\xfd"),
        (Self::Gzip, "gz", b"\x1f\x8b"),
        (Self::Bzip2, "bz2", b"BZh"),
    ];

    fn by_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let mut all = Self::ALL.into_iter();
        all.find_map(|(packing, end, _)| extension.eq_ignore_ascii_case(end).then_some(packing))
    }

    fn by_start(bytes: &[u8]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|(packing, _, start)| bytes.starts_with(start).then_some(packing))
    }
}

/// Whether a name promises that its file is compressed.
pub(crate) fn is_packed(path: &Path) -> bool {
    Packing::by_name(path).is_some()
}

pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// How a file is called when there is something to say about it. What else the name may hold, it shall not move the
/// cursor.
pub(crate) fn name(path: &Path) -> String {
    if is_standard_input(path) {
        return "standard input".to_owned();
    }
    path.to_string_lossy()
        .chars()
        .map(|letter| if letter.is_control() { '?' } else { letter })
        .collect()
}

/// A file that cannot be read, or not to its end.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) name: String,
    error: io::Error,
}

impl Unreadable {
    pub(crate) fn new(path: &Path, error: io::Error) -> Self {
        Self {
            name: name(path),
            error,
        }
    }

    /// What is wrong, without the name.
    pub(crate) fn reason(&self) -> String {
        match self.error.kind() {
            io::ErrorKind::UnexpectedEof => {
                "the compressed data break off before their end".to_owned()
            }
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
            _ => self.error.to_string(),
        }
    }
}

impl std::error::Error for Unreadable {}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.name, self.reason())
    }
}

/// The bytes of a file, decompressed.
///
/// Where they cannot be read on, they end, so that what came before is still of use. What was the matter is then told
/// by its [`Failure`].
pub(crate) struct Input {
    bytes: Box<dyn Read + Send>,
    failure: Failure,
}

/// What was wrong with an [`Input`], to be asked when it has ended.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<io::Error>>>);

impl Failure {
    pub(crate) fn is_there(&self) -> bool {
        let failure = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failure.is_some()
    }

    pub(crate) fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Input {
    /// Opens a file, or standard input.
    pub(crate) fn open(path: &Path) -> Result<Self, Unreadable> {
        Self::open_counted(path, &Arc::default())
    }

    /// The same; the number of bytes read of it, before decompression, is added up in `read`.
    pub(crate) fn open_counted(path: &Path, read: &Arc<AtomicU64>) -> Result<Self, Unreadable> {
        Self::unpack(path, read).map_err(|error| Unreadable::new(path, error))
    }

    fn unpack(path: &Path, read: &Arc<AtomicU64>) -> io::Result<Self> {
        let file: Box<dyn Read + Send> = if is_standard_input(path) {
            Box::new(io::stdin())
        } else {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Box::new(file)
        };
        let mut file = Counted {
            bytes: file,
            read: Arc::clone(read),
        };
        let mut start = Vec::new();
        file.by_ref().take(4).read_to_end(&mut start)?;
        let packing = Packing::by_name(path).or_else(|| Packing::by_start(&start));
        let whole = BufReader::with_capacity(CHUNK, Cursor::new(start).chain(file));
        let bytes: Box<dyn Read + Send> = match packing {
            None => Box::new(whole),
            Some(Packing::Zstd) => Box::new(zstd::stream::read::Decoder::with_buffer(whole)?),
            Some(Packing::Gzip) => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
            Some(Packing::Bzip2) => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
        };
        Ok(Self {
            bytes,
            failure: Failure::default(),
        })
    }

    pub(crate) fn failure(&self) -> Failure {
        self.failure.clone()
    }

    /// The first line that is neither blank nor a remark behind a #, and is still read afterwards; empty if there is none.
    pub(crate) fn first_line(&mut self) -> io::Result<String> {
        let mut start = Vec::new();
        let mut line = Vec::new();
        // One byte at a time: whoever types shall not have to type more.
        let mut byte = [0];
        while line.len() < CHUNK && self.read(&mut byte)? > 0 {
            start.extend_from_slice(&byte);
            line.extend_from_slice(&byte);
            if byte == *b"\n" {
                let text = line.trim_ascii();
                if !text.is_empty() && !text.starts_with(b"#") {
                    break;
                }
                line.clear();
            }
        }
        let rest = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(start).chain(rest));
        Ok(decode(&line).trim().to_owned())
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer).or_else(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return Err(error);
            }
            let mut failure = self
                .failure
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error);
            Ok(0)
        })
    }
}

/// All of a file as text, for those who want it at once.
pub(crate) fn read_whole(path: &Path) -> Result<String, Unreadable> {
    let unreadable = |error| Unreadable::new(path, error);
    let mut input = Input::open(path)?;
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(unreadable)?;
    match input.failure().take() {
        Some(error) => Err(unreadable(error)),
        None => Ok(decode(&bytes).into_owned()),
    }
}

/// Counts the bytes that are read.
struct Counted {
    bytes: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The size of all files together; nothing if that cannot be told before they are read.
pub(crate) fn total_size(files: &[PathBuf]) -> Option<u64> {
    let size = |path: &PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        metadata.is_file().then_some(metadata.len())
    };
    files.iter().map(size).sum()
}
