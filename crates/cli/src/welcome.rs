//! What a newcomer sees who types `tabiya` and nothing else: the menu; where there is no screen to draw it on, the
//! commands.

use std::fmt::Write;
use std::io::{self, BufRead, IsTerminal, Read};

use anstyle::Style;
use tabiya_board::Board;

use crate::diagram::{Diagram, Look, Marks};
use crate::screen::{Answer, Screen};
use crate::{HEADER, fullscreen, uci};

const BOLD: Style = Style::new().bold();

/// The menu on a terminal; elsewhere a board, the commands and how to call them; or, for a chess program that greets us
/// with `uci`, the engine.
pub(crate) fn greet(command: &clap::Command, screen: Screen) -> anyhow::Result<Answer> {
    if fullscreen::is_possible(screen) {
        return fullscreen::menu(screen);
    }
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        let mut first = Vec::new();
        let mut input = stdin.lock();
        // No program greets at greater length.
        Read::take(&mut input, 80).read_until(b'\n', &mut first)?;
        if first.trim_ascii() == b"uci" {
            return uci::serve(first.as_slice().chain(input));
        }
    }
    let board = Board::start();
    let diagram = Diagram {
        position: &board,
        look: Look::suiting(screen),
        flipped: false,
        marks: Marks::default(),
    };
    // In a checkout there is no `tabiya` to type yet. Cargo tells the programs that it runs where it is.
    let program = match std::env::var_os("CARGO") {
        Some(_) => "cargo run --release --",
        None => command.get_name(),
    };
    let mut text = String::new();
    writeln!(text, "{BOLD}Tabiya{BOLD:#}, a chess toolkit.\n\n{diagram}")?;
    writeln!(text, "{HEADER}Commands:{HEADER:#}")?;
    for command in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = command.get_name();
        let about = command.get_about().map(ToString::to_string);
        let line = screen.wrap(&format!("  {name:<7}  {}", about.unwrap_or_default()), 11);
        write!(text, "  {BOLD}{name}{BOLD:#}{}", &line[2 + name.len()..])?;
    }
    writeln!(text, "\n{HEADER}Try:{HEADER:#}")?;
    for example in ["why e2e5", "moves g1", "perft 6", "why --help"] {
        writeln!(text, "  {program} {example}")?;
    }
    Ok(text.into())
}
