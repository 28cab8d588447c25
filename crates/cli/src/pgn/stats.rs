//! `tabiya pgn stats`: what is in files of games, in numbers.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::LazyLock;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use tabiya_board::{Board, Move};
use tabiya_notation::GameResult;
use tabiya_notation::pgn::{Batch, Reader, decode_tag};
use tabiya_notation::{PieceLetters, Opening, opening, openings};

use super::letters;
use super::progress::Progress;
use super::replay::{Watch, players, replay};
use super::work::each_batch;
use crate::arguments::{cores, parse_threads};
use crate::examples;
use crate::input::name;
use crate::screen::{Answer, Screen};
use crate::{FAILURE, complain};

/// How many openings are named.
const TOP: usize = 10;
/// How many lines the chart of years has at most: more years are put together.
const MOST_YEARS: u16 = 20;
/// The width of the charts where nobody knows that of the screen.
const COLUMNS: usize = 80;

/// Count games, results, openings and lengths
///
/// Openings are recognised by their positions, whatever the order of the moves. A game that is broken counts with the
/// moves before the place; `tabiya pgn check` says where that is.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn stats games.pgn"
    "tabiya pgn stats lichess_db_standard_rated_2013-01.pgn.zst"
    "tabiya pgn stats --json games.pgn | jq .openings[0].name"
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

    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
}

/// Games counted.
#[derive(Default)]
struct Counts {
    games: u64,
    plies: u64,
    broken: u64,
    /// White wins, Black wins, draws, and those that nobody knows.
    results: [u64; 4],
    openings: HashMap<(&'static str, &'static str), u64>,
    years: BTreeMap<u16, u64>,
    longest: Option<Longest>,
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

impl Counts {
    fn add(&mut self, mut other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.broken += other.broken;
        for (count, more) in self.results.iter_mut().zip(other.results) {
            *count += more;
        }
        for (opening, more) in other.openings {
            *self.openings.entry(opening).or_default() += more;
        }
        for (year, more) in other.years {
            *self.years.entry(year).or_default() += more;
        }
        let plies = |longest: &Option<Longest>| longest.as_ref().map_or(0, |game| game.plies);
        if plies(&other.longest) > plies(&self.longest) {
            self.longest = other.longest.take();
        }
    }
}

/// What is remembered of a game while it is played over.
struct Memory {
    board: Board,
    plies: u64,
    opening: Option<Opening>,
    /// Whether the opening can still change.
    in_book: bool,
    result: Option<GameResult>,
    year: Option<u16>,
}

/// No opening of the table has more moves of both sides.
static LONGEST_OPENING: LazyLock<u64> = LazyLock::new(|| {
    let plies = |opening: Opening| {
        let words = opening.moves.split_whitespace();
        words
            .filter(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()))
            .count() as u64
    };
    openings().map(plies).max().unwrap_or(0)
});

impl Memory {
    fn new() -> Self {
        Self {
            board: Board::start(),
            plies: 0,
            opening: None,
            in_book: true,
            result: None,
            year: None,
        }
    }
}

impl Watch for Memory {
    fn tag(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"Result" => self.result = result(value),
            b"Date" => self.year = year(value),
            b"UTCDate" => self.year = self.year.or_else(|| year(value)),
            _ => {}
        }
    }

    #[inline]
    fn played(&mut self, mv: Move) {
        self.plies += 1;
        if self.in_book {
            self.board.play_unchecked(mv);
            self.opening = opening(&self.board).or(self.opening);
            self.in_book = self.plies < *LONGEST_OPENING;
        }
    }

    fn passed(&mut self) {
        self.plies += 1;
        self.in_book = false;
    }

    fn starts(&mut self, board: &Board) {
        self.board = *board;
    }
}

fn result(value: &[u8]) -> Option<GameResult> {
    RESULTS
        .into_iter()
        .map(|(result, _)| result)
        .find(|result| result.as_str().as_bytes() == value)
}

/// The results and what they are called.
const RESULTS: [(GameResult, &str); 4] = [
    (GameResult::WhiteWins, "White wins"),
    (GameResult::BlackWins, "Black wins"),
    (GameResult::Draw, "Draw"),
    (GameResult::Unknown, "Unknown"),
];

/// The year of a date such as 1857.10.??.
fn year(date: &[u8]) -> Option<u16> {
    let digits = date.get(..4)?;
    let is_year = digits.iter().all(u8::is_ascii_digit) && date.get(4).is_none_or(|&b| b == b'.');
    let year = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (is_year && year > 0).then_some(year)
}

