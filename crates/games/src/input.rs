//! Opening files, compressed or not, and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_notation::pgn::decode;
use tabiya_notation::printable;
use thiserror::Error;

use crate::encoding::{Decoder, Encoding, EncodingSlot};

/// The name that stands for standard input.
const STANDARD_INPUT: &str = "-";
/// Files are read in pieces of this many bytes.
const CHUNK: usize = 1 << 18;
/// The most bytes of a text that is read as a whole, decompressed.
const MAX_TEXT: u64 = 256_000_000;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compression {
    Zstd,
    Gzip,
    Bzip2,
}

impl Compression {
    /// Each with its file extension and the bytes that such a file starts with.
    const ALL: [(Self, &'static str, &'static [u8]); 3] = [
        (Self::Zstd, "zst", b"\x28\xb5\x2f\xfd"),
        (Self::Gzip, "gz", b"\x1f\x8b"),
        (Self::Bzip2, "bz2", b"BZh"),
    ];

    fn by_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let mut all = Self::ALL.into_iter();
        all.find_map(|(compression, end, _)| {
            extension.eq_ignore_ascii_case(end).then_some(compression)
        })
    }

    fn by_start(bytes: &[u8]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|(compression, _, start)| bytes.starts_with(start).then_some(compression))
    }
}

/// Returns whether a file is compressed, by its name.
pub fn is_compressed(path: &Path) -> bool {
    Compression::by_name(path).is_some()
}

/// Returns whether a path is `-`, which stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// Returns the name of a file for a message, without characters that could move the cursor of a terminal.
pub fn display_name(path: &Path) -> String {
    if is_standard_input(path) {
        return "standard input".to_owned();
    }
    printable(&path.to_string_lossy())
}

/// A file cannot be read, or not to its end.
#[derive(Debug, Error)]
#[error("cannot read {name}: {}", self.reason())]
pub struct InputError {
    /// The name of the file, as [`display_name`] gives it.
    pub name: String,
    /// The cause. Not the `source` of the error, which would be printed after the message that contains it.
    cause: io::Error,
}

impl InputError {
    /// An error of a file.
    pub fn new(path: &Path, cause: io::Error) -> Self {
        Self {
            name: display_name(path),
            cause,
        }
    }

    /// Returns the reason, without the name of the file.
    pub fn reason(&self) -> String {
        match self.cause.kind() {
            io::ErrorKind::UnexpectedEof => {
                "the compressed data is incomplete: the file may be cut off".to_owned()
            }
            io::ErrorKind::NotFound => "no such file".to_owned(),
            io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
            _ => self.cause.to_string(),
        }
    }
}

/// The bytes of a file, decompressed, and decoded if it is UTF-16.
///
/// A file that is damaged in the middle ends there, so that everything before the damage can still be used. Ask
/// [`error`](Self::error) at the end.
pub struct Input {
    bytes: Box<dyn Read + Send>,
    error: ReadErrorSlot,
    encoding: EncodingSlot,
}

/// The error that ended an [`Input`] early, if there was one. Stays valid when the input is moved into a reader.
#[derive(Clone, Default, Debug)]
pub struct ReadErrorSlot(Arc<Mutex<Option<io::Error>>>);

impl ReadErrorSlot {
    /// Returns whether there was an error.
    pub fn is_some(&self) -> bool {
        let error = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        error.is_some()
    }

    /// Takes the error.
    pub fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Input {
    /// Opens a file, or standard input.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        Self::open_counted(path, &Arc::default())
    }

    /// Opens a file, or standard input, and adds the number of bytes read to a counter, before decompression.
    pub fn open_counted(path: &Path, bytes_read: &Arc<AtomicU64>) -> Result<Self, InputError> {
        Self::decompress(path, bytes_read).map_err(|error| InputError::new(path, error))
    }

