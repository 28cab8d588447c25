//! Draws by repetition, by fifty moves and by lack of material, as a search sees them.

use tabiya_board::Board;

use super::Worker;

/// The key by which repetitions are told.
#[inline]
pub(super) fn key(board: &Board) -> u64 {
    match board.en_passant() {
        None => board.key(),
        Some(_) => board.repetition_key(),
    }
}

impl Worker {
    /// Whether the position is a draw, whatever comes. A position that has been on the line that is being looked at
    /// counts at once: what was good the first time is good the second. One of the game before counts when it comes for
    /// the third time.
    pub(super) fn is_draw(&self, board: &Board) -> bool {
        if board.halfmove_clock() >= 100 && !board.is_checkmate() {
            return true;
        }
        (board.occupied().len() <= 4 && board.is_dead_by_material()) || self.is_repetition(board)
    }

    fn is_repetition(&self, board: &Board) -> bool {
        let reversible = usize::from(board.halfmove_clock())
            .min(self.stack[self.ply].since_pass)
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
