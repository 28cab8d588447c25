//! Bar charts.

use std::collections::BTreeMap;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::style::ReportStyle;
use crate::text::clipped;

/// The greatest width of a chart, and the width if that of the screen is unknown.
const MAX_COLUMNS: usize = 80;
const MAX_BAR: usize = 40;

const BAR: Style = AnsiColor::Green.on_default();
const BOLD: Style = Style::new().bold();

/// A chart with a line for each row: its name, a bar, its share of the total, and its number.
pub struct BarChart<'a> {
    /// The title.
    pub title: &'a str,
    /// Names and numbers.
    pub rows: &'a [(String, u64)],
    /// What the shares refer to.
    pub total: u64,
}

impl BarChart<'_> {
    /// Draws the chart, with finer bars if the screen has colours.
    pub fn draw(&self, style: ReportStyle) -> String {
        let mut text = String::new();
        let Some(largest) = self.rows.iter().map(|&(_, count)| count).max() else {
            return text;
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", self.title);
        let columns = style.columns.unwrap_or(MAX_COLUMNS).min(MAX_COLUMNS);
        let number_width = style.number(largest).len();
        // Two spaces, the name, a space, the bar, a space, `100.0 %`, a space and the number.
        let free = columns.saturating_sub(2 + 1 + 1 + 7 + 1 + number_width);
        let widest = self.rows.iter().map(|(name, _)| name.chars().count()).max();
        let name_width = widest.unwrap_or(0).min(free.saturating_sub(10).max(8));
        let bar_width = free.saturating_sub(name_width).min(MAX_BAR);
        for (name, count) in self.rows {
            let name = clipped(name, name_width as u16);
            let bar = bar(*count, largest, bar_width, style.color);
            let fill = bar_width.saturating_sub(bar.chars().count());
            let share = *count as f64 * 100.0 / self.total.max(1) as f64;
            let _ = writeln!(
                text,
                "  {name:name_width$} {BAR}{bar}{BAR:#}{:fill$} {share:5.1} % {:>number_width$}",
                "",
                style.number(*count)
            );
        }
        text
    }
}

/// A bar, in eighths of a column if the screen can show more than ASCII.
fn bar(count: u64, largest: u64, width: usize, fine: bool) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = count as f64 / largest.max(1) as f64;
    if fine {
        let eighths = (share * width as f64 * 8.0).round() as usize;
        format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
    } else {
        "#".repeat((share * width as f64).round() as usize)
    }
}

/// Makes rows of the numbers by year. If there are more than `max_rows`, years are grouped by 5, 10, 20 and so on.
pub fn group_years(years: &BTreeMap<u16, u64>, max_rows: u16) -> Vec<(String, u64)> {
    let (Some((&first, _)), Some((&last, _))) = (years.first_key_value(), years.last_key_value())
    else {
        return Vec::new();
    };
    let steps = [1, 5, 10, 20, 50, 100, 200, 500, 1000];
    let groups = |step: u16| last / step - first / step + 1;
    let step = steps.into_iter().find(|&step| groups(step) <= max_rows);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_years_are_grouped() {
        let some: BTreeMap<u16, u64> = [(1999, 2), (2001, 3)].into();
        let rows = [("1999".into(), 2), ("2000".into(), 0), ("2001".into(), 3)];
        assert_eq!(group_years(&some, 20), rows);
        let many: BTreeMap<u16, u64> = (1901..=2000).map(|year| (year, 1)).collect();
        let rows = group_years(&many, 20);
        assert_eq!(rows.len(), 11);
        assert_eq!(rows[0], ("1900-1909".into(), 9));
        let odd: BTreeMap<u16, u64> = [(1, 1), (9999, 1)].into();
        assert_eq!(group_years(&odd, 20).len(), 20);
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
        let chart = BarChart {
            title: "Chart",
            rows: &rows,
            total: 2_000_000,
        };
        for columns in [Some(40), Some(60), Some(80), Some(200), None] {
            for color in [false, true] {
                let text = chart.draw(ReportStyle {
                    color,
                    columns,
                    grouped: true,
                });
                let text = text
                    .replace(&format!("{BAR}"), "")
                    .replace(&format!("{BAR:#}"), "");
                let text = text.replace(&format!("{BOLD}"), "");
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
