//! Draws by repetition, the fifty-move rule and insufficient material.

use tabiya_board::Board;

use super::Worker;

/// Returns the key that repetitions are detected by.
#[inline]
pub(super) fn key(board: &Board) -> u64 {
    match board.en_passant() {
        None => board.key(),
        Some(_) => board.repetition_key(),
    }
}

/// Returns by how much keys change with the side to move.
pub(super) fn turn_key() -> u64 {
    let start = Board::start();
    start.null_move().map_or(0, |next| next.key() ^ start.key())
}

impl Worker {
    /// Returns whether the position is a draw. A position of the searched line counts when it repeats once, because the
    /// sides could repeat it again. A position of the game counts when it comes for the third time.
    pub(super) fn is_draw(&self, board: &Board) -> bool {
        if board.halfmove_clock() >= 100 && !board.is_checkmate() {
            return true;
        }
        (board.occupied().len() <= 4 && board.is_insufficient_material())
            || self.is_repetition(board)
    }

    fn is_repetition(&self, board: &Board) -> bool {
        let reversible = usize::from(board.halfmove_clock())
            .min(self.stack[self.ply].plies_since_null)
            .min(self.keys.len() - 1);
        let now = self.keys.len() - 1;
        let mut seen = false;
        for ago in (4..=reversible).step_by(2) {
            if self.keys[now - ago] == self.keys[now] {
                if ago < self.ply || seen {
                    return true;
                }
                seen = true;
            }
        }
        false
    }
}
