//! `tabiya` without arguments: the menu, or a list of the commands.

use std::fmt::Write;
use std::io::{self, BufRead, IsTerminal, Read};

use anstyle::Style;
use tabiya_board::Board;

use crate::screen::{CommandOutput, Screen};
use crate::{HEADER, fullscreen, uci};

const BOLD: Style = Style::new().bold();

/// Opens the menu on a terminal. Elsewhere, prints a board and the commands, or starts the engine for a chess program
/// that sends `uci`.
pub(crate) fn run(command: &clap::Command, screen: Screen) -> anyhow::Result<CommandOutput> {
    if fullscreen::is_possible(screen) {
        return fullscreen::menu(screen);
    }
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        let mut first = Vec::new();
        let mut input = stdin.lock();
        // A chess program sends `uci` and nothing else.
        Read::take(&mut input, 80).read_until(b'\n', &mut first)?;
        if first.trim_ascii() == b"uci" {
            return uci::serve(first.as_slice().chain(input));
        }
    }
    let board = Board::start();
    let diagram = screen.diagram(&board);
    // `cargo run` sets CARGO for the program: `tabiya` may not be installed yet.
    let program = match std::env::var_os("CARGO") {
        Some(_) => "cargo run --release --",
        None => command.get_name(),
    };
    let mut text = String::new();
    writeln!(text, "{BOLD}Tabiya{BOLD:#}, a chess toolkit.\n\n{diagram}")?;
    writeln!(text, "{HEADER}Commands:{HEADER:#}")?;
    let commands = || command.get_subcommands().filter(|c| c.get_name() != "help");
    let width = commands()
        .map(|command| command.get_name().len())
        .max()
        .unwrap_or(0);
    for command in commands() {
        let name = command.get_name();
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let line = screen.wrap(&format!("  {name:<width$}  {about}"), width + 4);
        write!(text, "  {BOLD}{name}{BOLD:#}{}", &line[2 + name.len()..])?;
    }
    writeln!(text, "\n{HEADER}Try:{HEADER:#}")?;
    for example in ["why e2e5", "moves g1", "perft 6", "why --help"] {
        writeln!(text, "  {program} {example}")?;
    }
    Ok(text.into())
}
