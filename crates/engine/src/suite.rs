//! Test suites: EPD positions with the moves to find (`bm`) or to avoid (`am`).

use tabiya_board::{Board, GameHistory, Move};
use tabiya_notation::{Dialect, Epd, SanError, parse_san};
use thiserror::Error;

use crate::engine::{Engine, SearchResult};
use crate::limits::Limits;

/// Why the moves of an EPD cannot be read.
#[derive(Clone, Debug, Error)]
#[error("{opcode} {operand}: {reason}")]
pub struct ExpectedMovesError {
    /// The operation: `bm` or `am`.
    pub opcode: &'static str,
    /// The move as it is written.
    pub operand: String,
    /// The reason.
    pub reason: SanError,
}

/// The best moves of a position (`bm`), and the moves to avoid (`am`).
#[derive(Clone, Debug)]
pub struct ExpectedMoves {
    best: Vec<Move>,
    avoid: Vec<Move>,
}

impl ExpectedMoves {
    /// Reads the moves of an EPD. Returns `None` if it has neither operation.
    pub fn read(epd: &Epd) -> Result<Option<Self>, ExpectedMovesError> {
        let expected = Self {
            best: moves(epd, "bm")?,
            avoid: moves(epd, "am")?,
        };
        let is_empty = expected.best.is_empty() && expected.avoid.is_empty();
        Ok((!is_empty).then_some(expected))
    }

    /// Returns whether a move solves the position.
    pub fn is_met_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}

fn moves(epd: &Epd, opcode: &'static str) -> Result<Vec<Move>, ExpectedMovesError> {
    let operands = epd
        .operation(opcode)
        .into_iter()
        .flat_map(|operation| &operation.operands);
    let read = |operand: &str| {
        parse_san(operand, &epd.board, Dialect::Import).map_err(|reason| ExpectedMovesError {
            opcode,
            operand: operand.to_owned(),
            reason,
        })
    };
    operands.map(|operand| read(operand.as_str())).collect()
}

/// Lets an engine solve a position, without what it learnt from others. Returns `None` if there is no legal move.
pub fn solve(engine: &mut Engine, board: Board, limits: &Limits) -> Option<SearchResult> {
    engine.new_game();
    engine.think(&GameHistory::new(board), limits, &mut |_| {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_moves_are_read_from_both_operations() {
        let read = |operations: &str| {
            let epd: Epd = format!("4k3/8/8/8/8/8/8/R3K3 w Q - {operations}")
                .parse()
                .unwrap();
            let board = epd.board;
            let expected = ExpectedMoves::read(&epd).unwrap();
            expected.map(|expected| {
                ["Ra8+", "O-O-O", "Kd2"]
                    .map(|san| expected.is_met_by(parse_san(san, &board, Dialect::Strict).unwrap()))
            })
        };
        assert_eq!(read("bm Ra8+ O-O-O;"), Some([true, true, false]));
        assert_eq!(read("am Kd2;"), Some([true, true, false]));
        assert_eq!(read("bm Kd2; am Ra8+;"), Some([false, false, true]));
        assert_eq!(read("id \"none\";"), None);
        let epd: Epd = "4k3/8/8/8/8/8/8/R3K3 w Q - bm Rb2;".parse().unwrap();
        let error = ExpectedMoves::read(&epd).unwrap_err();
        assert!(error.to_string().starts_with("bm Rb2: "), "{error}");
    }
}