    fn decompress(path: &Path, bytes_read: &Arc<AtomicU64>) -> io::Result<Self> {
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
            bytes_read: Arc::clone(bytes_read),
        };
        let mut start = Vec::new();
        file.by_ref().take(4).read_to_end(&mut start)?;
        let compression = Compression::by_name(path).or_else(|| Compression::by_start(&start));
        let whole = BufReader::with_capacity(CHUNK, Cursor::new(start).chain(file));
        let bytes: Box<dyn Read + Send> = match compression {
            None => Box::new(whole),
            Some(Compression::Zstd) => Box::new(zstd::stream::read::Decoder::with_buffer(whole)?),
            Some(Compression::Gzip) => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
            Some(Compression::Bzip2) => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
        };
        let encoding = EncodingSlot::default();
        Ok(Self {
            bytes: Box::new(Decoder::new(bytes, encoding.clone())),
            error: ReadErrorSlot::default(),
            encoding,
        })
    }

    /// Returns where to find the error that ends this input early.
    pub fn error(&self) -> ReadErrorSlot {
        self.error.clone()
    }

    /// Reads enough of the file to know its encoding.
    pub fn known_encoding(&mut self) -> io::Result<Encoding> {
        // Reading nothing finds the encoding first.
        let count = self.read(&mut [])?;
        debug_assert_eq!(count, 0);
        Ok(self.encoding.get())
    }

    pub(crate) fn encoding_slot(&self) -> EncodingSlot {
        self.encoding.clone()
    }

    /// Returns the first line that is neither blank nor a comment after a `#`; empty if there is none. The line is
    /// not consumed.
    pub fn peek_line(&mut self) -> io::Result<String> {
        let mut start = Vec::new();
        let mut line = Vec::new();
        // Byte by byte: a person who types should not have to type more than the line.
        let mut byte = [0];
        while start.len() < CHUNK && self.read(&mut byte)? > 0 {
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
            let mut first = self.error.0.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
            Ok(0)
        })
    }
}

/// Reads a whole file as text, decompressed.
pub fn read_text(path: &Path) -> Result<String, InputError> {
    let error = |error| InputError::new(path, error);
    let mut input = Input::open(path)?;
    let mut bytes = Vec::new();
    let mut start = input.by_ref().take(MAX_TEXT + 1);
    start.read_to_end(&mut bytes).map_err(error)?;
    if bytes.len() as u64 > MAX_TEXT {
        let reason = format!("it is larger than {} MB", MAX_TEXT / 1_000_000);
        return Err(error(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
    }
    match input.error().take() {
        Some(source) => Err(error(source)),
        None => Ok(decode(&bytes).into_owned()),
    }
}

/// The most bytes of a line with a position.
pub const MAX_LINE: usize = 1_000_000;

/// Reads a size in bytes, such as `500kB`, `64MB` or `2GB`.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kb" => Some(1_000),
        "m" | "mb" => Some(1_000_000),
        "g" | "gb" => Some(1_000_000_000),
        _ => None,
    };
    let size = number.parse().ok().zip(factor);
    size.and_then(|(number, factor): (usize, usize)| number.checked_mul(factor))
        .filter(|&size| size > 0)
        .ok_or_else(|| "use a size such as 500kB, 64MB or 2GB".to_owned())
}

/// Reads the next line into `line`, with its line break; `None` at the end. Of a line longer than `limit` only that many
/// bytes are kept, and the answer is false.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    limit: usize,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    let read = read_line_start(input, limit, line)?;
    if read == Some(false) {
        read_line_rest(input, |_| Ok::<_, io::Error>(()))?;
    }
    Ok(read)
}

/// Reads the next line as [`read_line`] does. What is longer than the limit remains to be read by [`read_line_rest`].
pub(crate) fn read_line_start(
    input: &mut impl BufRead,
    limit: usize,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    loop {
        let (piece, is_end) = next_piece(input)?;
        let length = piece.len();
        let kept = length.min(limit.saturating_sub(line.len()));
        line.extend_from_slice(&piece[..kept]);
        input.consume(kept);
        if kept < length {
            return Ok(Some(false));
        }
        if is_end {
            return Ok((!line.is_empty()).then_some(true));
        }
    }
}

/// Reads the rest of a line, with its line break, piece by piece.
pub(crate) fn read_line_rest<E: From<io::Error>>(
    input: &mut impl BufRead,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    loop {
        let (piece, is_end) = next_piece(input)?;
        let length = piece.len();
        take(piece)?;
        input.consume(length);
        if is_end {
            return Ok(());
        }
    }
}

/// Returns the next bytes of a line without consuming them, and whether the line ends with them.
fn next_piece(input: &mut impl BufRead) -> io::Result<(&[u8], bool)> {
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let bytes = input.fill_buf()?;
    let end = memchr::memchr(b'\n', bytes);
    Ok((
        &bytes[..end.map_or(bytes.len(), |end| end + 1)],
        end.is_some() || bytes.is_empty(),
    ))
}

