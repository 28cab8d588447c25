//! Where the results and the report go.

use std::fs;
use std::io::Write;
use std::path::Path;
use tabiya_games::is_standard_input;

use super::Arguments;
use crate::is_closed_pipe;
use crate::screen::Screen;
use crate::target::Target;

/// The target of the games or positions, and the stream of the report.
pub(super) struct Output {
    target: Option<Target>,
    report: ReportStream,
}

enum ReportStream {
    Stdout,
    Stderr,
    None,
}

impl Output {
    pub(super) fn open(arguments: &Arguments) -> anyhow::Result<Self> {
        let output = arguments.output.as_deref();
        let to_file = output.is_some_and(|path| !is_standard_input(path));
        let target = if arguments.json && !to_file {
            None
        } else {
            Some(Target::create(output, arguments.force)?)
        };
        let report = if arguments.json {
            ReportStream::None
        } else if to_file {
            ReportStream::Stdout
        } else if Screen::of_stderr().terminal {
            ReportStream::Stderr
        } else {
            ReportStream::None
        };
        Ok(Self { target, report })
    }

    /// Whether the target is a file.
    pub(super) fn is_file(&self) -> bool {
        let target = self.target.as_ref();
        target.is_some_and(|target| target.replaced_file().is_some())
    }

    /// Writes a game or position and flushes.
    pub(super) fn write(&mut self, text: &[u8]) -> anyhow::Result<()> {
        if let Some(target) = &mut self.target {
            let written = target.write_all(text).and_then(|()| target.flush());
            written.map_err(|error| target.error(error))?;
        }
        Ok(())
    }

    /// The screen of the report, if it is printed.
    pub(super) fn reader(&self) -> Option<Screen> {
        match self.report {
            ReportStream::Stdout => Some(Screen::of_stdout()),
            ReportStream::Stderr => Some(Screen::of_stderr()),
            ReportStream::None => None,
        }
    }

    /// Prints to standard output. A closed pipe is no error if the results go to a file.
    pub(super) fn print(&self, text: &str) -> anyhow::Result<()> {
        let to_stdout = matches!(self.target, None | Some(Target::Stdout(_)));
        match crate::print(text) {
            Err(error) if !to_stdout && is_closed_pipe(&error) => Ok(()),
            printed => printed,
        }
    }

    /// Prints to the report.
    pub(super) fn say(&self, text: &str) -> anyhow::Result<()> {
        match self.report {
            ReportStream::Stdout => self.print(text)?,
            // Carry on if the terminal is gone.
            ReportStream::Stderr => {
                let _ = anstream::stderr().write_all(text.as_bytes());
            }
            ReportStream::None => {}
        }
        Ok(())
    }

    /// Completes the file.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.target.map_or(Ok(()), Target::commit)
    }

    /// Completes the file after a read error, unless it would replace the input.
    pub(super) fn finish_early(self, input: &Path) -> anyhow::Result<()> {
        let replaced = self.target.as_ref().and_then(Target::replaced_file);
        if replaced.is_some_and(|file| fs::canonicalize(input).is_ok_and(|input| input == file)) {
            return Ok(());
        }
        self.finish()
    }
}
