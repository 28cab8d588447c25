//! `tabiya selfplay inspect`: shows what a file holds.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tabiya_board::Color;
use tabiya_selfplay::{
    EndReason, FileKind, FileSummary, Inspection, SCORE_BANDS, SearchedPosition, inspect_file,
};

use super::with_name;
use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// The width of the longest bar of the histogram, and of what comes before it.
const BAR: u64 = 40;
const BEFORE_BAR: usize = 13 + 1 + 12 + 1;
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
        as_json(&found, screen)?
    } else {
        as_text(&found, screen)?
    };
    Ok(text.into())
}

fn title(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Blocks => "games with their records",
        FileKind::Sample => "sample of whole games",
        FileKind::Records => "bare records",
    }
}

/// Returns the lowest and the highest score of a band.
fn band_ends(band: usize) -> [i16; 2] {
    let last = band + 2 == SCORE_BANDS.len();
    [SCORE_BANDS[band], SCORE_BANDS[band + 1] - i16::from(!last)]
}

fn as_json(found: &Inspection, screen: Screen) -> anyhow::Result<String> {
    let FileSummary {
        games,
        positions,
        results: [lost, drawn, won],
        endings,
        scores,
    } = found.summary;
    let endings: serde_json::Map<_, _> = EndReason::ALL
        .iter()
        .zip(endings)
        .map(|(ending, count)| (ending.to_string(), count.into()))
        .collect();
    let scores: Vec<_> = scores
        .iter()
        .enumerate()
        .map(|(band, count)| {
            let [from, to] = band_ends(band);
            json!({"from": from, "to": to, "count": count})
        })
        .collect();
    let first: Vec<_> = found
        .first
        .iter()
        .map(|shown| {
            json!({
                "fen": shown.fen,
                "move": shown.mv.to_string(),
                "score": shown.score,
                "result": shown.result.to_string(),
            })
        })
        .collect();
    let settings = found.settings.map(|settings| {
        let rule = settings.adjudication;
        json!({
            "seed": settings.seed,
            "nodes": settings.nodes,
            "network": settings.network.0,
            "random_plies": settings.random_plies,
            "worst_opening": settings.max_opening_score,
            "win_score": rule.win_score,
            "win_plies": rule.win_plies,
            "draw_score": rule.draw_score,
            "draw_plies": rule.draw_plies,
            "draw_after": rule.draw_after,
        })
    });
    screen.json(&json!({
        "kind": title(found.kind),
        "settings": settings,
        "games": games,
        "positions": positions,
        "results": {"white": won, "drawn": drawn, "black": lost},
        "endings": endings,
        "scores": scores,
        "first": first,
        "trouble": found.error.map(|error| error.to_string()),
    }))
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
    writeln!(text, "{}", title(found.kind))?;
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
    writeln!(text, "\nscores")?;
    let most = scores.iter().copied().max().unwrap_or(0).max(1);
    let room = screen.columns.map_or(BAR, |columns| {
        (columns.saturating_sub(BEFORE_BAR) as u64).min(BAR)
    });
    for (band, &count) in scores.iter().enumerate() {
        let [from, to] = band_ends(band);
        let name = match band {
            0 => "mated".to_owned(),
            _ if band + 1 == scores.len() => "mates".to_owned(),
            1 => format!("to {to}"),
            _ if band + 2 == scores.len() => format!("from {from}"),
            _ => format!("{from} to {to}"),
        };
        let bar = "#".repeat((count * room).div_ceil(most) as usize);
        let line = format!("{name:>13} {:>12} {bar}", number(count));
        writeln!(text, "{}", line.trim_end())?;
    }
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
