//! The numbers of all games in words and charts.

use tabiya_display::chart::{BarChart, group_years};
use tabiya_display::style::ReportStyle;
use tabiya_notation::GameResult;

use crate::check::player_names;
use crate::stats_report::StatsReport;

/// The most lines of the chart of years; more years are grouped.
const MAX_YEARS: u16 = 20;

impl StatsReport {
    /// Describes the numbers in lines of text.
    pub fn text(&self, style: ReportStyle) -> String {
        let mut text = String::new();
        let number = |count: u64| style.number(count);
        // People count the moves of both sides as one.
        let moves = self.average_plies / 2.0;
        let mut facts = vec![format!(
            "{}, {}: {moves:.1} moves per game",
            style.counted(self.games, "game"),
            style.counted(self.plies, "half-move"),
        )];
        if self.broken > 0 {
            facts.push(format!(
                "{} broken: counted up to the error",
                number(self.broken)
            ));
        }
        if self.other_variants > 0 {
            facts.push(format!(
                "{} of other variants: their moves are not counted",
                number(self.other_variants)
            ));
        }
        if let Some(longest) = &self.longest {
            facts.push(format!(
                "Longest: {} moves, {}, game {} of {}",
                number(longest.plies.div_ceil(2)),
                player_names(&longest.white, &longest.black),
                number(longest.game),
                longest.file
            ));
        }
        for fact in facts {
            text.push_str(&style.wrap(&fact, 2));
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
            chart.draw(style)
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
