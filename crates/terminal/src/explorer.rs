//! What was played in the position on the screen, by the games of an archive.

use std::path::Path;

use tabiya_board::{Board, Move};
use tabiya_display::text::{columns, grouped, padded, wrapped};
use tabiya_explorer::{Explored, ExploredMove, Explorer, ExplorerError, ExplorerThread};
use tabiya_notation::MoveText;

/// The rows without the heading: with fewer it says too little, with more it pushes out the moves of the game.
const ROWS: std::ops::RangeInclusive<u16> = 3..=8;

/// The explorer on the analysis board. Nothing here waits for it.
pub(crate) struct ExplorerPanel {
    thread: Option<ExplorerThread>,
    /// The position that was asked for last.
    board: Option<Board>,
    answer: Option<Result<Explored, String>>,
}

impl ExplorerPanel {
    pub(crate) fn new(explorer: Explorer) -> Self {
        let (thread, answer) = match ExplorerThread::spawn(explorer) {
            Ok(thread) => (Some(thread), None),
            Err(error) => (None, Some(Err(error.to_string()))),
        };
        Self {
            thread,
            board: None,
            answer,
        }
    }

    /// The explorer of an archive. Its problems appear in the panel.
    pub(crate) fn of_folder(folder: &Path) -> Self {
        Self::new(Explorer::new(&tabiya_explorer::program(), folder))
    }

    /// An answer that is there, for screenshots.
    #[cfg(test)]
    pub(crate) fn with_answer(board: Board, answer: Result<Explored, String>) -> Self {
        Self {
            thread: None,
            board: Some(board),
            answer: Some(answer),
        }
    }

    /// Asks for a position, unless its answer is there or on the way.
    pub(crate) fn ask(&mut self, board: Board) {
        let Some(thread) = &mut self.thread else {
            return;
        };
        if self.board != Some(board) {
            self.board = Some(board);
            self.answer = None;
            thread.ask(board);
        }
    }

    /// Collects the answer. Returns whether it has come.
    pub(crate) fn poll(&mut self) -> bool {
        let answer = self.thread.as_mut().and_then(ExplorerThread::poll);
        let has_come = answer.is_some();
        if let Some(answer) = answer {
            self.answer = Some(answer.map_err(|error: ExplorerError| error.to_string()));
        }
        has_come
    }

    pub(crate) fn is_waiting(&self) -> bool {
        let thread = self.thread.as_ref();
        thread.is_some_and(ExplorerThread::is_waiting)
    }

    /// The move in a row of the panel, if the row has one.
    pub(crate) fn move_in(&self, row: usize) -> Option<Move> {
        let explored = self.answer.as_ref()?.as_ref().ok()?;
        let uci = explored.moves.get(row.checked_sub(1)?)?.uci.as_ref()?;
        self.board?.parse_uci(uci).ok()
    }

    /// The rows for a panel of some width, at most `rows`: a heading, and a move in each row. Empty if there is no room.
    pub(crate) fn lines(&self, width: u16, rows: u16) -> Vec<String> {
        let rows = rows.min(ROWS.end() + 1);
        if rows < ROWS.start() + 1 {
            return Vec::new();
        }
        let mut lines = match &self.answer {
            None => vec!["Explorer ...".to_owned()],
            Some(Err(reason)) => wrapped(&format!("Explorer: {reason}"), width, rows),
            Some(Ok(explored)) if explored.moves.is_empty() => {
                wrapped("Explorer: no game has this position.", width, rows)
            }
            Some(Ok(explored)) => table(explored, width),
        };
        // Always as many, so that nothing jumps.
        lines.resize(rows.into(), String::new());
        lines
    }
}

/// A column of the table: its heading, its least width, and what it says about a move.
type Column<'a> = (&'static str, usize, &'a dyn Fn(&ExploredMove) -> String);

