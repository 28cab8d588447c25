//! `tabiya archive info`: what is in an archive.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tabiya_archive::Archive;
use tabiya_display::text::grouped;

use super::{Output, size};

/// Show what an archive contains
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,

    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Output> {
    let archive = Archive::open(&arguments.archive)?;
    let info = archive.info();
    if arguments.json {
        return Ok((serde_json::to_string_pretty(&info)? + "\n", 0));
    }
    let mut text = String::new();
    let _ = writeln!(text, "games       {}", grouped(info.games));
    let _ = writeln!(text, "broken      {}", grouped(info.broken));
    let _ = writeln!(text, "duplicates  {}", grouped(info.duplicates));
    let _ = writeln!(text, "positions   {}", grouped(info.positions));
    let _ = writeln!(
        text,
        "added       {}",
        if info.parts == 1 {
            "once".to_owned()
        } else {
            format!("{} times", info.parts)
        }
    );
    let _ = writeln!(text, "size        {}\n", size(info.bytes));
    let _ = writeln!(
        text,
        "table       files          rows        size  bytes a game"
    );
    for table in &info.tables {
        let _ = writeln!(
            text,
            "{:<10} {:>6} {:>13} {:>11} {:>13.1}",
            table.table.name(),
            table.files,
            grouped(table.rows),
            size(table.bytes),
            table.bytes as f64 / info.games.max(1) as f64
        );
    }
    Ok((text, 0))
}
