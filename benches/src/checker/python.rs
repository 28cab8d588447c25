//! The same program in Python, `python/checker.py`, where Python is installed.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Counts, Files, Mode};
use crate::clock::Clock;
use crate::race::{Contestant, Lap};

/// The name in the table.
pub(super) const NAME: &str = "Python";

/// An installed Python.
pub struct Python {
    program: PathBuf,
    version: String,
}

impl Python {
    /// Asks the program for its version.
    ///
    /// # Errors
    ///
    /// When the program cannot be run.
    pub fn new(program: PathBuf) -> io::Result<Self> {
        let output = Command::new(&program)
            .arg("--version")
            .stdin(Stdio::null())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.split_whitespace().last().unwrap_or("?").to_owned();
        Ok(Self { program, version })
    }

    /// Has it check the lines.
    pub(super) fn contestant<'a>(&'a self, files: &'a Files, mode: Mode) -> Contestant<'a, Counts> {
        Contestant {
            name: NAME.to_owned(),
            version: self.version.clone(),
            run: Box::new(move || {
                let clock = match mode {
                    Mode::OneCore => Clock::of_children(),
                    Mode::Threads(_) => Clock::Wall(Instant::now()),
                };
                let (checked, time) = clock.time(|| self.check(files))?;
                checked?;
                let counts = Counts::of_file(&files.answers)?;
                Ok(Lap { counts, time })
            }),
        }
    }

    fn check(&self, files: &Files) -> Result<(), Box<dyn Error>> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/checker.py");
        let status = Command::new(&self.program)
            .arg(script)
            .arg(&files.lines)
            .arg(&files.answers)
            .stdin(Stdio::null())
            .status()?;
        // 1 says that some lines are not in the format.
        match status.code() {
            Some(0 | 1) => Ok(()),
            _ => Err(format!("Python fails: {status}").into()),
        }
    }
}
