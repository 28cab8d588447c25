//! `tabiya archive check`: looks for damage in every file.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tabiya_archive::Archive;
use tabiya_games::display_name;

use super::status::Status;
use super::{Output, size};

/// Check an archive for damaged files
///
/// Reads every byte. Damaged and missing files are named, and the exit code is 1.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Output> {
    let archive = Archive::open(&arguments.archive)?;
    let mut status = Status::new();
    let problems = archive.check(|file| status.show(|| display_name(file)));
    status.clear();
    let info = archive.info();
    let files: usize = info.tables.iter().map(|table| table.files).sum();
    if problems.is_empty() {
        return Ok((
            format!("{files} files, {}: no damage found\n", size(info.bytes)),
            0,
        ));
    }
    let mut text = String::new();
    for problem in &problems {
        writeln!(text, "{problem}")?;
    }
    let verb = if problems.len() == 1 { "is" } else { "are" };
    writeln!(text, "{} of {files} files {verb} damaged", problems.len())?;
    Ok((text, 1))
}
