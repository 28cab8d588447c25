//! White's chances over the moves, drawn with characters.

use std::fmt;

use anstyle::{Ansi256Color, Style};
use tabiya_review::{Judgement, Review};

use crate::screen::Screen;

/// How many rows the graph has.
const ROWS: usize = 9;
/// The columns before it: `100 % `.
const MARGIN: usize = 6;
/// The most columns that a move is drawn with.
const WIDEST: usize = 4;
/// The width where nobody tells it.
const USUAL: usize = 80;

/// Eighths of a row.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const LIGHT: Ansi256Color = Ansi256Color(188);
const DARK: Ansi256Color = Ansi256Color(59);

/// How bad moves are painted.
pub(super) const fn style(judgement: Judgement) -> Style {
    let color = match judgement {
        Judgement::Inaccuracy => Ansi256Color(74),
        Judgement::Mistake => Ansi256Color(214),
        Judgement::Blunder => Ansi256Color(203),
    };
    Style::new()
        .fg_color(Some(anstyle::Color::Ansi256(color)))
        .bold()
}

/// How bad moves are marked under the graph.
const fn mark(judgement: Judgement) -> char {
    match judgement {
        Judgement::Inaccuracy => '~',
        Judgement::Mistake => '?',
        Judgement::Blunder => 'X',
    }
}

/// The graph of a game that has moves.
pub(super) struct Graph<'a> {
    pub(super) review: &'a Review,
    pub(super) screen: Screen,
}

/// What stands above each other in one column.
struct Column {
    percent: f64,
    worst: Option<Judgement>,
    /// The number of the move, at White's.
    number: Option<u16>,
}

impl Graph<'_> {
    /// The columns: several for a move where there is room, several moves in one where there is not.
    fn columns(&self) -> Vec<Column> {
        let moves = &self.review.moves;
        let screen = self.screen.columns.unwrap_or(USUAL);
        let room = screen.saturating_sub(MARGIN + 1).max(1);
        let width = (room / moves.len().max(1)).clamp(1, WIDEST);
        let share = moves.len().div_ceil(room).max(1);
        let mut columns = Vec::new();
        for together in moves.chunks(share) {
            let sum: f64 = together.iter().map(|mv| mv.after.win_percent()).sum();
            let percent = sum / together.len() as f64;
            let judgements = together.iter().filter_map(|mv| mv.advice);
            let white = together.iter().find(|mv| mv.mover().is_white());
            columns.push(Column {
                percent,
                worst: judgements.map(|advice| advice.judgement).max(),
                number: white.map(|mv| mv.board.fullmove_number()),
            });
            columns.extend((1..width).map(|_| Column {
                percent,
                worst: None,
                number: None,
            }));
        }
        columns
    }

    /// The numbers of the moves, as many as there is room for.
    fn numbers(columns: &[Column]) -> String {
        let mut line = String::new();
        let mut free_from = 0;
        for (at, column) in columns.iter().enumerate() {
            let Some(number) = column.number else {
                continue;
            };
            let is_round = number == 1 || number % 5 == 0;
            if is_round && at >= free_from {
                line.push_str(&" ".repeat(at - line.len()));
                line.push_str(&number.to_string());
                free_from = line.len() + 1;
            }
        }
        line
    }
}

impl fmt::Display for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.columns();
        let color = self.screen.color;
        let painted = Style::new()
            .fg_color(Some(LIGHT.into()))
            .bg_color(Some(DARK.into()));
        for row in (0..ROWS).rev() {
            let label = match row {
                _ if row == ROWS - 1 => "100 %",
                _ if row == ROWS / 2 => "50 %",
                0 => "0 %",
                _ => "",
            };
            write!(f, "{label:>5} ")?;
            if color {
                write!(f, "{painted}")?;
            }
            for column in &columns {
                let height = column.percent / 100.0 * ROWS as f64 - row as f64;
                if color {
                    let eighths = (height * 8.0).round().clamp(0.0, 8.0) as usize;
                    write!(f, "{}", BLOCKS[eighths])?;
                } else {
                    write!(f, "{}", if height >= 0.5 { '#' } else { '.' })?;
                }
            }
            if color {
                write!(f, "{painted:#}")?;
            }
            writeln!(f)?;
        }
        let mut found = Vec::new();
        write!(f, "{:MARGIN$}", "")?;
        let last = columns.iter().rposition(|column| column.worst.is_some());
        for column in columns.iter().take(last.map_or(0, |last| last + 1)) {
            let Some(judgement) = column.worst else {
                write!(f, " ")?;
                continue;
            };
            found.push(judgement);
            let style = if color {
                style(judgement)
            } else {
                Style::new()
            };
            write!(f, "{style}{}{style:#}", mark(judgement))?;
        }
        writeln!(f)?;
        writeln!(f, "{:MARGIN$}{}", "", Self::numbers(&columns))?;
        let names: Vec<String> = Judgement::ALL
            .into_iter()
            .filter(|judgement| found.contains(judgement))
            .map(|judgement| format!("{} {}", mark(judgement), judgement.name().to_lowercase()))
            .collect();
        let mut legend = "White's chances to win".to_owned();
        if !names.is_empty() {
            legend = format!("{legend}; {}", names.join(", "));
        }
        for line in self.screen.wrap(&legend, 2).lines() {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
