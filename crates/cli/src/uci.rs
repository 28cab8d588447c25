//! `tabiya uci`: the engine, for chess programs.

use std::io::{self, BufReader, Read};

use clap::Args;

use crate::examples;
use crate::screen::CommandOutput;

/// Run the engine for a chess program
///
/// Speaks UCI, the Universal Chess Interface, on standard input and output: give your chess program this command. A
/// program that starts tabiya without arguments and sends "uci" gets the same.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya uci"
    "echo \"go movetime 1000\" | tabiya uci"
))]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<CommandOutput> {
    serve(io::stdin())
}

/// Carries out the commands of a chess program.
pub(crate) fn serve(input: impl Read) -> anyhow::Result<CommandOutput> {
    tabiya_uci::serve(BufReader::new(input), io::stdout())?;
    Ok(String::new().into())
}
