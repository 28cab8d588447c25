//! The `tabiya-sql` command: SQL over archives of games. `tabiya archive sql` starts `tabiya-sql query`.
#![forbid(unsafe_code)]

mod checked_store;
mod cluster;
mod error;
mod evaluation;
mod executor;
mod functions;
mod interrupt;
mod output;
mod pattern;
mod pgn;
mod player_games;
mod prompt;
mod query;
mod replay;
mod s3;
mod scheduler;
mod session;
mod start;
mod stores;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use datafusion::arrow::error::ArrowError;

/// The exit code for errors.
const FAILURE: u8 = 2;
/// The exit code after Ctrl-C, as in shells.
const INTERRUPTED: u8 = 130;

/// SQL over archives of games, on this machine or on a cluster
#[derive(Parser)]
#[command(name = "tabiya-sql", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Query(query::Arguments),
    Scheduler(scheduler::Arguments),
    Executor(executor::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Query(arguments) => query::run(arguments),
        Command::Scheduler(arguments) => scheduler::run(arguments).map(|()| 0),
        Command::Executor(arguments) => executor::run(arguments).map(|()| 0),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(FAILURE)
        }
    }
}

/// Prints an error as one sentence.
fn report(error: &anyhow::Error) {
    // Without a terminal to print on, nobody reads it.
    let _ = writeln!(io::stderr(), "error: {}", error::sentence(error.as_ref()));
}

/// Whether the reader of our output has closed the pipe, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = match cause.downcast_ref::<ArrowError>() {
            Some(ArrowError::IoError(_, io)) => Some(io),
            _ => cause.downcast_ref::<io::Error>(),
        };
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
