//! What is said about a game.

use std::fmt::Write;

use anstyle::Style;
use serde::Serialize;
use tabiya_board::Color;
use tabiya_notation::pgn::{Game, GameResult};
use tabiya_notation::{opening_of, uci};
use tabiya_play::variation_text;
use tabiya_review::{Judgement, Review, ReviewedMove, Summary};
use tabiya_terminal::title;

use super::facts::{Worth, color_name};
use super::games::boards;
use super::graph::{self, Graph};
use crate::screen::Screen;

/// How many plies of a best line are shown.
const LINE: usize = 10;

/// The report for people: the graph, the summary and the bad moves.
pub(super) fn report(number: usize, game: &Game, review: &Review, screen: Screen) -> String {
    let bold = if screen.color {
        Style::new().bold()
    } else {
        Style::new()
    };
    let mut text = String::new();
    for line in screen
        .wrap(&format!("Game {number}: {}", title(game)), 2)
        .lines()
    {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{bold}{line}{bold:#}");
    }
    if let Some(opening) = opening_of(&boards(review)) {
        text.push_str(&screen.wrap(&format!("{} {}", opening.eco, opening.name), 2));
    }
    if review.moves.is_empty() {
        text.push_str("There are no moves.\n\n");
        return text;
    }
    let _ = write!(text, "\n{}\n", Graph { review, screen });
    summary(&mut text, review, bold);
    let bad = review.moves.iter().filter(|mv| mv.advice.is_some());
    for (i, mv) in bad.enumerate() {
        if i == 0 {
            text.push('\n');
        }
        bad_move(&mut text, mv, screen);
    }
    text.push('\n');
    text
}

fn summary(text: &mut String, review: &Review, bold: Style) {
    let mut row = |name: &str, cells: [String; 2], style: Style| {
        let [white, black] = cells;
        let _ = writeln!(text, "{name:<16}{style}{white:>8}{black:>9}{style:#}");
    };
    let both = |cell: &dyn Fn(&Summary) -> String| [&review.white, &review.black].map(cell);
    let plain = Style::new();
    row("", ["White".into(), "Black".into()], bold);
    let share = |accuracy: f64| format!("{accuracy:.1} %");
    row("Accuracy", both(&|side| known(side.accuracy, share)), plain);
    row(
        "Inaccuracies",
        both(&|side| side.inaccuracies.to_string()),
        plain,
    );
    row("Mistakes", both(&|side| side.mistakes.to_string()), plain);
    row("Blunders", both(&|side| side.blunders.to_string()), plain);
    let lost = |loss: f64| format!("{loss:.0}");
    row(
        "Centipawn loss",
        both(&|side| known(side.centipawn_loss, lost)),
        plain,
    );
}

fn known(number: Option<f64>, write: impl Fn(f64) -> String) -> String {
    number.map_or_else(|| "-".to_owned(), write)
}

fn bad_move(text: &mut String, mv: &ReviewedMove, screen: Screen) {
    let Some(advice) = mv.advice else {
        return;
    };
    let name = mv.name();
    let mut words = format!("{name} ({:+} → {:+}) {advice}.", mv.before, mv.after);
    let best = &mv.best[..mv.best.len().min(LINE)];
    if !best.is_empty() {
        let _ = write!(words, " Best: {}", variation_text(&mv.board, best));
    }
    let wrapped = screen.wrap(&words, 4);
    let style = if screen.color {
        graph::style(advice.judgement)
    } else {
        Style::new()
    };
    // The line is never broken within the first word, so the name can be painted unless the screen is very narrow.
    match wrapped.strip_prefix(&name) {
        Some(rest) => {
            let _ = write!(text, "{style}{name}{style:#}{rest}");
        }
        None => text.push_str(&wrapped),
    }
}

/// A game, for programs.
#[derive(Serialize)]
pub(super) struct GameFacts {
    game: usize,
    players: Players,
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningFacts>,
    white: SideFacts,
    black: SideFacts,
    start: PositionFacts,
    moves: Vec<MoveFacts>,
}

#[derive(Serialize)]
struct Players {
    white: Option<String>,
    black: Option<String>,
}

#[derive(Serialize)]
struct OpeningFacts {
    eco: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct SideFacts {
    moves: usize,
    accuracy: Option<f64>,
    centipawn_loss: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct PositionFacts {
    fen: String,
    eval: Worth,
    /// White's chances, from 0 to 100.
    win_percent: f64,
}

#[derive(Serialize)]
struct MoveFacts {
    number: u16,
    color: &'static str,
    san: String,
    uci: Option<String>,
    /// After the move.
    eval: Worth,
    win_percent: f64,
    accuracy: Option<f64>,
    judgement: Option<&'static str>,
    comment: Option<String>,
    best: Option<String>,
    best_line: String,
    depth: u32,
}

impl GameFacts {
    pub(super) fn of(number: usize, game: &Game, review: &Review) -> Self {
        let side = |color: Color| {
            let summary = review.summary(color);
            SideFacts {
                moves: summary.moves,
                accuracy: summary.accuracy.map(tenths),
                centipawn_loss: summary.centipawn_loss.map(tenths),
                inaccuracies: summary.inaccuracies,
                mistakes: summary.mistakes,
                blunders: summary.blunders,
            }
        };
        let opening = opening_of(&boards(review)).map(|opening| OpeningFacts {
            eco: opening.eco,
            name: opening.name,
        });
        Self {
            game: number,
            players: Players {
                white: game.tag("White").map(str::to_owned),
                black: game.tag("Black").map(str::to_owned),
            },
            result: game.result.map(GameResult::as_str),
            opening,
            white: side(Color::White),
            black: side(Color::Black),
            start: PositionFacts {
                fen: game.start().to_string(),
                eval: review.start.into(),
                win_percent: tenths(review.start.win_percent()),
            },
            moves: review.moves.iter().map(MoveFacts::of).collect(),
        }
    }
}

impl MoveFacts {
    fn of(mv: &ReviewedMove) -> Self {
        Self {
            number: mv.board.fullmove_number(),
            color: color_name(mv.mover()),
            san: mv.san(),
            uci: mv
                .mv
                .map(|played| uci::write(&mv.board, played).to_string()),
            eval: mv.after.into(),
            win_percent: tenths(mv.after.win_percent()),
            accuracy: mv.mv.map(|_| tenths(mv.accuracy)),
            judgement: mv.advice.map(|advice| match advice.judgement {
                Judgement::Inaccuracy => "inaccuracy",
                Judgement::Mistake => "mistake",
                Judgement::Blunder => "blunder",
            }),
            comment: mv.remark(),
            best: mv.best_san(),
            best_line: variation_text(&mv.board, &mv.best),
            depth: mv.depth,
        }
    }
}

/// No more digits than there is truth in them.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
