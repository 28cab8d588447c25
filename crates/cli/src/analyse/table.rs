//! The best lines of a position as a table.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{Ansi256Color, Style};
use tabiya_board::{Board, Move};
use tabiya_engine::SearchResult;
use tabiya_notation::uci::{Bound, SearchInfo};
use tabiya_notation::write_san;
use tabiya_play::format_variation;
use tabiya_review::Eval;

use super::facts::{Shares, bound_for_white};
use crate::screen::Screen;

/// How far a search is.
pub(super) struct State<'a> {
    pub(super) board: &'a Board,
    /// The lines by their ranks.
    pub(super) lines: Vec<SearchInfo>,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) fullness: u32,
    /// The move that is looked at, and its number.
    pub(super) trying: Option<(Move, usize)>,
}

/// The width of the bar of wins, draws and losses.
const BAR: usize = 12;
/// Screens that are narrower than the first have no room for the bar, and below the second for its numbers either.
const WITH_BAR: usize = 76;
const WITH_SHARES: usize = 56;

/// How far lines of moves are indented where they stand below their numbers.
const INDENT: usize = 4;

/// White's part of the bar, the draws and Black's.
const PARTS: [(Ansi256Color, char); 3] = [
    (Ansi256Color(188), '#'),
    (Ansi256Color(102), '='),
    (Ansi256Color(59), '.'),
];
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

impl State<'_> {
    /// Takes a new line in.
    pub(super) fn add(&mut self, info: &SearchInfo) {
        (self.nodes, self.time, self.fullness) = (info.nodes, info.time, info.hashfull);
        let index = info.multipv.saturating_sub(1);
        match self.lines.get_mut(index) {
            Some(line) => *line = info.clone(),
            None => self.lines.push(info.clone()),
        }
        self.trying = None;
    }

    /// Takes in what was found since the last line.
    pub(super) fn finish(&mut self, thought: &SearchResult) {
        (self.nodes, self.time) = (thought.info.nodes, thought.info.time);
        let is_best = |info: &SearchInfo| info.pv.first() == Some(&thought.best);
        if self.lines.first().is_some_and(is_best) {
            return;
        }
        // The best move may have been one of the others, or take the place of the last of them.
        let place = self.lines.iter().position(is_best);
        let place = place.or(self.lines.len().checked_sub(1));
        if let Some(place) = place {
            self.lines.remove(place);
        }
        self.lines.insert(0, thought.info.clone());
        for (info, rank) in self.lines.iter_mut().zip(1..) {
            info.multipv = rank;
        }
    }

    /// The depth that is done: of as many lines as are wanted or possible, all are known for sure.
    pub(super) fn done(&self, wanted: usize) -> Option<u32> {
        let depth = self.lines.first()?.depth;
        let wanted = wanted.min(self.board.count_legal());
        let is_done = |info: &SearchInfo| info.depth == depth && info.bound == Bound::Exact;
        (self.lines.len() == wanted && self.lines.iter().all(is_done)).then_some(depth)
    }

    /// The table, one text a line, for a screen of so many columns. Lines of moves are cut where the screen ends, or, if
    /// they are wanted whole, stand below their numbers.
    pub(super) fn table(&self, screen: Screen, whole: bool) -> Vec<String> {
        let columns = screen.columns.unwrap_or(usize::MAX);
        let paint = |style: Style| if screen.color { style } else { Style::new() };
        let (bold, dim) = (paint(BOLD), paint(DIM));
        let mut rows = Vec::new();
        for line in screen.wrap(&self.status(screen, whole), 2).lines() {
            rows.push(format!("{dim}{line}{dim:#}"));
        }
        let head = head(columns);
        rows.push(format!("{bold}{}{bold:#}", cut(&head, columns)));
        for info in &self.lines {
            let mut row = String::new();
            let width = self.cells(&mut row, info, columns, screen.color);
            let line = format_variation(self.board, &info.pv);
            let room = columns.saturating_sub(width);
            let fits = line.chars().count() <= room;
            if whole && !fits {
                rows.push(row.trim_end().to_owned());
                let line = format!("{:INDENT$}{line}", "");
                rows.extend(screen.wrap(&line, INDENT).lines().map(str::to_owned));
            } else {
                row.push_str(&cut(&line, room));
                rows.push(row);
            }
        }
        rows
    }

    /// How much work it was.
    fn status(&self, screen: Screen, is_done: bool) -> String {
        let seconds = self.time.as_secs_f64();
        let speed = self.nodes as f64 / seconds.max(1e-6);
        let mut status = format!(
            "{} nodes in {seconds:.1} s, {} a second, table {} % full",
            screen.number(self.nodes),
            screen.number(speed as u64),
            self.fullness / 10
        );
        if let Some((mv, number)) = self.trying.filter(|_| !is_done) {
            // Writing to a string does not fail.
            let _ = write!(
                status,
                ", looking at {} ({number} of {})",
                write_san(self.board, mv),
                self.board.count_legal()
            );
        }
        status
    }

    /// The cells before the line of moves, and how wide they are.
    fn cells(&self, row: &mut String, info: &SearchInfo, columns: usize, color: bool) -> usize {
        let turn = self.board.turn();
        let depth = format!("{}/{}", info.depth, info.seldepth);
        let bound = match bound_for_white(info, turn) {
            Bound::Exact => "",
            Bound::Lower => ">",
            Bound::Upper => "<",
        };
        let score = format!("{bound}{:+}", Eval::new(info.score, turn));
        let bold = if color { BOLD } else { Style::new() };
        let _ = write!(row, "{depth:>7} {bold}{score:>8}{bold:#}");
        let mut width = 16;
        let shares = Shares::of(info, turn);
        let parts = [shares.white, shares.draw, shares.black];
        if columns >= WITH_SHARES {
            let [white, draw, black] = parts.map(|part| (part * 100.0).round());
            let _ = write!(row, "  {white:>5} {draw:>4} {black:>5}  ");
            width += 20;
        }
        if columns >= WITH_BAR {
            row.push(' ');
            // The ends of the parts are rounded, not their lengths, so that the bar is always as long.
            let ends = [parts[0], parts[0] + parts[1], 1.0];
            let mut start = 0;
            for ((ground, letter), end) in PARTS.into_iter().zip(ends) {
                let end = (end * BAR as f64).round() as usize;
                let length = end.saturating_sub(start);
                start = end;
                if color {
                    let style = Style::new().bg_color(Some(ground.into()));
                    let _ = write!(row, "{style}{:length$}{style:#}", "");
                } else {
                    row.extend(std::iter::repeat_n(letter, length));
                }
            }
            width += BAR + 1;
        }
        row.push_str("  ");
        width + 2
    }
}

