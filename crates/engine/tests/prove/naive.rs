//! A plain solver: all moves, all replies, no table.

use tabiya_board::Board;

/// Returns whether the side to move can force mate within `moves` moves.
pub(crate) fn mates(board: &Board, moves: u32) -> bool {
    moves > 0
        && board.legal_moves().iter().any(|&mv| {
            let after = board.after_unchecked(mv);
            let replies = after.legal_moves();
            if replies.is_empty() {
                return after.is_check();
            }
            replies
                .iter()
                .all(|&reply| mates(&after.after_unchecked(reply), moves - 1))
        })
}

/// Returns the distance of the shortest mate within `most` moves.
pub(crate) fn distance(board: &Board, most: u32) -> Option<u32> {
    (1..=most).find(|&moves| mates(board, moves))
}
