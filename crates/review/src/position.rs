//! The analysis of one position.

use std::io;
use std::time::Duration;

use tabiya_board::{Board, GameHistory, Move};
use tabiya_engine::{Engine, Limits, SearchEvent, SearchResult, StopSignal};
use tabiya_motif::{Idea, MoveMotifs};
use tabiya_notation::uci::{Bound, SearchInfo};

/// The best lines of a position, and the effort spent on them.
#[derive(Clone, Debug)]
pub struct PositionAnalysis<'a> {
    /// The position.
    pub board: &'a Board,
    /// The best lines, the best first.
    pub lines: Vec<SearchInfo>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// The root move being searched, and its number.
    pub current_move: Option<(Move, usize)>,
}

/// Analyses a position that has legal moves, and reports progress. An error from `report` stops the search.
pub fn analyse_position<'a>(
    engine: &mut Engine,
    history: &'a GameHistory,
    limits: &Limits,
    signal: &StopSignal,
    report: &mut dyn FnMut(&PositionAnalysis) -> io::Result<()>,
) -> io::Result<PositionAnalysis<'a>> {
    let mut analysis = PositionAnalysis::new(history.board());
    let mut reported = Ok(());
    let found = engine.think_until(history, limits, signal, &mut |event| {
        match event {
            SearchEvent::Info(info) => analysis.add(info),
            SearchEvent::CurrentMove { mv, number, .. } => {
                analysis.current_move = Some((*mv, *number));
            }
            _ => {}
        }
        if reported.is_ok() {
            reported = report(&analysis);
        }
        if reported.is_err() {
            signal.stop();
        }
    });
    reported?;
    if let Some(found) = found {
        analysis.finish(&found);
    }
    Ok(analysis)
}

/// What the first move of a line does.
pub(crate) fn explain_line(board: &Board, info: &SearchInfo) -> MoveMotifs {
    Idea {
        score: Some(info.score),
        ..Idea::new(board, &info.pv)
    }
    .explain()
}

impl<'a> PositionAnalysis<'a> {
    /// Starts without lines.
    pub const fn new(board: &'a Board) -> Self {
        Self {
            board,
            lines: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            current_move: None,
        }
    }

    /// Adds or replaces a line.
    pub fn add(&mut self, info: &SearchInfo) {
        (self.nodes, self.time, self.hashfull) = (info.nodes, info.time, info.hashfull);
        let index = info.multipv.saturating_sub(1);
        match self.lines.get_mut(index) {
            Some(line) => *line = info.clone(),
            None => self.lines.push(info.clone()),
        }
        self.current_move = None;
    }

    /// Adds the final result. A stopped search may end with another move than it reported.
    pub fn finish(&mut self, result: &SearchResult) {
        (self.nodes, self.time) = (result.info.nodes, result.info.time);
        let is_best = |info: &SearchInfo| info.pv.first() == Some(&result.best);
        if self.lines.first().is_some_and(is_best) {
            return;
        }
        // The best move may be one of the other lines; otherwise it replaces the last.
        let place = self.lines.iter().position(is_best);
        if let Some(place) = place.or(self.lines.len().checked_sub(1)) {
            self.lines.remove(place);
        }
        self.lines.insert(0, result.info.clone());
        for (info, multipv) in self.lines.iter_mut().zip(1..) {
            info.multipv = multipv;
        }
    }

    /// The completed depth, if all the wanted lines have exact scores at it.
    pub fn completed_depth(&self, wanted: usize) -> Option<u32> {
        let depth = self.lines.first()?.depth;
        let wanted = wanted.min(self.board.count_legal());
        let is_done = |info: &SearchInfo| info.depth == depth && info.bound == Bound::Exact;
        (self.lines.len() == wanted && self.lines.iter().all(is_done)).then_some(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_final_result_replaces_reported_lines() {
        let board = Board::start();
        let moves: Vec<Move> = board.legal_moves().into_iter().collect();
        let line = |multipv: usize, index: usize| SearchInfo {
            multipv,
            pv: vec![moves[index]],
            ..SearchInfo::default()
        };
        for (best, wanted) in [(0, [0, 1, 2]), (2, [2, 0, 1]), (7, [7, 0, 1])] {
            let mut analysis = PositionAnalysis::new(&board);
            for multipv in 1..=3 {
                analysis.add(&line(multipv, multipv - 1));
            }
            analysis.finish(&SearchResult {
                best: moves[best],
                info: line(1, best),
            });
            let found = analysis.lines.iter().map(|info| (info.multipv, info.pv[0]));
            let wanted = wanted.iter().map(|&index| moves[index]);
            assert!(found.eq((1..).zip(wanted)), "{best}");
        }
    }
}
