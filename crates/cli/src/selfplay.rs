//! `tabiya selfplay`: games of the engine with itself, to learn from.

mod check;
mod file;
mod generate;
mod inspect;

use clap::{Args, Subcommand};

use crate::examples;
use crate::screen::{Answer, Screen};

/// Play games to learn from, look at them and prove them
///
/// The files are those of training/README.md: games with their records as generate writes them, samples of whole games
/// as self-play on a GPU leaves them, and bare records.
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

/// A number of things, as in "1 game" and "2 games".
fn counted(screen: Screen, count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", screen.number(count))
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments, screen),
        Command::Inspect(arguments) => inspect::run(arguments, screen),
        Command::Check(arguments) => check::run(arguments, screen),
    }
}