/// Counts the bytes that are read.
struct Counted {
    bytes: Box<dyn Read + Send>,
    bytes_read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Returns the total size of files; `None` if one of them is not a regular file, such as standard input.
pub fn total_size(files: &[PathBuf]) -> Option<u64> {
    let size = |path: &PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        metadata.is_file().then_some(metadata.len())
    };
    files.iter().map(size).sum()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A file in the system's folder for temporary files, removed at the end.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str, bytes: &[u8]) -> Self {
            let name = format!("tabiya-games-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::write(&path, bytes).unwrap();
            Self(path)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    const TEXT: &str = "1. e4 e5 *\n";

    fn gzip(text: &str) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(text.as_bytes()).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn compressed_files_are_known_by_name_or_content() {
        let zstd = zstd::encode_all(TEXT.as_bytes(), 1).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(TEXT.as_bytes()).unwrap();
        let bzip2 = bzip2.finish().unwrap();
        let gzip = gzip(TEXT);
        for (name, bytes) in [
            ("plain.pgn", TEXT.as_bytes()),
            ("a.pgn.zst", &zstd),
            ("b.pgn.gz", &gzip),
            ("c.pgn.bz2", &bzip2),
            ("zst", &zstd),
            ("gz", &gzip),
            ("bz2", &bzip2),
        ] {
            let file = Temporary::new(name, bytes);
            assert_eq!(read_text(&file.0).unwrap(), TEXT, "{name}");
        }
        assert!(is_compressed(Path::new("a.PGN.GZ")));
        assert!(!is_compressed(Path::new("a.pgn")));
    }

    #[test]
    fn data_before_the_damage_is_read() {
        let text = TEXT.repeat(10_000);
        let bytes = gzip(&text);
        let file = Temporary::new("cut.pgn.gz", &bytes[..bytes.len() / 2]);
        let mut input = Input::open(&file.0).unwrap();
        let mut read = String::new();
        input.read_to_string(&mut read).unwrap();
        assert!(text.starts_with(&read) && !read.is_empty());
        assert!(input.error().is_some());
        let error = read_text(&file.0).unwrap_err();
        assert!(error.to_string().ends_with("the file may be cut off"));
    }

    #[test]
    fn missing_files_and_directories_are_errors() {
        let error = Input::open(Path::new("no/such.pgn")).err().unwrap();
        assert_eq!(error.to_string(), "cannot read no/such.pgn: no such file");
        let error = Input::open(&std::env::temp_dir()).err().unwrap();
        assert_eq!(error.reason(), "it is a directory");
        // The command prints an error with its sources: the message contains them.
        assert!(std::error::Error::source(&error).is_none());
    }

    #[test]
    fn peeked_line_is_read_again() {
        let file = Temporary::new("peek", b"\n# comment\n  first \nsecond\n");
        let mut input = Input::open(&file.0).unwrap();
        assert_eq!(input.peek_line().unwrap(), "first");
        let mut all = String::new();
        input.read_to_string(&mut all).unwrap();
        assert_eq!(all, "\n# comment\n  first \nsecond\n");
    }

    #[test]
    fn sizes_have_units() {
        for (text, size) in [
            ("1", 1),
            ("500kB", 500_000),
            ("64 MB", 64_000_000),
            ("2g", 2_000_000_000),
        ] {
            assert_eq!(parse_size(text), Ok(size));
        }
        for text in [
            "",
            "0",
            "MB",
            "1.5MB",
            "-1",
            "1TB",
            "99999999999999999999",
            "20000000000GB",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn long_lines_are_cut() {
        let mut input = BufReader::with_capacity(7, &b"short\n0123456789\n\nlast"[..]);
        let mut line = Vec::new();
        let mut next = || {
            let read = read_line(&mut input, 8, &mut line).unwrap();
            read.map(|is_whole| (String::from_utf8(line.clone()).unwrap(), is_whole))
        };
        assert_eq!(next(), Some(("short\n".to_owned(), true)));
        assert_eq!(next(), Some(("01234567".to_owned(), false)));
        assert_eq!(next(), Some(("\n".to_owned(), true)));
        assert_eq!(next(), Some(("last".to_owned(), true)));
        assert_eq!(next(), None);
        let mut input = BufReader::with_capacity(7, &b"0123456789abcdef\nlast"[..]);
        assert_eq!(
            read_line_start(&mut input, 8, &mut line).unwrap(),
            Some(false)
        );
        let mut take = |piece: &[u8]| {
            line.extend_from_slice(piece);
            Ok::<_, io::Error>(())
        };
        read_line_rest(&mut input, &mut take).unwrap();
        assert_eq!(line, b"0123456789abcdef\n");
        assert_eq!(
            read_line_start(&mut input, 8, &mut line).unwrap(),
            Some(true)
        );
        assert_eq!(line, b"last");
    }

    #[test]
    fn names_cannot_move_the_cursor() {
        let name = Path::new("a\x1b[2Jb\n\u{202e}\u{9b}c.pgn");
        assert_eq!(display_name(name), "a [2Jb  c.pgn");
        assert_eq!(display_name(Path::new("-")), "standard input");
    }
}
