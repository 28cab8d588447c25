//! The contents of a file in words.

use std::fmt::Write;

use tabiya_board::Color;
use tabiya_display::chart::BarChart;
use tabiya_display::style::ReportStyle;

use crate::FileKind;
use crate::game::Termination;
use crate::inspect::{Inspection, SearchedPosition};
use crate::summary::{FileSummary, score_band};

/// The width of what comes before the numbers.
const LABEL: usize = 11;

impl Inspection {
    /// Describes everything in lines of text.
    pub fn text(&self, style: ReportStyle) -> String {
        let FileSummary {
            games,
            positions,
            results: [lost, drawn, won],
            terminations,
            scores,
        } = self.summary;
        let number = |count| style.number(count);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", self.kind);
        if let Some(settings) = &self.settings {
            let _ = writeln!(
                text,
                "played:    {} nodes per move, seed {}",
                number(u64::from(settings.nodes)),
                settings.seed
            );
        }
        let _ = writeln!(text, "games:     {}", number(games));
        let _ = writeln!(text, "positions: {}", number(positions));
        let results = format!(
            "results:   {} won by White, {} drawn, {} won by Black",
            number(won),
            number(drawn),
            number(lost)
        );
        text.push_str(&style.wrap(&results, LABEL));
        if self.kind != FileKind::Records {
            let ends: Vec<String> = Termination::ALL
                .iter()
                .zip(terminations)
                .filter(|&(_, count)| count > 0)
                .map(|(termination, count)| format!("{termination} {}", number(count)))
                .collect();
            let ends = format!("ended by:  {}", ends.join(", "));
            text.push_str(&style.wrap(&ends, LABEL));
        }
        let bands = scores.iter().enumerate().map(|(band, &count)| {
            let [from, to] = score_band(band);
            let name = match band {
                0 => "mated".to_owned(),
                _ if band + 1 == scores.len() => "mates".to_owned(),
                1 => format!("to {to}"),
                _ if band + 2 == scores.len() => format!("from {from}"),
                _ => format!("{from} to {to}"),
            };
            (name, count)
        });
        let chart = BarChart {
            title: "scores",
            rows: &bands.collect::<Vec<_>>(),
            total: positions,
        };
        text.push_str(&chart.draw(style));
        if !self.first.is_empty() {
            let _ = writeln!(text, "\nfirst positions");
        }
        for SearchedPosition {
            fen,
            mv,
            score,
            result,
        } in &self.first
        {
            let turn = fen.split(' ').nth(1);
            let side = if turn == Some("b") {
                Color::Black
            } else {
                Color::White
            };
            let line = format!("{fen}; {side} plays {mv} ({score:+}); {result}");
            text.push_str(&style.wrap(&line, 2));
        }
        if let Some(error) = self.error {
            let _ = writeln!(text, "The next position cannot be shown: {error}");
        }
        text
    }
}
