//! `tabiya pgn`: the commands about files of games.

mod check;
mod fix;
pub(crate) mod letters;
pub(crate) mod progress;
mod replay;
pub(crate) mod show;
mod stats;
mod work;

pub(crate) use fix::standardize;
pub(crate) use show::Games;
pub(crate) use tabiya_terminal::printable;

use clap::{Args, Subcommand};

use crate::examples;
use crate::screen::{Answer, Screen};

/// Check, repair, count and watch games in PGN files
///
/// Files may be compressed: .zst, .gz and .bz2 are read as they are. The name - stands for standard input.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn check games.pgn"
    "tabiya pgn stats games.pgn"
    "tabiya pgn show games.pgn"
    "tabiya pgn fix games.pgn -o fixed.pgn"
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Arguments),
    Fix(fix::Arguments),
    Show(show::Arguments),
    Stats(stats::Arguments),
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments, screen),
        Command::Fix(arguments) => fix::run(arguments, screen),
        Command::Show(arguments) => show::run(arguments, screen),
        Command::Stats(arguments) => stats::run(arguments, screen),
    }
}
