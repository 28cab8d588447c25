//! `tabiya pgn check`: whether all games are legal.

use std::io::{self, Write};
use std::path::PathBuf;

use anstream::AutoStream;
use anstyle::Style;
use clap::Args;
use serde::Serialize;
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{Batch, Reader, decode_tag};

use super::letters::{self, sentence};
use super::progress::Progress;
use super::replay::{Blind, players, replay};
use super::work::each_batch;
use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::input::{Unreadable, name};
use crate::screen::{Answer, Screen};
use crate::{FAILURE, complain};

/// The exit code where games are broken.
const BROKEN: u8 = 1;

/// Check that all games are legal, variations included
///
/// A broken game is one line, with the place of the first thing that is wrong: FILE:LINE:COLUMN: game NUMBER (White –
/// Black): the reason. The next game is read all the same. The exit code is 0 if all is well, 1 if games are broken,
/// and 2 if a file cannot be read.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn check games.pgn"
    "tabiya pgn check --quiet *.pgn *.pgn.zst"
    "tabiya pgn check --letters de partien.pgn"
    "curl -s https://example.com/games.pgn.gz | tabiya pgn check -"
    "tabiya pgn check --json games.pgn | jq .errors[].reason"
))]
pub(crate) struct Arguments {
    /// Files of games, compressed or not; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    read: letters::Read,

    /// How many threads work; without it, one for each core
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// Print the broken games only: neither progress nor summary
    #[arg(long, short)]
    quiet: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// What was found in a batch.
struct Found {
    games: u64,
    moves: u64,
    bytes: u64,
    broken: Vec<Broken>,
}

/// A game that is broken, and where.
struct Broken {
    /// The number of the game in its batch, from 0.
    game: u64,
    line: usize,
    column: usize,
    white: String,
    black: String,
    reason: String,
}

fn check(batch: &Batch, letters: &PieceLetters) -> Found {
    let mut reader = Reader::new(&batch.text);
    let mut found = Found {
        games: 0,
        moves: 0,
        bytes: batch.text.len() as u64,
        broken: Vec::new(),
    };
    while let Some(game) = replay(&mut reader, letters, &mut Blind) {
        if let Some((offset, problem)) = &game.failure {
            let (line, column) = batch.line_and_column(*offset);
            found.broken.push(Broken {
                game: found.games,
                line,
                column,
                white: decode_tag(game.white).into_owned(),
                black: decode_tag(game.black).into_owned(),
                reason: sentence(problem),
            });
        }
        found.games += 1;
        found.moves += game.moves;
    }
    found
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let threads = arguments.threads.unwrap_or_else(cores);
    let mut progress = Progress::new(&arguments.files, !arguments.quiet);
    let mut report = Report::new(arguments, screen)?;
    each_batch(
        &arguments.files,
        threads,
        &mut progress,
        |batch| check(batch, &arguments.read.letters),
        |progress, place, found| {
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    progress.clear();
                    report.unreadable(&error)?;
                    return Ok(0);
                }
            };
            if !found.broken.is_empty() {
                progress.clear();
            }
            let name = name(&arguments.files[place.file]);
            for broken in &found.broken {
                report.broken(&name, place.games_before + broken.game + 1, broken)?;
            }
            report.totals.games += found.games;
            report.totals.moves += found.moves;
            report.totals.bytes += found.bytes;
            Ok(found.games)
        },
    )?;
    progress.clear();
    report.end(progress.elapsed().as_secs_f64())
}

/// A broken game, for programs.
#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    game: u64,
    white: &'a str,
    black: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct Missing {
    file: String,
    reason: String,
}

/// What is known at the end, for programs as it stands.
#[derive(Serialize)]
struct Totals {
    unreadable: Vec<Missing>,
    games: u64,
    moves: u64,
    broken: u64,
    bytes: u64,
    seconds: f64,
    threads: usize,
}

/// What is printed, as it is found: files may be larger than memory.
struct Report {
    out: AutoStream<io::StdoutLock<'static>>,
    screen: Screen,
    json: bool,
    quiet: bool,
    totals: Totals,
}

impl Report {
    fn new(arguments: &Arguments, screen: Screen) -> io::Result<Self> {
        let mut out = AutoStream::auto(io::stdout().lock());
        if arguments.json {
            out.write_all(b"{\"errors\":[")?;
        }
        Ok(Self {
            out,
            screen,
            json: arguments.json,
            quiet: arguments.quiet,
            totals: Totals {
                unreadable: Vec::new(),
                games: 0,
                moves: 0,
                broken: 0,
                bytes: 0,
                seconds: 0.0,
                threads: arguments.threads.unwrap_or_else(cores),
            },
        })
    }

    fn broken(&mut self, file: &str, game: u64, broken: &Broken) -> anyhow::Result<()> {
        let Broken {
            line,
            column,
            white,
            black,
            reason,
            ..
        } = broken;
        if self.json {
            if self.totals.broken > 0 {
                self.out.write_all(b",")?;
            }
            serde_json::to_writer(
                &mut self.out,
                &Entry {
                    file,
                    line: *line,
                    column: *column,
                    game,
                    white,
                    black,
                    reason,
                },
            )
            .map_err(io::Error::from)?;
        } else {
            let bold = Style::new().bold();
            let players = players(white, black);
            writeln!(
                self.out,
                "{bold}{file}:{line}:{column}:{bold:#} game {game} ({players}): {reason}"
            )?;
        }
        self.totals.broken += 1;
        Ok(())
    }

    fn unreadable(&mut self, error: &Unreadable) -> anyhow::Result<()> {
        self.out.flush()?;
        complain(error);
        self.totals.unreadable.push(Missing {
            file: error.name.clone(),
            reason: error.reason(),
        });
        Ok(())
    }

    fn end(mut self, seconds: f64) -> anyhow::Result<Answer> {
        self.totals.seconds = seconds;
        let totals = &self.totals;
        if self.json {
            let rest = serde_json::to_string(totals)?;
            writeln!(self.out, "],{}", rest.trim_start_matches('{'))?;
        } else if !self.quiet {
            let number = |number| self.screen.number(number);
            let per_second = |amount: f64| amount / seconds.max(1e-9);
            let verdict = match totals.broken {
                0 => "none broken".to_owned(),
                broken => format!("{} broken", number(broken)),
            };
            let line = format!(
                "{} {}, {} moves, {verdict}; {seconds:.3} s, {:.0} MB/s, {} games/s",
                number(totals.games),
                if totals.games == 1 { "game" } else { "games" },
                number(totals.moves),
                per_second(totals.bytes as f64) / 1e6,
                number(per_second(totals.games as f64) as u64),
            );
            self.out.write_all(self.screen.wrap(&line, 2).as_bytes())?;
        }
        self.out.flush()?;
        Ok(Answer {
            text: String::new(),
            code: if !totals.unreadable.is_empty() {
                FAILURE
            } else if totals.broken > 0 {
                BROKEN
            } else {
                0
            },
        })
    }
}
