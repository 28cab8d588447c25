//! `tabiya pgn`: commands for files of games.

mod check;
mod fix;
pub(crate) mod letters;
pub(crate) mod progress;
pub(crate) mod show;
mod stats;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use tabiya_board::GameHistory;
use tabiya_games::{Encoding, NumberedGame, Resources, display_name};

use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::remark;
use crate::screen::{CommandOutput, Screen};

/// Check, fix, count and show games in PGN files
///
/// Files may be compressed (.zst, .gz, .bz2). The name - stands for standard input.
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

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments, screen),
        Command::Fix(arguments) => fix::run(arguments),
        Command::Show(arguments) => show::run(arguments, screen),
        Command::Stats(arguments) => stats::run(arguments, screen),
    }
}

/// Options of every command that reads many games.
#[derive(Args)]
struct ReadOptions {
    #[command(flatten)]
    language: letters::Language,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
}

impl ReadOptions {
    fn resources(&self) -> Resources {
        Resources {
            threads: self.threads.unwrap_or_else(cores),
            max_game: self.language.max_game,
        }
    }
}

/// The files to read: standard input if none are named.
fn files_or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() {
        vec!["-".into()]
    } else {
        files.to_vec()
    }
}

/// Returns the moves of the main line up to this many half-moves.
pub(crate) fn history_at(game: &NumberedGame, ply: usize) -> anyhow::Result<GameHistory> {
    let (number, game) = (game.number, &game.game);
    let node = game.at_ply(ply).with_context(|| {
        let all = game.main_line().count();
        format!("game {number} has only {all} half-moves, not {ply}")
    })?;
    Ok(game.history(node))
}

/// Says once, at the first batch of a file, that it is not encoded as text usually is.
pub(crate) fn note_encoding(path: &Path, encoding: Encoding) {
    if encoding != Encoding::Utf8 {
        let (file, encoding) = (display_name(path), encoding.as_str());
        remark(format_args!("{file} is {encoding}: it is read as UTF-8"));
    }
}
