//! Prints the results as a table.

use crate::race::Standing;

/// A speed to show: an amount per second.
pub struct Unit<'a, C> {
    /// The heading of its column.
    pub name: &'a str,
    /// The number of decimal places.
    pub decimals: usize,
    /// Computes the amount from the counts of a round.
    pub amount: &'a dyn Fn(&C) -> f64,
}

/// The columns of a table.
pub struct TableLayout<'a, C> {
    /// The speeds; ratios compare the first.
    pub units: &'a [Unit<'a, C>],
    /// The names of the contestants to compare with.
    pub baselines: &'a [&'a str],
    /// An optional last column: its heading and one cell per row.
    pub last: Option<(&'a str, Vec<String>)>,
}

/// Renders the standings as a Markdown table that also reads well as plain text.
pub fn render<C>(standings: &[Standing<C>], layout: &TableLayout<'_, C>) -> String {
    let mut rows = vec![header(layout)];
    rows.extend(
        standings
            .iter()
            .map(|standing| row(standing, standings, layout)),
    );
    if let Some((heading, cells)) = &layout.last {
        let cells = std::iter::once(*heading).chain(cells.iter().map(String::as_str));
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.push(cell.to_owned());
        }
    }

    let columns = rows[0].len();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let rule = widths
        .iter()
        .enumerate()
        .map(|(column, width)| {
            if column == 0 {
                "-".repeat(*width)
            } else {
                "-".repeat(width - 1) + ":"
            }
        })
        .collect();
    rows.insert(1, rule);

    rows.iter().map(|row| line(row, &widths)).collect()
}

fn header<C>(layout: &TableLayout<'_, C>) -> Vec<String> {
    let mut header = vec!["library".to_owned()];
    header.extend(layout.units.iter().map(|unit| unit.name.to_owned()));
    header.push("slowest round".to_owned());
    header.extend(layout.baselines.iter().map(|name| format!("to {name}")));
    header
}

fn row<C>(
    standing: &Standing<C>,
    standings: &[Standing<C>],
    layout: &TableLayout<'_, C>,
) -> Vec<String> {
    let best = standing.best.as_secs_f64();
    let slowest = best / standing.worst.as_secs_f64() - 1.0;
    let mut row = vec![format!("{} {}", standing.name, standing.version)];
    row.extend(layout.units.iter().map(|unit| {
        let speed = (unit.amount)(&standing.counts) / best;
        format!("{speed:.*}", unit.decimals)
    }));
    row.push(format!("{:+.1} %", slowest * 100.0));
    // All contestants counted the same, so the ratio of the times is the ratio of the speeds.
    row.extend(layout.baselines.iter().map(|name| {
        match standings.iter().find(|standing| standing.name == *name) {
            Some(baseline) => format!("{:.2}", baseline.best.as_secs_f64() / best),
            None => "?".to_owned(),
        }
    }));
    row
}

/// Renders one row, with the first column left-aligned and the numbers right-aligned.
fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::from("|");
    for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
        let cell = if column == 0 {
            format!(" {cell:<width$} |")
        } else {
            format!(" {cell:>width$} |")
        };
        line.push_str(&cell);
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn standing(name: &str, milliseconds: [u64; 2]) -> Standing<u64> {
        let [best, worst] = milliseconds.map(Duration::from_millis);
        Standing {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            counts: 1_000_000,
            best,
            worst,
        }
    }

    const UNIT: Unit<'_, u64> = Unit {
        name: "Mnodes/s",
        decimals: 1,
        amount: &|nodes| *nodes as f64 / 1e6,
    };

    #[test]
    fn speeds_and_ratios() {
        let standings = [
            standing("eschac", [10, 10]),
            standing("cozy-chess", [20, 25]),
            standing("Stockfish", [5, 5]),
        ];
        let sizes = ["40 B", "104 B", "?"].map(str::to_owned).to_vec();
        let table = render(
            &standings,
            &TableLayout {
                units: &[UNIT],
                baselines: &["eschac", "cozy-chess"],
                last: Some(("position", sizes)),
            },
        );
        let expected = "\
| library        | Mnodes/s | slowest round | to eschac | to cozy-chess | position |
| -------------- | -------: | ------------: | --------: | ------------: | -------: |
| eschac 1.0     |    100.0 |        +0.0 % |      1.00 |          2.00 |     40 B |
| cozy-chess 1.0 |     50.0 |       -20.0 % |      0.50 |          1.00 |    104 B |
| Stockfish 1.0  |    200.0 |        +0.0 % |      2.00 |          4.00 |        ? |
";
        assert_eq!(table, expected);
    }

    #[test]
    fn a_missing_baseline_is_no_error() {
        let standings = [standing("chess", [10, 10])];
        let thousands = Unit {
            name: "knodes/s",
            decimals: 0,
            amount: &|nodes| *nodes as f64 / 1e3,
        };
        let table = render(
            &standings,
            &TableLayout {
                units: &[UNIT, thousands],
                baselines: &["eschac"],
                last: None,
            },
        );
        assert!(
            table.contains("| chess 1.0 |    100.0 |   100000 |        +0.0 % |         ? |\n")
        );
    }
}
