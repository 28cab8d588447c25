//! The `tabiya` command: it reads arguments, asks the libraries, and prints what they answer.
#![forbid(unsafe_code)]

mod analyse;
mod arena;
mod arguments;
mod bench;
mod board;
mod classic;
mod completions;
mod config;
mod convert;
mod diagram;
mod expected;
mod fullscreen;
mod input;
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
mod screen;
mod selfplay;
mod spelling;
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

use crate::screen::{Answer, Screen};

/// The exit code of everything that goes wrong; 1 is left to a move that is not legal and to games that are broken.
const FAILURE: u8 = 2;

const HEADER: Style = AnsiColor::Green.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// How help is painted.
const STYLES: Styles = Styles::styled()
    .header(HEADER)
    .usage(HEADER)
    .literal(Style::new().bold())
    .placeholder(Style::new())
    .error(ERROR);

/// The end of a help page: lines that can be typed as they stand.
macro_rules! examples {
    ($($line:literal)*) => {
        concat!("\x1b[1m\x1b[32mExamples:\x1b[0m" $(, "\n  ", $line)*)
    };
}
pub(crate) use examples;

/// A chess toolkit.
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
    /// Whether to use colours
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
    Board(board::Arguments),
    Moves(moves::Arguments),
    Why(why::Arguments),
    Pgn(pgn::Arguments),
    Convert(convert::Arguments),
    #[command(alias = "analyze")]
    Analyse(analyse::Arguments),
    Mate(mate::Arguments),
    Classic(classic::Arguments),
    Perft(perft::Arguments),
    Uci(uci::Arguments),
    Bench(bench::Arguments),
    Match(matches::Arguments),
    Selfplay(selfplay::Arguments),
    Tournament(tournament::Arguments),
    Config(config::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    fn run(&self, screen: Screen) -> anyhow::Result<Answer> {
        match self {
            Self::Play(arguments) => play::run(arguments, screen),
            Self::Board(arguments) => board::run(arguments, screen),
            Self::Moves(arguments) => moves::run(arguments, screen),
            Self::Why(arguments) => why::run(arguments, screen),
            Self::Pgn(arguments) => pgn::run(arguments, screen),
            Self::Convert(arguments) => convert::run(arguments, screen),
            Self::Analyse(arguments) => analyse::run(arguments, screen),
            Self::Mate(arguments) => mate::run(arguments, screen),
            Self::Classic(arguments) => classic::run(arguments, screen),
            Self::Perft(arguments) => perft::run(arguments, screen),
            Self::Uci(arguments) => uci::run(arguments),
            Self::Bench(arguments) => bench::run(arguments, screen),
            Self::Match(arguments) => matches::run(arguments, screen),
            Self::Selfplay(arguments) => selfplay::run(arguments, screen),
            Self::Tournament(arguments) => tournament::run(arguments, screen),
            Self::Config(arguments) => config::run(arguments, screen),
            Self::Completions(arguments) => Ok(completions::run(arguments)),
            Self::Man(arguments) => man::run(arguments),
        }
    }
}

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    let cli = match parse(&given) {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody is left to tell when this cannot be printed.
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
    let answer = match &cli.command {
        Some(command) => command.run(screen),
        None => welcome::greet(&Cli::command(), screen),
    };
    let outcome = answer.and_then(|answer| {
        print(&answer.text)?;
        Ok(answer.code)
    });
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("{error:#}"));
            ExitCode::from(FAILURE)
        }
    }
}

/// Says on standard error what went wrong.
fn complain(error: impl std::fmt::Display) {
    // Nobody is left to tell when this cannot be printed.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error}");
}

/// Says on standard error what is worth knowing, with the place as in `games.pgn:7: …`.
fn remark(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

fn parse(given: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = Cli::command().color(arguments::color(given));
    let tidied = arguments::tidy(given);
    let matches = command
        .try_get_matches_from_mut(&tidied)
        .map_err(|error| arguments::advise(error, &tidied))?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = AutoStream::auto(io::stdout().lock());
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Whether the reader of our output has gone away, as `head` does when it has seen enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