/// The names of the columns.
fn head(columns: usize) -> String {
    let mut head = format!("{:>7} {:>8}", "depth", "score");
    if columns >= WITH_SHARES {
        head.push_str("  White Draw Black %");
    }
    if columns >= WITH_BAR {
        head.push_str(&" ".repeat(BAR + 1));
    }
    head.push_str("  line");
    head
}

/// As much of a line as there is room for.
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
    use tabiya_engine::{Engine, Limits};
    use tabiya_notation::Score;

    fn info(score: Score) -> SearchInfo {
        let limits = Limits {
            depth: Some(4),
            ..Limits::default()
        };
        let line = Board::start().into();
        let thought = Engine::default().think(&line, &limits, &mut |_| {});
        SearchInfo {
            score,
            ..thought.expect("there are moves").info
        }
    }

    fn state(board: &Board) -> State<'_> {
        State {
            board,
            lines: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            fullness: 0,
            trying: None,
        }
    }

    /// A search that is stopped may end with another move than it reported.
    #[test]
    fn the_last_word_counts() {
        let board = Board::start();
        let moves: Vec<Move> = board.legal_moves().into_iter().collect();
        let line = |rank: usize, index: usize| SearchInfo {
            multipv: rank,
            pv: vec![moves[index]],
            ..info(Score::Cp(0))
        };
        for (best, wanted) in [(0, [0, 1, 2]), (2, [2, 0, 1]), (7, [7, 0, 1])] {
            let mut state = state(&board);
            for rank in 1..=3 {
                state.add(&line(rank, rank - 1));
            }
            state.finish(&SearchResult {
                best: moves[best],
                info: line(1, best),
            });
            let found = state.lines.iter().map(|info| (info.multipv, info.pv[0]));
            let wanted = wanted.iter().map(|&index| moves[index]);
            assert!(found.eq((1..).zip(wanted)), "{best}");
        }
    }

    #[test]
    fn rows_never_break() {
        let board = Board::start();
        let mut state = state(&board);
        state.add(&info(Score::Cp(17)));
        for columns in 1..120 {
            let screen = Screen {
                color: false,
                terminal: true,
                columns: Some(columns),
            };
            let rows = state.table(screen, false);
            let row = rows.last().expect("there is a row");
            // Narrower than its numbers no row can be.
            assert!(row.chars().count() <= columns.max(18), "{columns}: {row}");
        }
    }

    #[test]
    fn bars_are_as_long_as_they_should_be() {
        let board = Board::start();
        for score in [
            Score::Cp(0),
            Score::Cp(170),
            Score::Cp(-33),
            Score::Mate(2),
            Score::Mate(-2),
        ] {
            let mut row = String::new();
            let width = state(&board).cells(&mut row, &info(score), 200, false);
            assert_eq!(row.chars().count(), width, "{row}");
            let head = head(200);
            assert_eq!(head.chars().count(), width + "line".len(), "{head}");
        }
    }
}
