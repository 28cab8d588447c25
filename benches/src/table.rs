//! The results as a table.

use crate::race::Standing;

/// A speed that is shown: the amount of something in a second.
pub struct Unit<'a, C> {
    /// The heading of its column.
    pub name: &'a str,
    /// The number of digits behind the point.
    pub decimals: usize,
    /// The amount in what was counted in a round.
    pub amount: &'a dyn Fn(&C) -> f64,
}

/// What a table shows of a race.
pub struct Layout<'a, C> {
    /// The speeds, of which the first is compared.
    pub units: &'a [Unit<'a, C>],
    /// Those the others are compared with, by name.
    pub baselines: &'a [&'a str],
    /// A last column: its heading, and a cell for each line.
    pub last: Option<(&'a str, Vec<String>)>,
}

/// Writes the standings as a table in Markdown that is also readable as it is.
pub fn render<C>(standings: &[Standing<C>], layout: &Layout<'_, C>) -> String {
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

fn header<C>(layout: &Layout<'_, C>) -> Vec<String> {
    let mut header = vec!["library".to_owned()];
    header.extend(layout.units.iter().map(|unit| unit.name.to_owned()));
    header.push("slowest round".to_owned());
    header.extend(layout.baselines.iter().map(|name| format!("to {name}")));
    header
}

fn row<C>(
    standing: &Standing<C>,
    standings: &[Standing<C>],
    layout: &Layout<'_, C>,
) -> Vec<String> {
    let best = standing.best.as_secs_f64();
    let slowest = best / standing.worst.as_secs_f64() - 1.0;
    let mut row = vec![format!("{} {}", standing.name, standing.version)];
    row.extend(layout.units.iter().map(|unit| {
        let speed = (unit.amount)(&standing.counts) / best;
        format!("{speed:.*}", unit.decimals)
    }));
    row.push(format!("{:+.1} %", slowest * 100.0));
    // All have counted the same: the times compare as the speeds do.
    row.extend(layout.baselines.iter().map(|name| {
        match standings.iter().find(|standing| standing.name == *name) {
            Some(baseline) => format!("{:.2}", baseline.best.as_secs_f64() / best),
            None => "?".to_owned(),
        }
    }));
    row
}

/// One line of the table: the first column to the left, the numbers to the right.
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
            &Layout {
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
            &Layout {
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
