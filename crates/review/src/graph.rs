//! White's winning chances move by move, drawn with characters.

use std::fmt;

use anstyle::{Ansi256Color, Style};
use tabiya_display::style::ReportStyle;

use crate::judgement::Judgement;
use crate::review::Review;

/// The height of the graph.
const ROWS: usize = 9;
/// The width of the labels: `100 % `.
const MARGIN: usize = 6;
/// The widest a move is drawn.
const MAX_MOVE_WIDTH: usize = 4;
/// The width if the screen has no known width.
const DEFAULT_COLUMNS: usize = 80;

/// Eighths of a row.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const LIGHT: Ansi256Color = Ansi256Color(188);
const DARK: Ansi256Color = Ansi256Color(59);

/// The colour of a bad move.
pub(crate) const fn style(judgement: Judgement) -> Style {
    let color = match judgement {
        Judgement::Inaccuracy => Ansi256Color(74),
        Judgement::Mistake => Ansi256Color(214),
        Judgement::Blunder => Ansi256Color(203),
    };
    Style::new()
        .fg_color(Some(anstyle::Color::Ansi256(color)))
        .bold()
}

/// The mark of a bad move below the graph.
const fn mark(judgement: Judgement) -> char {
    match judgement {
        Judgement::Inaccuracy => '~',
        Judgement::Mistake => '?',
        Judgement::Blunder => 'X',
    }
}

/// The graph of a game with at least one move.
pub(crate) struct Graph<'a> {
    pub(crate) review: &'a Review,
    pub(crate) style: ReportStyle,
}

/// One column of the graph.
struct Column {
    percent: f64,
    worst: Option<Judgement>,
    /// The move number, for White's moves.
    number: Option<u16>,
}

impl Graph<'_> {
    /// The columns: several per move if there is room, otherwise several moves per column.
    fn columns(&self) -> Vec<Column> {
        let moves = &self.review.moves;
        let screen = self.style.columns.unwrap_or(DEFAULT_COLUMNS);
        let room = screen.saturating_sub(MARGIN + 1).max(1);
        let width = (room / moves.len().max(1)).clamp(1, MAX_MOVE_WIDTH);
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

    /// The move numbers that fit.
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
        let color = self.style.color;
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
        let mut legend = "White's winning chances".to_owned();
        if !names.is_empty() {
            legend = format!("{legend}; {}", names.join(", "));
        }
        for line in self.style.wrap(&legend, 2).lines() {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
