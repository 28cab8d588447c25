//! What an engine reports while it searches: the `info` lines of UCI.

use std::fmt::Write;
use std::time::Duration;

use tabiya_board::{Board, Move};

use super::write_chess960;
use crate::Score;

/// How a reported score relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Bound {
    /// The score is exact.
    #[default]
    Exact,
    /// The true score is at least this: the search failed high.
    Lower,
    /// The true score is at most this: the search failed low.
    Upper,
}

/// A report from a search: the content of a UCI `info` line.
///
/// What another engine leaves out of its line is zero or empty here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchInfo {
    /// Search depth in plies.
    pub depth: u32,
    /// Selective search depth: the longest line searched, in plies.
    pub seldepth: u32,
    /// Rank of this line among the best ones, from 1.
    pub multipv: usize,
    /// Score from the side to move's point of view.
    pub score: Score,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// Expected wins, draws and losses of the side to move, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Returns the nodes searched per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }

    /// Writes the report as an `info` line. With `is_chess960`, castling moves are written as king takes rook.
    pub fn to_uci(&self, board: &Board, is_chess960: bool) -> String {
        let mut line = format!(
            "info depth {} seldepth {} multipv {}",
            self.depth, self.seldepth, self.multipv
        );
        // Writing to a string cannot fail.
        let _ = match self.score {
            Score::Cp(centipawns) => write!(line, " score cp {centipawns}"),
            Score::Mate(moves) => write!(line, " score mate {moves}"),
        };
        line.push_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        if let Some([win, draw, loss]) = self.wdl {
            let _ = write!(line, " wdl {win} {draw} {loss}");
        }
        let _ = write!(
            line,
            " nodes {} nps {} hashfull {} time {} pv",
            self.nodes,
            self.nps(),
            self.hashfull,
            self.time.as_millis()
        );
        let mut board = *board;
        for &mv in &self.pv {
            let _ = if is_chess960 {
                write!(line, " {}", write_chess960(&board, mv))
            } else {
                write!(line, " {mv}")
            };
            board.play_unchecked(mv);
        }
        line
    }

    /// Updates the report from an `info` line about a position; returns whether the line has a score.
    ///
    /// Fields that the line does not mention keep their values, except that the line is taken for the best one unless
    /// it has a `multipv`, and that the principal variation is the line's own, up to the first move that cannot be
    /// played.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// use tabiya_notation::{Score, uci::{Bound, SearchInfo}};
    ///
    /// let mut info = SearchInfo::default();
    /// let board = Board::start();
    /// assert!(info.update("info depth 12 score cp -35 upperbound nodes 4711 pv e2e4 e7e5", &board));
    /// assert_eq!((info.depth, info.nodes), (12, 4711));
    /// assert_eq!((info.score, info.bound), (Score::Cp(-35), Bound::Upper));
    /// assert_eq!(info.pv.len(), 2);
    /// assert!(!info.update("info string score cp 100", &board));
    /// ```
    pub fn update(&mut self, line: &str, board: &Board) -> bool {
        let mut words = line.split_whitespace().peekable();
        let mut has_score = false;
        self.multipv = 1;
        self.pv.clear();
        while let Some(word) = words.next() {
            match word {
                "depth" => parse(words.next(), &mut self.depth),
                "seldepth" => parse(words.next(), &mut self.seldepth),
                "multipv" => parse(words.next(), &mut self.multipv),
                "nodes" => parse(words.next(), &mut self.nodes),
                "hashfull" => parse(words.next(), &mut self.hashfull),
                "time" => {
                    let mut milliseconds = self.time.as_millis() as u64;
                    parse(words.next(), &mut milliseconds);
                    self.time = Duration::from_millis(milliseconds);
                }
                "cp" | "mate" => {
                    if let Some(number) = words.next().and_then(|word| word.parse().ok()) {
                        let score = if word == "cp" { Score::Cp } else { Score::Mate };
                        self.score = score(number);
                        self.bound = Bound::Exact;
                        has_score = true;
                    }
                }
                "lowerbound" => self.bound = Bound::Lower,
                "upperbound" => self.bound = Bound::Upper,
                "wdl" => {
                    let mut number = || words.next()?.parse().ok();
                    self.wdl = (|| Some([number()?, number()?, number()?]))();
                }
                "pv" => {
                    let mut board = *board;
                    while let Some(mv) = words
                        .next()
                        .and_then(|word| super::parse(word, &board).ok())
                    {
                        self.pv.push(mv);
                        board.play(mv);
                    }
                    break;
                }
                "string" => break,
                _ => {}
            }
        }
        has_score
    }
}

/// Reads a number; one that cannot be read changes nothing.
fn parse<T: std::str::FromStr>(word: Option<&str>, number: &mut T) {
    if let Some(read) = word.and_then(|word| word.parse().ok()) {
        *number = read;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_as_they_are_written() {
        let board = Board::start();
        for line in [
            "info depth 7 seldepth 9 multipv 2 score cp -35 nodes 1000 nps 500000 hashfull 3 time 2 pv e2e4 e7e5",
            "info depth 7 seldepth 9 multipv 1 score mate 3 lowerbound wdl 900 80 20 nodes 1 nps 1000 hashfull 0 time 1 pv d2d4",
        ] {
            let mut info = SearchInfo::default();
            assert!(info.update(line, &board));
            assert_eq!(info.to_uci(&board, false), line);
        }
    }

    #[test]
    fn a_line_updates_only_what_it_mentions() {
        let board = Board::start();
        let mut info = SearchInfo::default();
        assert!(!info.update("info depth 3 currmove e2e4 currmovenumber 1", &board));
        assert!(info.update(
            "info score mate -3 upperbound nodes many pv e2e4 e2e4",
            &board
        ));
        assert_eq!((info.depth, info.nodes), (3, 0));
        assert_eq!((info.score, info.bound), (Score::Mate(-3), Bound::Upper));
        assert_eq!((info.multipv, info.pv.len()), (1, 1));
        // A score without a word about its bound is exact.
        assert!(info.update("info score cp 5", &board));
        assert_eq!(info.bound, Bound::Exact);
        assert!(!info.update("info string depth 20 score cp 9", &board));
        assert_eq!((info.depth, info.score), (3, Score::Cp(5)));
    }
}
