//! `tabiya archive`: starts the program `tabiya-archive`, so that the files of archives cost the command nothing.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;
use tabiya_explorer::{ExplorerError, PROGRAM};

use crate::screen::CommandOutput;

/// Build and explore archives of millions of games
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// What to do: build, add, explore, find, info, check
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    arguments: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<CommandOutput> {
    match Command::new(tabiya_explorer::program())
        .args(&arguments.arguments)
        .status()
    {
        Ok(status) => Ok(CommandOutput {
            code: status.code().map_or(crate::FAILURE, |code| code as u8),
            ..CommandOutput::default()
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!(ExplorerError::NotInstalled)
        }
        Err(error) => Err(error).context(format!("cannot start {PROGRAM}")),
    }
}
