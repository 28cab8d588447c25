//! `tabiya pgn stats`: what is in files of games, in numbers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tabiya_display::chart::{BarChart, group_years};
use tabiya_games::{Collector, InputError, Place, Stats, count, display_name, process};
use tabiya_notation::GameResult;

use super::progress::ProgressBar;
use super::{ReadOptions, players};
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
/// error; `tabiya pgn check` shows where that is.
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
    let report = StatsReport::of(sum.stats, sum.longest);
    let text = if arguments.json {
        screen.json(&report)?
    } else {
        report.text(screen)
    };
    Ok(CommandOutput { text, code })
}

/// Adds up the numbers of all batches.
struct Sum<'a> {
    files: &'a [PathBuf],
    progress: ProgressBar,
    stats: Stats,
    longest: Option<Longest>,
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
        let games = stats.games;
        if self.stats.add(stats) {
            self.longest = self.stats.longest.as_ref().map(|longest| Longest {
                plies: longest.plies,
                file: display_name(&self.files[place.file]),
                game: place.games_before + longest.index + 1,
                white: longest.white.clone(),
                black: longest.black.clone(),
            });
        }
        Ok(games)
    }

    fn progress(&mut self, bytes_read: u64) {
        self.progress.show(bytes_read);
    }
}

#[derive(Serialize)]
struct Longest {
    plies: u64,
    file: String,
    /// Its number in its file.
    game: u64,
    white: String,
    black: String,
}

/// The numbers, in JSON as they are.
#[derive(Serialize)]
struct StatsReport {
    games: u64,
    plies: u64,
    average_plies: f64,
    broken: u64,
    results: Results,
    /// The most common openings.
    openings: Vec<Played>,
    longest: Option<Longest>,
    /// The games by year.
    years: BTreeMap<u16, u64>,
}

#[derive(Serialize)]
struct Results {
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    unknown: u64,
}

#[derive(Serialize)]
struct Played {
    eco: &'static str,
    name: &'static str,
    games: u64,
}

impl StatsReport {
    fn of(stats: Stats, longest: Option<Longest>) -> Self {
        let mut openings: Vec<Played> = stats
            .openings
            .into_iter()
            .map(|((eco, name), games)| Played { eco, name, games })
            .collect();
        openings
            .sort_by_key(|opening| (std::cmp::Reverse(opening.games), opening.eco, opening.name));
        openings.truncate(TOP);
        let [white_wins, black_wins, draws, unknown] = stats.results;
        Self {
            games: stats.games,
            plies: stats.plies,
            average_plies: stats.plies as f64 / stats.games.max(1) as f64,
            broken: stats.broken,
            results: Results {
                white_wins,
                black_wins,
                draws,
                unknown,
            },
            openings,
            longest,
            years: stats.years,
        }
    }

    fn text(&self, screen: Screen) -> String {
        let mut text = String::new();
        let number = |count: u64| screen.number(count);
        // People count the moves of both sides as one.
        let moves = self.average_plies / 2.0;
        let mut facts = vec![format!(
            "{} {}, {} plies: {moves:.1} moves per game",
            number(self.games),
            if self.games == 1 { "game" } else { "games" },
            number(self.plies),
        )];
        if self.broken > 0 {
            facts.push(format!(
                "{} broken: see tabiya pgn check",
                number(self.broken)
            ));
        }
        if let Some(longest) = &self.longest {
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
        if self.games == 0 {
            return text;
        }
        let chart = |title, rows: Vec<(String, u64)>| {
            let chart = BarChart {
                title,
                rows: &rows,
                total: self.games,
            };
            chart.draw(screen.columns, screen.color, number)
        };

        let results = &self.results;
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

        let openings = self.openings.iter();
        let rows: Vec<_> = openings
            .map(|opening| (format!("{} {}", opening.eco, opening.name), opening.games))
            .collect();
        text.push_str(&chart("Openings", rows));
        text.push_str(&chart("Years", group_years(&self.years, MAX_YEARS)));
        text
    }
}

const fn result_name(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "White wins",
        GameResult::BlackWins => "Black wins",
        GameResult::Draw => "Draw",
        GameResult::Unknown => "Unknown",
    }
}
