//! `tabiya selfplay`: training games that the engine plays against itself.

mod check;
mod generate;
mod inspect;

use std::path::Path;

use clap::{Args, Subcommand};
use tabiya_games::{InputError, display_name};
use tabiya_selfplay::SelfplayFileError;

use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// Play training games, inspect them and check them
///
/// Reads and writes the files described in training/README.md: games with their records as generate writes them,
/// samples of whole games from self-play on a GPU, and bare records.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya selfplay generate games.records --games 1000 --nodes 5000"
    "tabiya selfplay inspect games.records"
    "tabiya selfplay check games.records"
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Arguments),
    Inspect(inspect::Arguments),
    Check(check::Arguments),
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments, screen),
        Command::Inspect(arguments) => inspect::run(arguments, screen),
        Command::Check(arguments) => check::run(arguments, screen),
    }
}

/// Names the file in an error.
fn with_name(path: &Path, error: SelfplayFileError) -> anyhow::Error {
    match error {
        SelfplayFileError::Io(error) => InputError::new(path, error).into(),
        error => anyhow::Error::new(error).context(display_name(path)),
    }
}
