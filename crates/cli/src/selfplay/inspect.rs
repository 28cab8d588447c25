//! `tabiya selfplay inspect`: what a file holds.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tabiya_board::{Color, Line};
use tabiya_selfplay::{
    BANDS, Ending, Game, GameResult, Kind, PackedMove, Record, RecordError, Settings, Summary,
};

use super::file::{Piece, read};
use crate::examples;
use crate::screen::{Answer, Screen};

/// The width of the longest bar of the histogram, and of what stands before it.
const BAR: u64 = 40;
const BEFORE_BAR: usize = 13 + 1 + 12 + 1;
/// The width of what stands before the numbers.
const SUBJECT: usize = 11;

/// Count what a file of self-play holds
///
/// Games, positions, results, endings and scores, and the first positions. Scores are those of the side to move, in
/// hundredths of a pawn. Nothing is proved: check does that.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya selfplay inspect games.records"
    "tabiya selfplay inspect sample.games --first 20 --json"
))]
pub(crate) struct Arguments {
    /// The file
    file: PathBuf,

    /// How many positions to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    first: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A position to be shown.
struct Shown {
    fen: String,
    mv: PackedMove,
    score: i16,
    result: GameResult,
}

/// What was seen of a file.
#[derive(Default)]
struct Seen {
    summary: Summary,
    settings: Option<Settings>,
    first: Vec<Shown>,
    wanted: usize,
    last_ply: Option<u16>,
    /// What stands in the way of showing a position.
    trouble: Option<RecordError>,
}

impl Seen {
    fn record(&mut self, record: &Record) {
        self.summary.add_score(record.score);
        if self.first.len() < self.wanted && self.trouble.is_none() {
            match (record.board(), record.result()) {
                (Ok(board), Ok(result)) => self.first.push(Shown {
                    fen: board.to_string(),
                    mv: record.move_found(),
                    score: record.score,
                    result,
                }),
                (Err(error), _) | (_, Err(error)) => self.trouble = Some(error),
            }
        }
    }

    fn game(&mut self, game: &Game) {
        self.summary.add_game(game.result, Some(game.ending));
        let mut line = (self.first.len() < self.wanted).then(Line::default);
        let opening = game.opening.iter().map(|&mv| (mv, None));
        let searched = game.searched.iter().map(|&(mv, score)| (mv, Some(score)));
        for (mv, score) in opening.chain(searched) {
            if let Some(score) = score {
                self.summary.add_score(score);
            }
            let Some(now) = &mut line else { continue };
            if let Some(score) = score.filter(|_| self.first.len() < self.wanted) {
                self.first.push(Shown {
                    fen: now.board().to_string(),
                    mv,
                    score,
                    result: game.result,
                });
            }
            match mv.on(now.board()) {
                Ok(mv) => now.play(mv),
                Err(_) => line = None,
            }
        }
    }

    fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Block(block, settings) => {
                self.settings = Some(settings);
                self.summary.add_game(block.result, Some(block.ending));
                for record in &block.records {
                    self.record(record);
                }
            }
            Piece::Game(game) => self.game(&game),
            Piece::Record(record) => {
                // The records of a game follow one another.
                let goes_on = self
                    .last_ply
                    .is_some_and(|ply| record.ply == ply.wrapping_add(1));
                if !goes_on && let Ok(result) = record.result() {
                    self.summary.add_game(result, None);
                }
                self.last_ply = Some(record.ply);
                self.record(&record);
            }
        }
    }
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let mut seen = Seen {
        wanted: arguments.first,
        ..Seen::default()
    };
    let kind = read(&arguments.file, &mut |piece| seen.piece(piece))?;
    let text = if arguments.json {
        as_json(&seen, kind, screen)?
    } else {
        as_text(&seen, kind, screen)?
    };
    Ok(text.into())
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Blocks => "games with their records",
        Kind::Sample => "sample of whole games",
        Kind::Records => "bare records",
    }
}

/// The lowest and the highest score of a band.
fn band_ends(band: usize) -> [i16; 2] {
    let last = band + 2 == BANDS.len();
    [BANDS[band], BANDS[band + 1] - i16::from(!last)]
}

fn as_json(seen: &Seen, kind: Kind, screen: Screen) -> anyhow::Result<String> {
    let Summary {
        games,
        positions,
        results: [lost, drawn, won],
        endings,
        scores,
    } = seen.summary;
    let endings: serde_json::Map<_, _> = Ending::ALL
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
    let first: Vec<_> = seen
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
    let settings = seen.settings.map(|settings| {
        let rule = settings.adjudication;
        json!({
            "seed": settings.seed,
            "nodes": settings.nodes,
            "network": settings.network.0,
            "random_plies": settings.random_plies,
            "worst_opening": settings.worst_opening,
            "win_score": rule.win_score,
            "win_plies": rule.win_plies,
            "draw_score": rule.draw_score,
            "draw_plies": rule.draw_plies,
            "draw_after": rule.draw_after,
        })
    });
    screen.json(&json!({
        "kind": title(kind),
        "settings": settings,
        "games": games,
        "positions": positions,
        "results": {"white": won, "drawn": drawn, "black": lost},
        "endings": endings,
        "scores": scores,
        "first": first,
        "trouble": seen.trouble.map(|error| error.to_string()),
    }))
}

fn as_text(seen: &Seen, kind: Kind, screen: Screen) -> anyhow::Result<String> {
    let Summary {
        games,
        positions,
        results: [lost, drawn, won],
        endings,
        scores,
    } = seen.summary;
    let number = |count| screen.number(count);
    let mut text = String::new();
    writeln!(text, "{}", title(kind))?;
    if let Some(settings) = &seen.settings {
        writeln!(
            text,
            "played:    {} nodes a move, seed {}",
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
    text.push_str(&screen.wrap(&results, SUBJECT));
    if kind != Kind::Records {
        let ends: Vec<String> = Ending::ALL
            .iter()
            .zip(endings)
            .filter(|&(_, count)| count > 0)
            .map(|(ending, count)| format!("{ending} {}", number(count)))
            .collect();
        let ends = format!("endings:   {}", ends.join(", "));
        text.push_str(&screen.wrap(&ends, SUBJECT));
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
    if !seen.first.is_empty() {
        writeln!(text, "\nfirst positions")?;
    }
    for Shown {
        fen,
        mv,
        score,
        result,
    } in &seen.first
    {
        let turn = fen.split(' ').nth(1);
        let side = if turn == Some("b") {
            Color::Black
        } else {
            Color::White
        };
        let line = format!("{fen}; {side} found {mv} ({score:+}); {result}");
        text.push_str(&screen.wrap(&line, 2));
    }
    if let Some(error) = seen.trouble {
        writeln!(text, "the next one cannot be shown: {error}")?;
    }
    Ok(text)
}
