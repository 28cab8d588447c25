//! The `tabiya-archive` command, which `tabiya archive` starts.
#![forbid(unsafe_code)]

mod command;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use command::{build, check, explore, find, info};

/// The exit code for errors. Code 1 means that `check` found damage.
const FAILURE: u8 = 2;

/// Build and explore archives of millions of games
///
/// An archive is a folder of Parquet files, which other programs read too.
#[derive(Parser)]
#[command(
    name = "tabiya archive",
    bin_name = "tabiya archive",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  tabiya archive build games.pgn.zst -o games
  tabiya archive explore games e4 c5
  tabiya archive find games --player carlsen --eco B90 --pgn
  tabiya archive sql games \"select Result, count(*) from games group by Result\"

SQL is a program of its own, tabiya-sql. In a clone of Tabiya, cargo install --locked --path crates/sql installs it."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::BuildArguments),
    Add(build::AddArguments),
    Explore(explore::Arguments),
    Find(find::Arguments),
    Info(info::Arguments),
    Check(check::Arguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = match &cli.command {
        Command::Build(arguments) => build::build(arguments),
        Command::Add(arguments) => build::add(arguments),
        Command::Explore(arguments) => explore::run(arguments),
        Command::Find(arguments) => find::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Check(arguments) => check::run(arguments),
    };
    let printed = output.and_then(|(text, code)| {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()?;
        Ok(code)
    });
    match printed {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(FAILURE)
        }
    }
}

/// Whether the reader of our output has closed the pipe, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
