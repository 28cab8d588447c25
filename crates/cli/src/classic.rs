//! `tabiya classic`: the five small programs that Tabiya grew from.

mod analysis;
mod checker;
mod chessmaster;
mod chessmoves;
mod herochess;

use std::io::{self, IsTerminal};

use clap::{Args, Subcommand};

use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// Run one of the five small programs that Tabiya grew from
#[derive(Args)]
#[command(after_help = examples!(
    "echo \"1. e4 e5\" | tabiya classic chessmoves"
    "echo \"N c 5\" | tabiya classic chessmaster"
    "tabiya classic herochess"
    "echo \"e4 e5 Bc4 Nc6 Qh5 Nf6\" | tabiya classic analysis"
    "tabiya classic checker boards.txt answers.txt"
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    program: Program,
}

#[derive(Subcommand)]
enum Program {
    Chessmoves(chessmoves::Arguments),
    Chessmaster(chessmaster::Arguments),
    Herochess(herochess::Arguments),
    Analysis(analysis::Arguments),
    Checker(checker::Arguments),
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    match &arguments.program {
        Program::Chessmoves(arguments) => chessmoves::run(arguments, screen),
        Program::Chessmaster(arguments) => chessmaster::run(arguments, screen),
        Program::Herochess(arguments) => herochess::run(arguments, screen),
        Program::Analysis(arguments) => analysis::run(arguments, screen),
        Program::Checker(arguments) => checker::run(arguments, screen),
    }
}

/// Says at a terminal what a program waits for. Its output, which is fixed, stays as it is.
fn announce_stdin(what: &str) {
    if io::stdin().is_terminal() {
        crate::remark(what);
    }
}
