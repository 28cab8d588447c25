//! `tabiya pgn check`: whether all games are legal.

use std::io::{self, Write};
use std::path::PathBuf;

use anstream::AutoStream;
use anstyle::Style;
use clap::Args;
use serde::Serialize;
use tabiya_games::{
    Checked, Collector, InputError, Place, check, display_name, player_names, process,
};
use tabiya_notation::printable;

use super::letters::sentence;
use super::progress::ProgressBar;
use super::{ReadOptions, note_encoding};
use crate::examples;
use crate::screen::{CommandOutput, Screen};
use crate::{FAILURE, print_error};

/// The exit code if games are broken.
const BROKEN: u8 = 1;

/// Check that all games are legal, including variations
///
/// Prints one line for each broken game, with its first error: FILE:LINE:COLUMN: game NUMBER (White – Black): reason.
/// Prints such a line, too, for what is odd in a legal game: two results that contradict each other, a checkmate with
/// the wrong result, a comment inside a comment. Games of other variants, such as Atomic, count as broken. The exit
/// code is 0 if all games are legal, 1 if some are broken, and 2 if a file cannot be read.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn check games.pgn"
    "tabiya pgn check --quiet *.pgn *.pgn.zst"
    "tabiya pgn check --letters de partien.pgn"
    "curl -s https://example.com/games.pgn.gz | tabiya pgn check -"
    "tabiya pgn check --json games.pgn | jq .errors[].reason"
))]
pub(crate) struct Arguments {
    /// Files of games, compressed or not, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    read: ReadOptions,

    /// Print only the broken games, without progress and summary
    #[arg(long, short)]
    quiet: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let letters = arguments.read.language.letters;
    let mut report = CheckReport::new(arguments, screen)?;
    process(
        &arguments.files,
        arguments.read.resources(),
        |batch| check(batch, &letters),
        &mut report,
    )?;
    report.finish()
}

/// A broken game in JSON, or a remark about a legal one.
#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    game: u64,
    white: &'a str,
    black: &'a str,
    severity: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct UnreadableFile {
    file: String,
    reason: String,
}

/// The end of the JSON.
#[derive(Default, Serialize)]
struct Totals {
    unreadable: Vec<UnreadableFile>,
    games: u64,
    moves: u64,
    broken: u64,
    remarks: u64,
    bytes: u64,
    seconds: f64,
    threads: usize,
}

/// Prints each broken game as soon as it is found: the whole list may be larger than memory.
struct CheckReport<'a> {
    arguments: &'a Arguments,
    out: AutoStream<io::StdoutLock<'static>>,
    screen: Screen,
    progress: ProgressBar,
    totals: Totals,
    has_entries: bool,
    /// The last file whose encoding was noted.
    noted: Option<usize>,
}

impl<'a> CheckReport<'a> {
    fn new(arguments: &'a Arguments, screen: Screen) -> io::Result<Self> {
        let mut out = AutoStream::auto(io::stdout().lock());
        if arguments.json {
            out.write_all(b"{\"errors\":[")?;
        }
        Ok(Self {
            arguments,
            out,
            screen,
            progress: ProgressBar::new(&arguments.files, !arguments.quiet),
            totals: Totals {
                threads: arguments.read.resources().threads,
                ..Totals::default()
            },
            has_entries: false,
            noted: None,
        })
    }

    fn entry(&mut self, entry: &Entry<'_>) -> anyhow::Result<()> {
        if self.arguments.json {
            if std::mem::replace(&mut self.has_entries, true) {
                self.out.write_all(b",")?;
            }
            serde_json::to_writer(&mut self.out, entry).map_err(io::Error::from)?;
        } else {
            let bold = Style::new().bold();
            let players = player_names(entry.white, entry.black);
            let Entry {
                file,
                line,
                column,
                game,
                reason,
                ..
            } = entry;
            writeln!(
                self.out,
                "{bold}{file}:{line}:{column}:{bold:#} game {game} ({players}): {reason}"
            )?;
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<CommandOutput> {
        self.progress.clear();
        let seconds = self.progress.elapsed().as_secs_f64();
        self.totals.seconds = seconds;
        let totals = &self.totals;
        if self.arguments.json {
            let rest = serde_json::to_string(totals)?;
            writeln!(self.out, "],{}", rest.trim_start_matches('{'))?;
        } else if !self.arguments.quiet {
            let number = |number| self.screen.number(number);
            let per_second = |amount: f64| amount / seconds.max(1e-9);
            let broken = match totals.broken {
                0 => "none broken".to_owned(),
                broken => format!("{} broken", number(broken)),
            };
            let remarks = match totals.remarks {
                0 => String::new(),
                remarks => format!(", {}", self.screen.counted(remarks, "remark")),
            };
            let line = format!(
                "{}, {}, {broken}{remarks}; {seconds:.3} s, {:.0} MB/s, {} games/s",
                self.screen.counted(totals.games, "game"),
                self.screen.counted(totals.moves, "half-move"),
                per_second(totals.bytes as f64) / 1e6,
                number(per_second(totals.games as f64) as u64),
            );
            self.out.write_all(self.screen.wrap(&line, 2).as_bytes())?;
        }
        self.out.flush()?;
        Ok(CommandOutput::code(if !totals.unreadable.is_empty() {
            FAILURE
        } else if totals.broken > 0 {
            BROKEN
        } else {
            0
        }))
    }
}

impl Collector<Checked> for &mut CheckReport<'_> {
    type Error = anyhow::Error;

    fn collect(
        &mut self,
        place: Place,
        checked: Result<Checked, InputError>,
    ) -> anyhow::Result<u64> {
        let checked = match checked {
            Ok(checked) => checked,
            Err(error) => {
                self.progress.clear();
                self.out.flush()?;
                print_error(&error);
                self.totals.unreadable.push(UnreadableFile {
                    reason: error.reason(),
                    file: error.name,
                });
                return Ok(0);
            }
        };
        if !checked.broken.is_empty() || !checked.remarks.is_empty() {
            self.progress.clear();
        }
        let path = &self.arguments.files[place.file];
        if self.noted.replace(place.file) != Some(place.file) {
            note_encoding(path, place.encoding);
        }
        let file = &display_name(path);
        let errors = checked.broken.iter();
        let errors = errors.map(|found| (&found.place, "error", sentence(&found.error)));
        let remarks = checked.remarks.iter();
        let remarks = remarks.map(|found| {
            let reason = printable(&found.remark.to_string());
            (&found.place, "remark", reason)
        });
        let mut all: Vec<_> = errors.chain(remarks).collect();
        all.sort_by_key(|(place, ..)| place.index);
        for (found, severity, reason) in all {
            self.entry(&Entry {
                file,
                line: found.line,
                column: found.column,
                game: place.games_before + found.index + 1,
                white: &found.white,
                black: &found.black,
                severity,
                reason,
            })?;
        }
        self.totals.broken += checked.broken.len() as u64;
        self.totals.remarks += checked.remarks.len() as u64;
        self.totals.games += checked.games;
        self.totals.moves += checked.moves;
        self.totals.bytes += checked.bytes;
        Ok(checked.games)
    }

    fn progress(&mut self, bytes_read: u64) {
        self.progress.show(bytes_read);
    }
}
