//! Lines of moves in UCI notation.

use tabiya_board::{Board, Move};
use tabiya_notation::uci;

/// Writes the moves of a line in UCI notation.
pub(crate) fn uci_line(board: &Board, line: &[Move]) -> Vec<String> {
    let mut now = *board;
    let write = |&mv| {
        let text = uci::write(&now, mv).to_string();
        now.play(mv);
        text
    };
    line.iter().map(write).collect()
}
