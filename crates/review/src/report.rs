//! The report on a game for people.

use std::fmt::Write;

use anstyle::Style;
use tabiya_display::caption::title;
use tabiya_display::style::ReportStyle;
use tabiya_display::variation::format_variation;
use tabiya_notation::opening_of_game;
use tabiya_notation::pgn::Game;

use crate::graph::{self, Graph};
use crate::review::{PlayerSummary, Review, ReviewedMove};

/// The length of the best lines shown, in plies.
const BEST_LINE_PLIES: usize = 10;

/// Formats the report on a game: the graph, the summary and the bad moves.
pub fn report(number: usize, game: &Game, review: &Review, style: ReportStyle) -> String {
    let bold = style.paint(Style::new().bold());
    let mut text = String::new();
    for line in style
        .wrap(&format!("Game {number}: {}", title(game)), 2)
        .lines()
    {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{bold}{line}{bold:#}");
    }
    if let Some(opening) = opening_of_game(&review.boards()) {
        text.push_str(&style.wrap(&format!("{} {}", opening.eco, opening.name), 2));
    }
    if review.moves.is_empty() {
        text.push_str("This game has no moves.\n\n");
        return text;
    }
    let _ = write!(text, "\n{}\n", Graph { review, style });
    summary(&mut text, review, bold);
    let bad = review.moves.iter().filter(|mv| mv.advice.is_some());
    for (i, mv) in bad.enumerate() {
        if i == 0 {
            text.push('\n');
        }
        bad_move(&mut text, mv, style);
    }
    text.push('\n');
    text
}

fn summary(text: &mut String, review: &Review, bold: Style) {
    let mut row = |name: &str, cells: [String; 2], style: Style| {
        let [white, black] = cells;
        let _ = writeln!(text, "{name:<16}{style}{white:>8}{black:>9}{style:#}");
    };
    let both = |cell: &dyn Fn(&PlayerSummary) -> String| [&review.white, &review.black].map(cell);
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

fn bad_move(text: &mut String, mv: &ReviewedMove, style: ReportStyle) {
    let Some(advice) = mv.advice else {
        return;
    };
    let name = mv.name();
    let verdict = mv.verdict().unwrap_or_default();
    let mut words = format!("{name} ({:+} → {:+}) {verdict}.", mv.before, mv.after);
    let best = &mv.best[..mv.best.len().min(BEST_LINE_PLIES)];
    if !best.is_empty() {
        let _ = write!(words, " Best: {}", format_variation(&mv.board, best));
    }
    let wrapped = style.wrap(&words, 4);
    let painted = style.paint(graph::style(advice.judgement));
    // The move's name is painted unless a very narrow screen wraps it.
    match wrapped.strip_prefix(&name) {
        Some(rest) => {
            let _ = write!(text, "{painted}{name}{painted:#}{rest}");
        }
        None => text.push_str(&wrapped),
    }
}
