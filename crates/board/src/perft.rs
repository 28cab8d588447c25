//! Counting the leaves of the tree of legal moves, by which move generators are checked and compared.

use crate::dispatch;
use crate::position::Position;

/// The number of sequences of so many legal moves from a position.
///
/// ```
/// use tabiya_board::{Board, perft};
/// assert_eq!(perft(&Board::start(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    dispatch::perft(position, depth)
}
