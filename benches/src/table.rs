//! The results as a table.

use crate::race::Standing;

/// Those the others are compared with, by name.
const BASELINES: [&str; 2] = ["eschac", "cozy-chess"];

/// Writes the standings as a table in Markdown that is also readable as it is.
pub fn render(standings: &[Standing]) -> String {
    let baselines = BASELINES.map(|name| standings.iter().find(|standing| standing.name == name));
    let mut rows = vec![header()];
    rows.extend(standings.iter().map(|standing| row(standing, &baselines)));

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

fn header() -> Vec<String> {
    let mut header = vec![
        "library".to_owned(),
        "Mnodes/s".to_owned(),
        "slowest round".to_owned(),
    ];
    header.extend(BASELINES.map(|name| format!("to {name}")));
    header.push("position".to_owned());
    header
}

fn row(standing: &Standing, baselines: &[Option<&Standing>]) -> Vec<String> {
    let slowest = standing.best.as_secs_f64() / standing.worst.as_secs_f64() - 1.0;
    let mut row = vec![
        format!("{} {}", standing.name, standing.version),
        format!("{:.1}", standing.speed() / 1e6),
        format!("{:+.1} %", slowest * 100.0),
    ];
    row.extend(baselines.iter().map(|baseline| match baseline {
        Some(baseline) => format!("{:.2}", standing.speed() / baseline.speed()),
        None => "?".to_owned(),
    }));
    row.push(match standing.position_size {
        Some(size) => format!("{size} B"),
        None => "?".to_owned(),
    });
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

    fn standing(name: &str, position_size: Option<usize>, milliseconds: [u64; 2]) -> Standing {
        let [best, worst] = milliseconds.map(Duration::from_millis);
        Standing {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            position_size,
            nodes: 1_000_000,
            best,
            worst,
        }
    }

    #[test]
    fn speeds_and_ratios() {
        let table = render(&[
            standing("eschac", Some(40), [10, 10]),
            standing("cozy-chess", Some(104), [20, 25]),
            standing("Stockfish", None, [5, 5]),
        ]);
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
        let table = render(&[standing("chess", Some(104), [10, 10])]);
        assert!(table.contains(
            "| chess 1.0 |    100.0 |        +0.0 % |         ? |             ? |    104 B |"
        ));
    }
}
