//! The legal moves of a position, listed when they are needed.

use core::cell::{Cell, UnsafeCell};
use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::dispatch;
use crate::move_list::{MoveList, MoveListIter};
use crate::moves::Move;
use crate::position::Position;

/// The legal moves of a position. It dereferences to a slice of moves, and is a list once you look at one.
///
/// [`len`](Self::len) and [`is_empty`](Self::is_empty) only count the moves, which takes a third of the time of listing
/// them. To play each move, [`Board::children`](crate::Board::children) is faster and needs no check.
///
/// It borrows the position. A loop over the moves by value and [`into_list`](Self::into_list) do not, so they leave you
/// free to play the moves on the same board:
///
/// ```
/// use tabiya_board::GameHistory;
///
/// let mut game = GameHistory::default();
/// for mv in game.board().legal_moves() {
///     game.play(mv);
///     game.undo();
/// }
/// ```
///
/// # Example
///
/// ```
/// use tabiya_board::Board;
///
/// let board = Board::start();
/// assert_eq!(board.legal_moves().len(), 20); // counts
/// for mv in board.legal_moves() {
///     assert!(board.after(mv).legal_moves().len() >= 19);
/// }
/// let mut moves = board.legal_moves();
/// moves.sort_unstable_by_key(|mv| mv.to_string());
/// assert_eq!(moves[0].to_string(), "a2a3");
/// ```
pub struct LegalMoves<'a> {
    position: &'a Position,
    is_listed: Cell<bool>,
    /// Empty until the moves are listed, and not changed afterwards except through a unique reference.
    list: UnsafeCell<MoveList>,
}

impl<'a> LegalMoves<'a> {
    #[inline(always)]
    pub(crate) fn of(position: &'a Position) -> Self {
        Self {
            position,
            is_listed: Cell::new(false),
            list: UnsafeCell::new(MoveList::new()),
        }
    }

    /// Returns the number of moves.
    #[inline]
    pub fn len(&self) -> usize {
        if self.is_listed.get() {
            self.list().len()
        } else {
            self.position.count_legal()
        }
    }

    /// Whether there is no move.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the list.
    #[inline]
    pub fn into_list(self) -> MoveList {
        let mut list = MoveList::new();
        self.append_to(&mut list);
        list
    }

    /// Appends the moves to an empty list. To make the list where it will be is faster than to move it there.
    #[inline]
    fn append_to(&self, list: &mut MoveList) {
        if self.is_listed.get() {
            list.extend(self.list().iter().copied());
        } else {
            dispatch::list(self.position, list);
        }
    }

    /// The list, made at the first call.
    #[inline(always)]
    #[allow(unsafe_code)]
    fn list(&self) -> &MoveList {
        if !self.is_listed.get() {
            // SAFETY: references to the list are given out only after it is made, and the type is not `Sync`. So this
            // is the only reference; making the list does not come back here.
            let list = unsafe { &mut *self.list.get() };
            list.clear();
            dispatch::list(self.position, list);
            self.is_listed.set(true);
        }
        // SAFETY: from now on the list changes only through a unique reference to `self`.
        unsafe { &*self.list.get() }
    }
}

impl Deref for LegalMoves<'_> {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.list()
    }
}

impl DerefMut for LegalMoves<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        self.list();
        self.list.get_mut()
    }
}

impl Clone for LegalMoves<'_> {
    fn clone(&self) -> Self {
        Self {
            position: self.position,
            is_listed: Cell::new(true),
            list: UnsafeCell::new(self.list().clone()),
        }
    }
}

impl IntoIterator for LegalMoves<'_> {
    type Item = Move;
    type IntoIter = MoveListIter;

    #[inline]
    fn into_iter(self) -> MoveListIter {
        let mut iter = MoveListIter::new();
        self.append_to(&mut iter.moves);
        iter
    }
}

impl<'a> IntoIterator for &'a LegalMoves<'_> {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for LegalMoves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.list(), f)
    }
}
