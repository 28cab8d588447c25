//! Perft: counting the leaves of the tree of legal moves, to check and compare move generators.

use crate::dispatch;
use crate::position::Position;

/// Returns the number of sequences of `depth` legal moves from a position.
///
/// ```
/// use tabiya_board::{Board, perft};
/// assert_eq!(perft(&Board::start(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    dispatch::perft(position, depth)
}