fn count(batch: &Batch, letters: &PieceLetters) -> Counts {
    let mut reader = Reader::new(&batch.text);
    let mut counts = Counts::default();
    let mut memory = Memory::new();
    while let Some(game) = replay(&mut reader, letters, &mut memory) {
        let Memory {
            plies,
            opening,
            result,
            year,
            ..
        } = std::mem::replace(&mut memory, Memory::new());
        counts.games += 1;
        counts.plies += plies;
        counts.broken += u64::from(game.failure.is_some());
        let result = game.result.or(result).unwrap_or(GameResult::Unknown);
        counts.results[result as usize] += 1;
        if let Some(opening) = opening {
            *counts
                .openings
                .entry((opening.eco, opening.name))
                .or_default() += 1;
        }
        if let Some(year) = year {
            *counts.years.entry(year).or_default() += 1;
        }
        if counts
            .longest
            .as_ref()
            .is_none_or(|longest| plies > longest.plies)
        {
            counts.longest = Some(Longest {
                plies,
                file: String::new(),
                game: counts.games,
                white: decode_tag(game.white).into_owned(),
                black: decode_tag(game.black).into_owned(),
            });
        }
    }
    counts
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let threads = arguments.threads.unwrap_or_else(cores);
    let mut progress = Progress::new(&arguments.files, true);
    let mut all = Counts::default();
    let mut code = 0;
    each_batch(
        &arguments.files,
        threads,
        &mut progress,
        |batch| count(batch, &arguments.read.letters),
        |progress, place, counts| {
            let mut counts = match counts {
                Ok(counts) => counts,
                Err(error) => {
                    progress.clear();
                    complain(error);
                    code = FAILURE;
                    return Ok(0);
                }
            };
            if let Some(longest) = &mut counts.longest {
                longest.game += place.games_before;
                longest.file = name(&arguments.files[place.file]);
            }
            let games = counts.games;
            all.add(counts);
            Ok(games)
        },
    )?;
    progress.clear();
    let report = Report::of(all);
    let text = if arguments.json {
        screen.json(&report)?
    } else {
        report.text(screen)?
    };
    Ok(Answer { text, code })
}

/// The numbers, for programs as they stand.
#[derive(Serialize)]
struct Report {
    games: u64,
    plies: u64,
    average_plies: f64,
    broken: u64,
    results: Results,
    /// The most common ones, the most common first.
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
    fn of(counts: Counts) -> Self {
        let mut openings: Vec<Played> = counts
            .openings
            .into_iter()
            .map(|((eco, name), games)| Played { eco, name, games })
            .collect();
        openings
            .sort_by_key(|opening| (std::cmp::Reverse(opening.games), opening.eco, opening.name));
        openings.truncate(TOP);
        let [white_wins, black_wins, draws, unknown] = counts.results;
        Self {
            games: counts.games,
            plies: counts.plies,
            average_plies: counts.plies as f64 / counts.games.max(1) as f64,
            broken: counts.broken,
            results: Results {
                white_wins,
                black_wins,
                draws,
                unknown,
            },
            openings,
            longest: counts.longest,
            years: counts.years,
        }
    }

    fn text(&self, screen: Screen) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let number = |count: u64| screen.number(count);
        // Moves are counted in pairs, as people do.
        let moves = self.average_plies / 2.0;
        let mut facts = vec![format!(
            "{} {}, {} plies: {moves:.1} moves a game",
            number(self.games),
            if self.games == 1 { "game" } else { "games" },
            number(self.plies),
        )];
        if self.broken > 0 {
            facts.push(format!(
                "{} broken: tabiya pgn check says where",
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
        let rows = RESULTS.iter().zip(counts);
        let rows = rows.filter(|&((result, _), count)| count > 0 || *result != GameResult::Unknown);
        let rows: Vec<_> = rows
            .map(|(&(_, name), count)| (name.to_owned(), count))
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

/// Years, or where there are too many for a chart, groups of 5, 10, 20 … years.
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

/// A chart with a line for each row: its name, its bar, its share of all and its number.
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
        let name = shortened(name, name_width);
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

/// A text cut to a width.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(2)).collect();
    format!("{}..", kept.trim_end())
}

/// A bar: in eighths of a column where there are colours, and with them more than letters.
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
    fn years_of_dates() {
        for (date, expected) in [
            ("1857.10.??", Some(1857)),
            ("2024", Some(2024)),
            ("????.??.??", None),
            ("0000.00.00", None),
            ("18571010", None),
            ("", None),
        ] {
            assert_eq!(year(date.as_bytes()), expected, "{date}");
        }
    }

    #[test]
    fn many_years_are_put_together() {
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
