//! `tabiya selfplay inspect`: shows what a file holds.

use std::path::PathBuf;

use clap::Args;
use tabiya_selfplay::inspect_file;

use super::with_name;
use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// Summarise a file of training games
///
/// Shows games, positions, results, how the games ended, scores, and the first positions. Scores are in centipawns,
/// from the side to move's point of view. Use check to verify a file.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya selfplay inspect games.records"
    "tabiya selfplay inspect sample.games --first 20 --json"
))]
pub(crate) struct Arguments {
    /// File to inspect
    file: PathBuf,

    /// Number of positions to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    first: usize,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let path = &arguments.file;
    let found = inspect_file(path, arguments.first).map_err(|error| with_name(path, error))?;
    let text = if arguments.json {
        screen.json(&found.to_json())?
    } else {
        found.text(screen.report_style())
    };
    Ok(text.into())
}
