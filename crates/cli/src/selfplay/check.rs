//! `tabiya selfplay check`: checks a file.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tabiya_games::display_name;
use tabiya_selfplay::{FileKind, check_file};

use super::with_name;
use crate::examples;
use crate::remark;
use crate::screen::{CommandOutput, Screen};

/// More errors than these are only counted.
const MAX_SHOWN: u64 = 20;

/// Check that a file is complete and its games are legal
///
/// Compares checksums and replays every game by the rules. Its end must agree with the last position or the scores,
/// and each record must hold the position of its game. Bare records have neither checksums nor games: each must be a
/// position in which its move is legal.
///
/// The exit code is 1 if a game is wrong, and 2 if the file cannot be read to its end.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya selfplay check games.records"
    "tabiya selfplay check sample.games"
))]
pub(crate) struct Arguments {
    /// File to check
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let path = &arguments.file;
    let name = display_name(path);
    let mut shown = 0;
    let found = check_file(path, &mut |place, error| {
        shown += 1;
        if shown <= MAX_SHOWN {
            remark(format_args!("{name}: {place}: {error}"));
        }
    });
    let found = found.map_err(|error| with_name(path, error))?;
    if found.errors > MAX_SHOWN {
        let more = screen.counted(found.errors - MAX_SHOWN, "more error");
        remark(format_args!("{name}: … and {more}"));
    }
    let mut text = String::new();
    if found.kind != FileKind::Records {
        write!(text, "{}, ", screen.counted(found.games, "game"))?;
    }
    let positions = screen.counted(found.positions, "position");
    let errors = match found.errors {
        0 => "no errors".to_owned(),
        errors => screen.counted(errors, "error"),
    };
    writeln!(text, "{positions}: {errors}")?;
    Ok(CommandOutput {
        text,
        code: u8::from(found.errors > 0),
    })
}
