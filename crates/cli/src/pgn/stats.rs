//! `tabiya pgn stats`: what is in files of games, in numbers.

use std::path::PathBuf;

use clap::Args;
use tabiya_display::chart::{BarChart, group_years};
use tabiya_games::{
    Collector, InputError, Place, PlacedGame, Stats, StatsReport, count, display_name, process,
};
use tabiya_notation::GameResult;

use super::progress::ProgressBar;
use super::{ReadOptions, note_encoding, players};
use crate::examples;
use crate::screen::{CommandOutput, Screen};
use crate::{FAILURE, print_error};

/// The number of openings to list.
const TOP: usize = 10;
/// The most lines of the chart of years; more years are grouped.
const MAX_YEARS: u16 = 20;

/// Count games, results, openings and lengths
///
/// Openings are recognised by their positions, whatever the order of the moves. A broken game counts up to its first
/// error; `tabiya pgn check` shows where that is. Games of other variants count with their results only.
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
        describe(&report, screen)
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

/// Describes the numbers.
fn describe(report: &StatsReport, screen: Screen) -> String {
    let mut text = String::new();
    let number = |count: u64| screen.number(count);
    // People count the moves of both sides as one.
    let moves = report.average_plies / 2.0;
    let mut facts = vec![format!(
        "{} {}, {} plies: {moves:.1} moves per game",
        number(report.games),
        if report.games == 1 { "game" } else { "games" },
        number(report.plies),
    )];
    if report.broken > 0 {
        facts.push(format!(
            "{} broken: see tabiya pgn check",
            number(report.broken)
        ));
    }
    if report.other_variants > 0 {
        facts.push(format!(
            "{} of other variants: their moves are not counted",
            number(report.other_variants)
        ));
    }
    if let Some(longest) = &report.longest {
        facts.push(format!(
            "Longest: {} moves, {}, game {} of {}",
            number(longest.plies.div_ceil(2)),
            players(&longest.white, &longest.black),
            number(longest.game),
            longest.file
        ));
    }
    for fact in facts {
        text.push_str(&screen.wrap(&fact, 2));
    }
    if report.games == 0 {
        return text;
    }
    let chart = |title, rows: Vec<(String, u64)>| {
        let chart = BarChart {
            title,
            rows: &rows,
            total: report.games,
        };
        chart.draw(screen.columns, screen.color, number)
    };

    let results = &report.results;
    let counts = [
        results.white_wins,
        results.black_wins,
        results.draws,
        results.unknown,
    ];
    let rows = GameResult::ALL.into_iter().zip(counts);
    let rows = rows.filter(|&(result, count)| count > 0 || result != GameResult::Unknown);
    let rows: Vec<_> = rows
        .map(|(result, count)| (result_name(result).to_owned(), count))
        .collect();
    text.push_str(&chart("Results", rows));

    let openings = report.openings.iter();
    let rows: Vec<_> = openings
        .map(|opening| (format!("{} {}", opening.eco, opening.name), opening.games))
        .collect();
    text.push_str(&chart("Openings", rows));
    text.push_str(&chart("Years", group_years(&report.years, MAX_YEARS)));
    text
}

const fn result_name(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "White wins",
        GameResult::BlackWins => "Black wins",
        GameResult::Draw => "Draw",
        GameResult::Unknown => "Unknown",
    }
}
