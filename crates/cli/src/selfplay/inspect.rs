//! `tabiya selfplay inspect`: shows what a file holds.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tabiya_board::Color;
use tabiya_display::chart::BarChart;
use tabiya_selfplay::{
    EndReason, FileKind, FileSummary, Inspection, SearchedPosition, inspect_file, score_band,
};

use super::with_name;
use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// The width of what comes before the numbers.
const LABEL: usize = 11;

/// Summarise a file of training games
///
/// Shows games, positions, results, how the games ended, scores, and the first positions. Scores are in centipawns,
/// from the side to move's point of view. Use check to verify a file.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya selfplay inspect games.records"
    "tabiya selfplay inspect sample.games --first 20 --json"
))]
pub(crate) struct Arguments {
    /// File to inspect
    file: PathBuf,

    /// Number of positions to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    first: usize,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let path = &arguments.file;
    let found = inspect_file(path, arguments.first).map_err(|error| with_name(path, error))?;
    let text = if arguments.json {
        screen.json(&found.to_json())?
    } else {
        as_text(&found, screen)?
    };
    Ok(text.into())
}

fn as_text(found: &Inspection, screen: Screen) -> anyhow::Result<String> {
    let FileSummary {
        games,
        positions,
        results: [lost, drawn, won],
        endings,
        scores,
    } = found.summary;
    let number = |count| screen.number(count);
    let mut text = String::new();
    writeln!(text, "{}", found.kind)?;
    if let Some(settings) = &found.settings {
        writeln!(
            text,
            "played:    {} nodes per move, seed {}",
            number(u64::from(settings.nodes)),
            settings.seed
        )?;
    }
    writeln!(text, "games:     {}", number(games))?;
    writeln!(text, "positions: {}", number(positions))?;
    let results = format!(
        "results:   {} won by White, {} drawn, {} won by Black",
        number(won),
        number(drawn),
        number(lost)
    );
    text.push_str(&screen.wrap(&results, LABEL));
    if found.kind != FileKind::Records {
        let ends: Vec<String> = EndReason::ALL
            .iter()
            .zip(endings)
            .filter(|&(_, count)| count > 0)
            .map(|(ending, count)| format!("{ending} {}", number(count)))
            .collect();
        let ends = format!("ended by:  {}", ends.join(", "));
        text.push_str(&screen.wrap(&ends, LABEL));
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
    text.push_str(&chart.draw(screen.columns, screen.color, number));
    if !found.first.is_empty() {
        writeln!(text, "\nfirst positions")?;
    }
    for SearchedPosition {
        fen,
        mv,
        score,
        result,
    } in &found.first
    {
        let turn = fen.split(' ').nth(1);
        let side = if turn == Some("b") {
            Color::Black
        } else {
            Color::White
        };
        let line = format!("{fen}; {side} plays {mv} ({score:+}); {result}");
        text.push_str(&screen.wrap(&line, 2));
    }
    if let Some(error) = found.error {
        writeln!(text, "The next position cannot be shown: {error}")?;
    }
    Ok(text)
}
