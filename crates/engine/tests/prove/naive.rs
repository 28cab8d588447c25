//! A solver that knows no tricks: all moves, all replies, nothing remembered.

use tabiya_board::Board;

/// Whether the side to move forces mate in at most so many moves.
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

/// The moves to the shortest mate in at most so many.
pub(crate) fn distance(board: &Board, most: u32) -> Option<u32> {
    (1..=most).find(|&moves| mates(board, moves))
}
