//! `tabiya archive`: starts the program `tabiya-archive`, so that the files of archives cost the command nothing, and
//! for `tabiya archive sql` the program `tabiya-sql`, because its engine takes long to build.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus};

use anyhow::{Context, anyhow};
use clap::Args;
use tabiya_explorer::{ExplorerError, PROGRAM};

use crate::screen::CommandOutput;

/// The program that answers in SQL.
const SQL_PROGRAM: &str = "tabiya-sql";

/// Build and explore archives of millions of games
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// What to do: build, add, explore, find, info, check, sql
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    arguments: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<CommandOutput> {
    if let Some((first, rest)) = arguments.arguments.split_first()
        && first == "sql"
    {
        let mut command = Command::new(tabiya_explorer::program_named(SQL_PROGRAM));
        command.arg("query").args(rest);
        return start(command, SQL_PROGRAM, || {
            anyhow!("{SQL_PROGRAM} is not installed: cargo install --locked --path crates/sql")
        });
    }
    let mut command = Command::new(tabiya_explorer::program());
    command.args(&arguments.arguments);
    start(command, PROGRAM, || ExplorerError::NotInstalled.into())
}

/// Becomes a program or, where the system cannot, runs it to its end.
fn start(
    mut command: Command,
    name: &str,
    not_installed: impl FnOnce() -> anyhow::Error,
) -> anyhow::Result<CommandOutput> {
    // The program is the only one at the terminal: what Ctrl-C ends is its to decide.
    #[cfg(unix)]
    let ended: io::Result<ExitStatus> = Err(command.exec());
    #[cfg(not(unix))]
    let ended: io::Result<ExitStatus> = command.status();
    match ended {
        Ok(status) => Ok(CommandOutput {
            code: status.code().map_or(crate::FAILURE, |code| code as u8),
            ..CommandOutput::default()
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(not_installed()),
        Err(error) => Err(error).context(format!("cannot start {name}")),
    }
}
