//! The boards that are one move away.

use core::fmt;
use core::iter::FusedIterator;

use crate::board::Board;
use crate::legal_moves::LegalMoves;
use crate::moves::Move;
use crate::play;

/// An iterator over the legal moves of a board and the boards after them, made by [`Board::children`].
pub struct Children<'a> {
    board: &'a Board,
    /// What all moves begin with, done once.
    passed: Board,
    /// Listed by the first call of `next`, when the iterator has been moved to where it stays.
    moves: LegalMoves<'a>,
    next: usize,
}

impl<'a> Children<'a> {
    #[inline(always)]
    pub(crate) fn of(board: &'a Board) -> Self {
        Self {
            board,
            passed: play::passing(board),
            moves: board.legal_moves(),
            next: 0,
        }
    }
}

impl Iterator for Children<'_> {
    type Item = (Move, Board);

    // Otherwise the pair would be copied twice, which takes longer than to make it.
    #[inline(always)]
    fn next(&mut self) -> Option<(Move, Board)> {
        let mv = *self.moves.get(self.next)?;
        self.next += 1;
        Some((mv, play::after_passing(self.board, &self.passed, mv)))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.moves.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Children<'_> {}
impl FusedIterator for Children<'_> {}

impl fmt::Debug for Children<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.moves[self.next..]).finish()
    }
}
