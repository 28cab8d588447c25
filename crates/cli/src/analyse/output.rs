//! Where results go, and what is said about them.

use tabiya_games::is_standard_input;
use std::fs;
use std::io::Write;
use std::path::Path;

use super::Arguments;
use crate::is_closed_pipe;
use crate::screen::Screen;
use crate::target::Target;

/// Where the games or positions are written, and where the report goes.
pub(super) struct Output {
    target: Option<Target>,
    report: Report,
}

enum Report {
    Stdout,
    Stderr,
    Nobody,
}

impl Output {
    pub(super) fn open(arguments: &Arguments) -> anyhow::Result<Self> {
        let output = arguments.output.as_deref();
        let to_file = output.is_some_and(|path| !is_standard_input(path));
        let target = if arguments.json && !to_file {
            None
        } else {
            Some(Target::open(output)?)
        };
        let report = if arguments.json {
            Report::Nobody
        } else if to_file {
            Report::Stdout
        } else if Screen::of_stderr().terminal {
            Report::Stderr
        } else {
            Report::Nobody
        };
        Ok(Self { target, report })
    }

    /// Whether what is written goes to a file.
    pub(super) fn is_file(&self) -> bool {
        matches!(self.target, Some(Target::File { .. }))
    }

    /// Writes a game or a position, at once.
    pub(super) fn write(&mut self, text: &[u8]) -> anyhow::Result<()> {
        if let Some(target) = &mut self.target {
            let written = target.write_all(text).and_then(|()| target.flush());
            written.map_err(|error| target.error(error))?;
        }
        Ok(())
    }

    /// The screen that the report is read on, if somebody reads it.
    pub(super) fn reader(&self) -> Option<Screen> {
        match self.report {
            Report::Stdout => Some(Screen::of_stdout()),
            Report::Stderr => Some(Screen::of_stderr()),
            Report::Nobody => None,
        }
    }

    /// Prints something. A reader who has seen enough is no reason to stop, if there is a file to be written.
    pub(super) fn print(&self, text: &str) -> anyhow::Result<()> {
        let to_stdout = matches!(self.target, None | Some(Target::Stdout(_)));
        match crate::print(text) {
            Err(error) if !to_stdout && is_closed_pipe(&error) => Ok(()),
            printed => printed,
        }
    }

    /// Says something in the report.
    pub(super) fn say(&self, text: &str) -> anyhow::Result<()> {
        match self.report {
            Report::Stdout => self.print(text)?,
            // A terminal that has gone away is no reason to stop.
            Report::Stderr => {
                let _ = anstream::stderr().write_all(text.as_bytes());
            }
            Report::Nobody => {}
        }
        Ok(())
    }

    /// Makes what was written the content of the file.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.target.map_or(Ok(()), Target::commit)
    }

    /// Keeps what was written though not all could be read; but not in the place of the very file that could not.
    pub(super) fn finish_early(self, input: &Path) -> anyhow::Result<()> {
        match &self.target {
            Some(Target::File { path, .. })
                if fs::canonicalize(input).ok().as_ref() == Some(path) =>
            {
                Ok(())
            }
            _ => self.finish(),
        }
    }
}
