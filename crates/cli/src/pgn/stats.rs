//! `tabiya pgn stats`: what is in files of games, in numbers.

use std::path::PathBuf;

use clap::Args;
use tabiya_games::{
    Collector, InputError, Place, PlacedGame, Stats, StatsReport, count, display_name, process,
};

use super::progress::ProgressBar;
use super::{ReadOptions, note_encoding};
use crate::examples;
use crate::screen::{CommandOutput, Screen};
use crate::{FAILURE, print_error};

/// The number of openings to list.
const TOP: usize = 10;

/// Count games, results, openings and lengths
///
/// Openings are recognised by their positions, whatever the order of the moves. A broken game counts up to its first
/// error; `tabiya pgn check` shows where that is. Of games of other variants, only the results count.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn stats games.pgn"
    "tabiya pgn stats lichess_db_standard_rated_2013-01.pgn.zst"
    "tabiya pgn stats --json games.pgn | jq .openings[0].name"
))]
pub(crate) struct Arguments {
    /// Files of games, compressed or not, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    read: ReadOptions,

    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let letters = arguments.read.language.letters;
    let mut sum = Sum {
        files: &arguments.files,
        progress: ProgressBar::new(&arguments.files, true),
        stats: Stats::default(),
        noted: None,
        longest: None,
        code: 0,
    };
    process(
        &arguments.files,
        arguments.read.resources(),
        |batch| count(batch, &letters),
        &mut sum,
    )?;
    sum.progress.clear();
    let code = sum.code;
    let report = StatsReport::of(sum.stats, sum.longest, TOP);
    let text = if arguments.json {
        screen.json(&report)?
    } else {
        report.text(screen.report_style())
    };
    Ok(CommandOutput { text, code })
}

/// Adds up the numbers of all batches.
struct Sum<'a> {
    files: &'a [PathBuf],
    progress: ProgressBar,
    stats: Stats,
    /// The last file whose encoding was noted.
    noted: Option<usize>,
    longest: Option<PlacedGame>,
    code: u8,
}

impl Collector<Stats> for &mut Sum<'_> {
    type Error = anyhow::Error;

    fn collect(&mut self, place: Place, stats: Result<Stats, InputError>) -> anyhow::Result<u64> {
        let stats = match stats {
            Ok(stats) => stats,
            Err(error) => {
                self.progress.clear();
                print_error(error);
                self.code = FAILURE;
                return Ok(0);
            }
        };
        if place.games_before == 0 && self.noted.replace(place.file) != Some(place.file) {
            note_encoding(&self.files[place.file], place.encoding);
        }
        let games = stats.games;
        if self.stats.add(stats) {
            let file = display_name(&self.files[place.file]);
            let longest = self.stats.longest.as_ref();
            self.longest = longest.map(|longest| PlacedGame::of(longest, file, place.games_before));
        }
        Ok(games)
    }

    fn progress(&mut self, bytes_read: u64) {
        self.progress.show(bytes_read);
    }
}