/// The columns of the table from left to right: the first are always there, the others as far as they fit.
fn table(explored: &Explored, width: u16) -> Vec<String> {
    let percent = |explored: &ExploredMove, i: usize| {
        let percent = explored.percentages();
        percent.map_or_else(String::new, |percent| percent[i].to_string())
    };
    let number = |number: Option<i32>| number.map_or_else(String::new, |number| number.to_string());
    let cells: [Column; 7] = [
        ("move", 6, &|explored| explored.name().to_owned()),
        ("games", 6, &|explored| grouped(explored.games)),
        ("W%", 3, &|explored| percent(explored, 0)),
        ("D%", 3, &|explored| percent(explored, 1)),
        ("B%", 3, &|explored| percent(explored, 2)),
        ("Elo", 5, &|explored| number(explored.average_rating)),
        ("last", 5, &|explored| {
            explored.last_year().unwrap_or_default().to_owned()
        }),
    ];
    let mut lines = vec![String::new(); explored.moves.len() + 1];
    let mut left = usize::from(width);
    for (i, (heading, least, text)) in cells.iter().enumerate() {
        let texts: Vec<String> = std::iter::once((*heading).to_owned())
            .chain(explored.moves.iter().map(text))
            .collect();
        let most = texts.iter().map(|text| columns(text) + 1).max();
        let column = most.unwrap_or(0).max(*least);
        if column > left {
            break;
        }
        left -= column;
        for (line, text) in lines.iter_mut().zip(texts) {
            if i == 0 {
                line.push_str(&padded(&text, column));
            } else {
                let space = column.saturating_sub(columns(&text));
                line.extend(std::iter::repeat_n(' ', space));
                line.push_str(&text);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explored() -> Explored {
        let row =
            |uci: &str, san: &str, games, [white_wins, draws, black_wins]: [u32; 3]| ExploredMove {
                uci: Some(uci.to_owned()),
                san: Some(san.to_owned()),
                games,
                white_wins,
                draws,
                black_wins,
                average_rating: Some(2345),
                last_played: Some("2024.05.31".to_owned()),
                ..ExploredMove::default()
            };
        Explored {
            games: 1_300_042,
            moves: vec![
                row("e2e4", "e4", 1_300_000, [600_000, 300_000, 400_000]),
                row("g1f3", "Nf3", 40, [0, 0, 0]),
                ExploredMove {
                    games: 2,
                    draws: 2,
                    ..ExploredMove::default()
                },
            ],
            ..Explored::default()
        }
    }

    #[test]
    fn the_table_takes_the_columns_that_fit() {
        for (width, expected) in [
            (
                17,
                [
                    "move       games",
                    "e4     1,300,000",
                    "Nf3           40",
                    "(end)          2",
                ],
            ),
            (
                28,
                [
                    "move       games W%  D% B%",
                    "e4     1,300,000 46  23 31",
                    "Nf3           40",
                    "(end)          2  0 100  0",
                ],
            ),
            (
                40,
                [
                    "move       games W%  D% B%  Elo last",
                    "e4     1,300,000 46  23 31 2345 2024",
                    "Nf3           40           2345 2024",
                    "(end)          2  0 100  0",
                ],
            ),
        ] {
            let lines = table(&explored(), width);
            let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
            assert_eq!(lines, expected, "{width}");
        }
        for width in 0..60 {
            for line in table(&explored(), width) {
                assert!(columns(&line) <= width.into(), "{width}: {line}");
            }
        }
    }

    #[test]
    fn there_are_always_as_many_rows_as_there_is_room_for() {
        let empty = Explored::default();
        let long = "a reason ".repeat(50);
        for answer in [Ok(explored()), Ok(empty), Err(long)] {
            let panel = ExplorerPanel::with_answer(Board::start(), answer);
            for (rows, expected) in [(0, 0), (3, 0), (4, 4), (6, 6), (9, 9), (30, 9)] {
                assert_eq!(panel.lines(30, rows).len(), expected, "{rows}");
            }
        }
    }

    #[test]
    fn rows_are_moves() {
        let panel = ExplorerPanel::with_answer(Board::start(), Ok(explored()));
        let name = |row| panel.move_in(row).map(|mv| mv.to_string());
        assert_eq!(name(1).as_deref(), Some("e2e4"));
        assert_eq!(name(2).as_deref(), Some("g1f3"));
        // The heading, the games that end here, and what is not there.
        for row in [0, 3, 4, 99] {
            assert_eq!(name(row), None);
        }
    }
}
