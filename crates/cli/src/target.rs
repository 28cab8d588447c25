//! Output files: written as a whole or not at all.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tabiya_files::AtomicFile;
use tabiya_games::{display_name, is_compressed, is_standard_input};
use tabiya_notation::{pgn, printable_lines};
use tabiya_play::{Collection, SavedGame};

/// Standard output, or a file that replaces the old one once it is complete.
pub(crate) enum Target {
    Stdout(io::StdoutLock<'static>),
    /// A device or a pipe, which cannot be replaced.
    Device {
        file: File,
        path: PathBuf,
    },
    File {
        file: AtomicFile,
        path: PathBuf,
    },
}

impl Target {
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| !is_standard_input(path)) else {
            return Ok(Self::Stdout(io::stdout().lock()));
        };
        require_uncompressed(path)?;
        // A symbolic link stays: the file it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let cannot = || format!("cannot write {}", display_name(&path));
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => bail!("{}: it is a directory", cannot()),
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(&path);
                Ok(Self::Device {
                    file: file.with_context(cannot)?,
                    path,
                })
            }
            _ => Ok(Self::File {
                file: create(&path).with_context(cannot)?,
                path,
            }),
        }
    }

    /// Like [`open`](Self::open), but replaces an existing file only by force.
    pub(crate) fn create(path: Option<&Path>, force: bool) -> anyhow::Result<Self> {
        if let Some(path) = path.filter(|path| !force && path.is_file()) {
            let name = display_name(path);
            bail!("{name} exists; choose another name, or replace it with --force");
        }
        Self::open(path)
    }

    /// Completes the file: from now on it has the new content.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::Device { .. } => Ok(()),
            Self::File { file, path } => {
                let committed = file.commit();
                committed.with_context(|| format!("cannot write {}", display_name(&path)))?;
                Ok(())
            }
        }
    }

    /// A write error, with the name of the file.
    pub(crate) fn error(&self, error: io::Error) -> anyhow::Error {
        match self {
            Self::Stdout(_) => error.into(),
            Self::Device { path, .. } | Self::File { path, .. } => {
                anyhow::Error::new(error).context(format!("cannot write {}", display_name(path)))
            }
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::Device { file, .. } => file,
            Self::File { file, .. } => file,
        }
    }
}

fn require_uncompressed(path: &Path) -> anyhow::Result<()> {
    if is_compressed(path) {
        bail!(
            "cannot write {}: output is never compressed; choose a name without .gz, .bz2 or .zst",
            display_name(path)
        );
    }
    Ok(())
}

fn create(path: &Path) -> io::Result<AtomicFile> {
    #[cfg(unix)]
    crate::interrupt::remove_when_stopped(&tabiya_files::temporary_path(path)?);
    AtomicFile::create(path)
}

/// Saves a game that a person played or replayed, after the games that are in the file.
pub(crate) fn append_game(path: &Path, game: &pgn::Game) -> Result<SavedGame, Box<dyn Error>> {
    // Standard input and output are the screen.
    if is_standard_input(path) {
        return Err("enter a file name".into());
    }
    require_uncompressed(path)?;
    Ok(Collection::new(path).append(game)?)
}

impl Write for Target {
    /// On a terminal, whole lines must be written at once: what is in a file of games must not control the terminal.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Self::Stdout(out) = self
            && out.is_terminal()
        {
            out.write_all(printable_lines(&pgn::decode(bytes)).as_bytes())?;
            return Ok(bytes.len());
        }
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}
