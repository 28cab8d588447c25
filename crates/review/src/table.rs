//! The best lines of a position as a table.

use std::fmt::Write;

use anstyle::{Ansi256Color, Style};
use tabiya_display::style::ReportStyle;
use tabiya_display::variation::format_variation;
use tabiya_notation::uci::{Bound, SearchInfo};
use tabiya_notation::write_san;

use crate::eval::{Eval, bound_for_white};
use crate::json::WinDrawLoss;
use crate::position::{PositionAnalysis, explain_line};

/// The width of the win-draw-loss bar.
const BAR_WIDTH: usize = 12;
/// The narrowest screens for the bar, and for its percentages.
const COLUMNS_FOR_BAR: usize = 76;
const COLUMNS_FOR_PERCENTAGES: usize = 56;

/// The indentation of variations that are printed below their scores.
const INDENT: usize = 4;

/// The colours and letters of the bar for White's wins, draws and Black's wins.
const PARTS: [(Ansi256Color, char); 3] = [
    (Ansi256Color(188), '#'),
    (Ansi256Color(102), '='),
    (Ansi256Color(59), '.'),
];
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

impl PositionAnalysis<'_> {
    /// Formats the table, one string per row. Long variations are cut at the edge of the screen. If `whole`, they are
    /// wrapped below their scores, and the words below say what the first move does.
    pub fn table(&self, style: ReportStyle, whole: bool) -> Vec<String> {
        let columns = style.columns.unwrap_or(usize::MAX);
        let (bold, dim) = (style.paint(BOLD), style.paint(DIM));
        let mut rows = Vec::new();
        for line in style.wrap(&self.status(style, whole), 2).lines() {
            rows.push(format!("{dim}{line}{dim:#}"));
        }
        let head = head(columns);
        rows.push(format!("{bold}{}{bold:#}", cut(&head, columns)));
        for info in &self.lines {
            let mut row = String::new();
            let width = self.cells(&mut row, info, columns, style);
            let line = format_variation(self.board, &info.pv);
            let room = columns.saturating_sub(width);
            let fits = line.chars().count() <= room;
            if whole && !fits {
                rows.push(row.trim_end().to_owned());
                let line = format!("{:INDENT$}{line}", "");
                rows.extend(style.wrap(&line, INDENT).lines().map(str::to_owned));
            } else {
                row.push_str(&cut(&line, room));
                rows.push(row);
            }
            if let Some((&mv, words)) = info.pv.first().filter(|_| whole).and_then(|mv| {
                let words = explain_line(self.board, info).words()?;
                Some((mv, words))
            }) {
                let words = format!("{:INDENT$}{} {words}", "", write_san(self.board, mv));
                rows.extend(style.wrap(&words, INDENT).lines().map(str::to_owned));
            }
        }
        rows
    }

    /// The search statistics above the table.
    fn status(&self, style: ReportStyle, is_done: bool) -> String {
        let seconds = self.time.as_secs_f64();
        let speed = self.nodes as f64 / seconds.max(1e-6);
        let mut status = format!(
            "{} nodes in {seconds:.1} s, {} nodes/s, hash {} % full",
            style.number(self.nodes),
            style.number(speed as u64),
            self.hashfull / 10
        );
        if let Some((mv, number)) = self.current_move.filter(|_| !is_done) {
            // Writing to a string cannot fail.
            let _ = write!(
                status,
                ", searching {} ({number} of {})",
                write_san(self.board, mv),
                self.board.count_legal()
            );
        }
        status
    }

    /// Writes the cells before the variation, and returns their width.
    fn cells(
        &self,
        row: &mut String,
        info: &SearchInfo,
        columns: usize,
        style: ReportStyle,
    ) -> usize {
        let turn = self.board.turn();
        let depth = format!("{}/{}", info.depth, info.seldepth);
        let bound = match bound_for_white(info, turn) {
            Bound::Exact => "",
            Bound::Lower => ">",
            Bound::Upper => "<",
        };
        let score = format!("{bound}{:+}", Eval::new(info.score, turn));
        let bold = style.paint(BOLD);
        let _ = write!(row, "{depth:>7} {bold}{score:>8}{bold:#}");
        let mut width = 16;
        let chances = WinDrawLoss::of(info, turn);
        let parts = [chances.white, chances.draw, chances.black];
        if columns >= COLUMNS_FOR_PERCENTAGES {
            let [white, draw, black] = parts.map(|part| (part * 100.0).round());
            let _ = write!(row, "  {white:>5} {draw:>4} {black:>5}  ");
            width += 20;
        }
        if columns >= COLUMNS_FOR_BAR {
            row.push(' ');
            // Rounding the ends of the parts, not their lengths, keeps the bar at full length.
            let ends = [parts[0], parts[0] + parts[1], 1.0];
            let mut start = 0;
            for ((ground, letter), end) in PARTS.into_iter().zip(ends) {
                let end = (end * BAR_WIDTH as f64).round() as usize;
                let length = end.saturating_sub(start);
                start = end;
                if style.color {
                    let painted = Style::new().bg_color(Some(ground.into()));
                    let _ = write!(row, "{painted}{:length$}{painted:#}", "");
                } else {
                    row.extend(std::iter::repeat_n(letter, length));
                }
            }
            width += BAR_WIDTH + 1;
        }
        row.push_str("  ");
        width + 2
    }
}

