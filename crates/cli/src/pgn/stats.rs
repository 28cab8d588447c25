//! `tabiya pgn stats`: what is in files of games, in numbers.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use tabiya_display::text::clipped;
use tabiya_games::{Collector, InputError, Place, Stats, count, display_name, process};
use tabiya_notation::GameResult;

use super::progress::Progress;
use super::{ReadOptions, players};
use crate::examples;
use crate::screen::{CommandOutput, Screen};
use crate::{FAILURE, print_error};

/// The number of openings to list.
const TOP: usize = 10;
/// The most lines of the chart of years: more years are grouped.
const MOST_YEARS: u16 = 20;
/// The width of the charts if that of the screen is not known.
const COLUMNS: usize = 80;

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
        progress: Progress::new(&arguments.files, true),
        stats: Stats::default(),
        longest: None,
        code: 0,
    };
    process(
        &arguments.files,
        arguments.read.threads(),
        |batch| count(batch, &letters),
        &mut sum,
    )?;
    sum.progress.clear();
    let code = sum.code;
    let report = Report::of(sum.stats, sum.longest);
    let text = if arguments.json {
        screen.json(&report)?
    } else {
        report.text(screen)?
    };
    Ok(CommandOutput { text, code })
}

/// Adds up the numbers of all batches.
struct Sum<'a> {
    files: &'a [PathBuf],
    progress: Progress,
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
struct Report {
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

impl Report {
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

    fn text(&self, screen: Screen) -> Result<String, std::fmt::Error> {
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
            return Ok(text);
        }

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
        write_chart(&mut text, "Results", &rows, self.games, screen)?;

        let openings = self.openings.iter();
        let rows: Vec<_> = openings
            .map(|opening| (format!("{} {}", opening.eco, opening.name), opening.games))
            .collect();
        write_chart(&mut text, "Openings", &rows, self.games, screen)?;
        write_chart(&mut text, "Years", &years(&self.years), self.games, screen)?;
        Ok(text)
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

/// The years; if there are too many for a chart, in groups of 5, 10, 20 …
fn years(years: &BTreeMap<u16, u64>) -> Vec<(String, u64)> {
    let (Some((&first, _)), Some((&last, _))) = (years.first_key_value(), years.last_key_value())
    else {
        return Vec::new();
    };
    let steps = [1, 5, 10, 20, 50, 100, 200, 500, 1000];
    let groups = |step: u16| last / step - first / step + 1;
    let step = steps.into_iter().find(|&step| groups(step) <= MOST_YEARS);
    let step = step.unwrap_or(1000);
    (first / step..=last / step)
        .map(|group| {
            let (from, to) = (group * step, group * step + (step - 1));
            let count = years.range(from..=to).map(|(_, count)| count).sum();
            let label = if step == 1 {
                from.to_string()
            } else {
                format!("{from}-{to}")
            };
            (label, count)
        })
        .collect()
}

const BAR: Style = AnsiColor::Green.on_default();

/// Writes a chart with a line for each row: its name, bar, share and number.
fn write_chart(
    text: &mut String,
    title: &str,
    rows: &[(String, u64)],
    all: u64,
    screen: Screen,
) -> std::fmt::Result {
    let Some(most) = rows.iter().map(|&(_, count)| count).max() else {
        return Ok(());
    };
    let bold = Style::new().bold();
    writeln!(text, "\n{bold}{title}{bold:#}")?;
    let columns = screen.columns.unwrap_or(COLUMNS).min(COLUMNS);
    let number_width = screen.number(most).len();
    // Two spaces, the name, a space, the bar, a space, `100.0 %`, a space and the number.
    let free = columns.saturating_sub(2 + 1 + 1 + 7 + 1 + number_width);
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max();
    let name_width = widest.unwrap_or(0).min(free.saturating_sub(10).max(8));
    let bar_width = free.saturating_sub(name_width).min(40);
    for (name, count) in rows {
        let name = clipped(name, name_width as u16);
        let bar = bar(*count, most, bar_width, screen);
        let fill = bar_width.saturating_sub(bar.chars().count());
        let share = *count as f64 * 100.0 / all.max(1) as f64;
        writeln!(
            text,
            "  {name:name_width$} {BAR}{bar}{BAR:#}{:fill$} {share:5.1} % {:>number_width$}",
            "",
            screen.number(*count)
        )?;
    }
    Ok(())
}

/// A bar, in eighths of a column on a screen with colours, which can show more than ASCII.
fn bar(count: u64, most: u64, width: usize, screen: Screen) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = count as f64 / most.max(1) as f64;
    if screen.color {
        let eighths = (share * width as f64 * 8.0).round() as usize;
        format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
    } else {
        "#".repeat((share * width as f64).round() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_years_are_grouped() {
        let some: BTreeMap<u16, u64> = [(1999, 2), (2001, 3)].into();
        let rows = [("1999".into(), 2), ("2000".into(), 0), ("2001".into(), 3)];
        assert_eq!(years(&some), rows);
        let many: BTreeMap<u16, u64> = (1901..=2000).map(|year| (year, 1)).collect();
        let rows = years(&many);
        assert_eq!(rows.len(), 11);
        assert_eq!(rows[0], ("1900-1909".into(), 9));
        let odd: BTreeMap<u16, u64> = [(1, 1), (9999, 1)].into();
        assert_eq!(years(&odd).len(), 20);
    }

    #[test]
    fn charts_fit_the_screen() {
        let rows = [
            (
                "Queen's Gambit Declined: Three Knights Variation".to_owned(),
                1_234_567,
            ),
            ("Draw".to_owned(), 1),
            ("None".to_owned(), 0),
        ];
        for columns in [Some(40), Some(60), Some(80), Some(200), None] {
            for color in [false, true] {
                let screen = Screen {
                    color,
                    terminal: true,
                    columns,
                };
                let mut text = String::new();
                write_chart(&mut text, "Chart", &rows, 2_000_000, screen).unwrap();
                let text = anstream::adapter::strip_str(&text).to_string();
                for line in text.lines() {
                    let width = line.chars().count();
                    assert!(
                        width <= columns.unwrap_or(80).min(80),
                        "{columns:?} {color}: {text}"
                    );
                }
            }
        }
    }
}
