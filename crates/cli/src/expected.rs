//! The moves that an EPD asks for.

use anyhow::Context;
use tabiya_board::Move;
use tabiya_notation::{Dialect, Epd, read_move};

/// The best moves of a position (bm), and those to avoid (am).
pub(crate) struct Expected {
    best: Vec<Move>,
    avoid: Vec<Move>,
}

impl Expected {
    /// Reads them; nothing if there are none.
    pub(crate) fn of(epd: &Epd) -> anyhow::Result<Option<Self>> {
        let moves = |opcode| -> anyhow::Result<Vec<Move>> {
            let Some(operation) = epd.operation(opcode) else {
                return Ok(Vec::new());
            };
            let read = |operand: &tabiya_notation::Operand| {
                read_move(operand.as_str(), &epd.board, Dialect::Import)
                    .with_context(|| format!("the move {} of {opcode}", operand.as_str()))
            };
            operation.operands.iter().map(read).collect()
        };
        let expected = Self {
            best: moves("bm")?,
            avoid: moves("am")?,
        };
        let is_empty = expected.best.is_empty() && expected.avoid.is_empty();
        Ok((!is_empty).then_some(expected))
    }

    pub(crate) fn is_met_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}
