//! The `tabiya` command: parses arguments, calls the libraries, prints the results.
#![forbid(unsafe_code)]

mod analyse;
mod archive;
mod arena;
mod arguments;
mod bench;
mod board;
mod classic;
mod completions;
mod config;
mod convert;
mod fullscreen;
#[cfg(unix)]
mod interrupt;
mod man;
mod matches;
mod mate;
mod moves;
mod perft;
mod pgn;
mod play;
mod position;
mod redraw;
mod screen;
mod selfplay;
mod serve;
mod status_line;
mod target;
mod tournament;
mod uci;
mod welcome;
mod why;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::builder::Styles;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::screen::{CommandOutput, Screen};

/// The exit code for errors. Code 1 means that the input itself was bad: an illegal move, a broken game.
const FAILURE: u8 = 2;
/// The exit code after Ctrl+C, as in shells.
const INTERRUPTED: u8 = 130;

const HEADER: Style = AnsiColor::Green.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

const STYLES: Styles = Styles::styled()
    .header(HEADER)
    .usage(HEADER)
    .literal(Style::new().bold())
    .placeholder(Style::new())
    .error(ERROR);

/// The examples at the end of a help page.
macro_rules! examples {
    ($($line:literal)*) => {
        concat!("\x1b[1m\x1b[32mExamples:\x1b[0m" $(, "\n  ", $line)*)
    };
}
pub(crate) use examples;

/// A chess toolkit: play, analyse, check games, match engines
#[derive(Parser)]
#[command(
    name = "tabiya",
    version,
    styles = STYLES,
    max_term_width = 100,
    after_help = examples!(
        "tabiya play"
        "tabiya board"
        "tabiya why e2e5"
        "tabiya moves g1"
        "tabiya pgn check games.pgn"
        "tabiya perft 6"
    )
)]
struct Cli {
    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value_t = ColorChoice::Auto,
        display_order = 100
    )]
    color: ColorChoice,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Arguments),
    Serve(serve::Arguments),
    Board(board::Arguments),
    Moves(moves::Arguments),
    Why(why::Arguments),
    Pgn(pgn::Arguments),
    Convert(convert::Arguments),
    #[command(alias = "analyze")]
    Analyse(analyse::Arguments),
    Mate(mate::Arguments),
    Archive(archive::Arguments),
    Classic(classic::Arguments),
    Perft(perft::Arguments),
    Uci(uci::Arguments),
    Bench(bench::Arguments),
    Match(matches::Arguments),
    Tournament(tournament::Arguments),
    Selfplay(selfplay::Arguments),
    Config(config::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    fn run(&self, screen: Screen) -> anyhow::Result<CommandOutput> {
        match self {
            Self::Play(arguments) => play::run(arguments, screen),
            Self::Serve(arguments) => serve::run(arguments),
            Self::Board(arguments) => board::run(arguments, screen),
            Self::Moves(arguments) => moves::run(arguments, screen),
            Self::Why(arguments) => why::run(arguments, screen),
            Self::Pgn(arguments) => pgn::run(arguments, screen),
            Self::Convert(arguments) => convert::run(arguments),
            Self::Analyse(arguments) => analyse::run(arguments, screen),
            Self::Mate(arguments) => mate::run(arguments, screen),
            Self::Archive(arguments) => archive::run(arguments),
            Self::Classic(arguments) => classic::run(arguments, screen),
            Self::Perft(arguments) => perft::run(arguments, screen),
            Self::Uci(arguments) => uci::run(arguments),
            Self::Bench(arguments) => bench::run(arguments, screen),
            Self::Match(arguments) => matches::run(arguments, screen),
            Self::Tournament(arguments) => tournament::run(arguments, screen),
            Self::Selfplay(arguments) => selfplay::run(arguments, screen),
            Self::Config(arguments) => config::run(arguments, screen),
            Self::Completions(arguments) => Ok(completions::run(arguments)),
            Self::Man(arguments) => man::run(arguments),
        }
    }
}

fn main() -> ExitCode {
    #[cfg(unix)]
    interrupt::report_full_files();
    let given: Vec<OsString> = std::env::args_os().collect();
    let cli = match parse(&given) {
        Ok(cli) => cli,
        Err(error) => {
            // If this cannot be printed, nothing can.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let screen = Screen::of_stdout();
    let output = match &cli.command {
        Some(command) => command.run(screen),
        None => welcome::run(&Cli::command(), screen),
    };
    let code = output.and_then(|output| {
        print(&output.text)?;
        Ok(output.code)
    });
    match code {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(format_args!("{error:#}"));
            ExitCode::from(FAILURE)
        }
    }
}

/// Prints an error to standard error.
fn print_error(error: impl std::fmt::Display) {
    // If this cannot be printed, nothing can.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error}");
}

/// Prints a remark to standard error, with the place if there is one: `games.pgn:7: …`.
fn remark(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

fn parse(given: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = Cli::command().color(arguments::color(given));
    let arguments = arguments::join_fens(given);
    let matches = command
        .try_get_matches_from_mut(&arguments)
        .map_err(|error| arguments::suggest_quotes(error, &arguments))?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = AutoStream::auto(io::stdout().lock());
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Whether the reader of our output has closed the pipe, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
