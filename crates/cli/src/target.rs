//! Where something is written: all of it or nothing.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::input::{is_packed, is_standard_input, name};

/// Standard output, or a file beside the one that it will replace.
pub(crate) enum Target {
    Stdout(io::StdoutLock<'static>),
    /// A device or a pipe, which nothing can take the place of.
    Device {
        file: File,
        path: PathBuf,
    },
    File {
        /// The temporary file is removed unless it is kept.
        beside: Beside,
        path: PathBuf,
    },
}

impl Target {
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| !is_standard_input(path)) else {
            return Ok(Self::Stdout(io::stdout().lock()));
        };
        if is_packed(path) {
            bail!(
                "what is written is not compressed: give it a name that does not say so, not {}",
                name(path)
            );
        }
        // Through a link to the file that it means, which is the one to replace.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let cannot = || format!("cannot write {}", name(&path));
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
                beside: Beside::create(&path).with_context(cannot)?,
                path,
            }),
        }
    }

    /// Makes what was written the content of the file.
    pub(crate) fn keep(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::Device { .. } => Ok(()),
            Self::File { beside, path } => beside
                .replace(&path)
                .with_context(|| format!("cannot write {}", name(&path))),
        }
    }

    /// What went wrong while something was written, with the name of the file.
    pub(crate) fn failed(&self, error: io::Error) -> anyhow::Error {
        match self {
            Self::Stdout(_) => error.into(),
            Self::Device { path, .. } | Self::File { path, .. } => {
                anyhow::Error::new(error).context(format!("cannot write {}", name(path)))
            }
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::Device { file, .. } => file,
            Self::File { beside, .. } => &mut beside.file,
        }
    }
}

/// Makes something the content of a file.
pub(crate) fn write(path: &Path, content: impl fmt::Display) -> anyhow::Result<()> {
    let mut target = Target::open(Some(path))?;
    let written = write!(target, "{content}");
    written.map_err(|error| target.failed(error))?;
    target.keep()
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// A file that is written beside another one, and then takes its place.
pub(crate) struct Beside {
    file: BufWriter<File>,
    path: PathBuf,
    kept: bool,
}

impl Beside {
    fn create(target: &Path) -> io::Result<Self> {
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        let path = target.with_file_name(name);
        #[cfg(unix)]
        crate::interrupt::remove_when_stopped(&path);
        let file = File::options().write(true).create_new(true).open(&path)?;
        let beside = Self {
            file: BufWriter::with_capacity(1 << 16, file),
            path,
            kept: false,
        };
        if let Ok(metadata) = fs::metadata(target) {
            fs::set_permissions(&beside.path, metadata.permissions())?;
        }
        Ok(beside)
    }

    fn replace(mut self, target: &Path) -> io::Result<()> {
        self.file.flush()?;
        // On the disk before it has the name: else a crash could leave the name with nothing behind it.
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, target)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.kept {
            // Where it cannot be removed either, nothing can be done.
            let _ = fs::remove_file(&self.path);
        }
    }
}