/// The column headings.
fn head(columns: usize) -> String {
    let mut head = format!("{:>7} {:>8}", "depth", "score");
    if columns >= COLUMNS_FOR_PERCENTAGES {
        head.push_str("  White Draw Black %");
    }
    if columns >= COLUMNS_FOR_BAR {
        head.push_str(&" ".repeat(BAR_WIDTH + 1));
    }
    head.push_str("  line");
    head
}

/// Cuts a line that is too long, with an ellipsis.
fn cut(line: &str, room: usize) -> String {
    if line.chars().count() <= room {
        return line.to_owned();
    }
    let mut cut: String = line.chars().take(room.saturating_sub(1)).collect();
    if room > 0 {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_board::Board;
    use tabiya_notation::Score;

    fn info(score: Score) -> SearchInfo {
        let board = Board::start();
        let uci = ["e2e4", "e7e5", "g1f3", "b8c6"];
        let mut now = board;
        let pv = uci.map(|text| {
            let mv = tabiya_notation::uci::parse(text, &now).unwrap();
            now.play(mv);
            mv
        });
        SearchInfo {
            depth: 4,
            seldepth: 7,
            multipv: 1,
            score,
            wdl: Some([333, 334, 333]),
            pv: pv.to_vec(),
            ..SearchInfo::default()
        }
    }

    #[test]
    fn rows_fit_the_screen() {
        let board = Board::start();
        let mut analysis = PositionAnalysis::new(&board);
        analysis.add(&info(Score::Cp(17)));
        for columns in 1..120 {
            let style = ReportStyle {
                columns: Some(columns),
                ..ReportStyle::default()
            };
            let rows = analysis.table(style, false);
            let row = rows.last().expect("there is a row");
            // The scores alone take 18 columns.
            assert!(row.chars().count() <= columns.max(18), "{columns}: {row}");
        }
    }

    #[test]
    fn columns_line_up_with_their_headings() {
        let board = Board::start();
        for score in [
            Score::Cp(0),
            Score::Cp(170),
            Score::Cp(-33),
            Score::Mate(2),
            Score::Mate(-2),
        ] {
            let mut row = String::new();
            let analysis = PositionAnalysis::new(&board);
            let width = analysis.cells(&mut row, &info(score), 200, ReportStyle::default());
            assert_eq!(row.chars().count(), width, "{row}");
            let head = head(200);
            assert_eq!(head.chars().count(), width + "line".len(), "{head}");
        }
    }
}
