//! Output files: written as a whole or not at all.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tabiya_files::OutputFile;
use tabiya_games::{display_name, is_compressed, is_standard_input};
use tabiya_notation::{pgn, printable_lines};
use tabiya_play::{Collection, SavedGame};

/// Standard output, or a file that replaces the old one once it is complete.
pub(crate) enum Target {
    Stdout(io::StdoutLock<'static>),
    File { file: OutputFile, path: PathBuf },
}

impl Target {
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| !is_standard_input(path)) else {
            return Ok(Self::Stdout(io::stdout().lock()));
        };
        require_uncompressed(path)?;
        let file = OutputFile::open(path).with_context(|| cannot_write(path))?;
        #[cfg(unix)]
        if let OutputFile::File(file) = &file {
            crate::interrupt::remove_when_stopped(file.temporary_path());
        }
        let path = path.to_owned();
        Ok(Self::File { file, path })
    }

    /// Like [`open`](Self::open), but replaces an existing file only by force.
    pub(crate) fn create(path: Option<&Path>, force: bool) -> anyhow::Result<Self> {
        if let Some(path) = path.filter(|path| !force && path.is_file()) {
            let name = display_name(path);
            bail!("{name} exists; choose another name, or replace it with --force");
        }
        Self::open(path)
    }

    /// The file that will be replaced or created; none for standard output, a device or a pipe.
    pub(crate) fn replaced_file(&self) -> Option<&Path> {
        match self {
            Self::File {
                file: OutputFile::File(file),
                ..
            } => Some(file.target()),
            _ => None,
        }
    }

    /// Completes the file: from now on it has the new content.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File { file, path } => file.commit().with_context(|| cannot_write(&path)),
        }
    }

    /// A write error, with the name of the file.
    pub(crate) fn error(&self, error: io::Error) -> anyhow::Error {
        match self {
            Self::Stdout(_) => error.into(),
            Self::File { path, .. } => anyhow::Error::new(error).context(cannot_write(path)),
        }
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", display_name(path))
}

fn require_uncompressed(path: &Path) -> anyhow::Result<()> {
    if is_compressed(path) {
        bail!(
            "{}: output is never compressed; choose a name without .gz, .bz2 or .zst",
            cannot_write(path)
        );
    }
    Ok(())
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
        match self {
            Self::Stdout(out) if out.is_terminal() => {
                out.write_all(printable_lines(&pgn::decode(bytes)).as_bytes())?;
                Ok(bytes.len())
            }
            Self::Stdout(out) => out.write(bytes),
            Self::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File { file, .. } => file.flush(),
        }
    }
}
