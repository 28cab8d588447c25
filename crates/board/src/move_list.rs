//! A list of moves on the stack.

use core::fmt;
use core::iter::FusedIterator;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

use crate::moves::Move;

/// Room for the moves of any board.
///
/// No position of a game has more than 218 moves, and no board of any kind has more than 488. Along each of the eight
/// directions, at most one piece reaches a square: the nearest. So pieces other than knights make at most as many moves
/// as there are pairs of a free square and a direction that leads to it; all squares together have 420. A knight makes
/// no more moves than its own, occupied square has directions. Promotions add three moves for each of at most 22
/// arrivals on the last rank, and castling adds two.
const CAPACITY: usize = 512;

/// Vector instructions write this many moves at once, of which perhaps only the first count.
const CHUNK: usize = 32;

/// A list of moves on the stack. It dereferences to a slice.
///
/// ```
/// use tabiya_board::Board;
///
/// let mut moves = Board::start().legal_captures();
/// assert!(moves.is_empty());
/// moves.extend(Board::start().legal_moves());
/// moves.sort_unstable_by_key(|mv| mv.to_string());
/// assert_eq!(moves[0].to_string(), "a2a3");
/// assert_eq!(moves.len(), 20);
/// ```
pub struct MoveList {
    /// The first `len` moves are initialised; the rest need not be, because clearing them takes longer than writing the
    /// moves of a position.
    len: usize,
    moves: [MaybeUninit<Move>; CAPACITY + CHUNK],
}

impl MoveList {
    /// Returns an empty list.
    #[inline]
    pub const fn new() -> Self {
        Self {
            len: 0,
            moves: [const { MaybeUninit::uninit() }; CAPACITY + CHUNK],
        }
    }

    /// Appends a move.
    ///
    /// # Panics
    ///
    /// Panics if the list is full. It holds more moves than any board has.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// Appends a move for each square of a set.
    #[inline(always)]
    pub(crate) fn push_each(&mut self, squares: u64, mv: impl Fn(u32) -> Move) {
        let mut rest = squares;
        let end = self.len + squares.count_ones() as usize;
        // One check of the bounds for all moves.
        let Some(room) = self.moves.get_mut(self.len..end) else {
            too_many_moves();
        };
        for slot in room {
            slot.write(mv(rest.trailing_zeros()));
            rest &= rest.wrapping_sub(1);
        }
        self.len = end;
    }

    /// Appends the first `count` of these moves.
    // Only the vector instructions of x86-64 make moves in chunks.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    #[inline(always)]
    pub(crate) fn push_first<const N: usize>(&mut self, count: usize, moves: [u16; N]) {
        let Some(room) = self.moves.get_mut(self.len..self.len + N) else {
            too_many_moves();
        };
        for (slot, mv) in room.iter_mut().zip(moves) {
            slot.write(Move(mv));
        }
        self.len += count.min(N);
    }

    /// Removes all moves.
    pub(crate) const fn clear(&mut self) {
        self.len = 0;
    }
}

/// Only boards that illegal moves have left meaningless come here.
#[cold]
#[inline(never)]
fn too_many_moves() -> ! {
    panic!("a board has more moves than a list can hold");
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[Move] {
        // SAFETY: the first `len` moves are within the array and initialised.
        unsafe { core::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for MoveList {
    #[inline]
    #[allow(unsafe_code)]
    fn deref_mut(&mut self) -> &mut [Move] {
        // SAFETY: the first `len` moves are within the array and initialised.
        unsafe { core::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.len) }
    }
}

impl Clone for MoveList {
    fn clone(&self) -> Self {
        self.iter().copied().collect()
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

/// # Panics
///
/// Panics if there are more moves than any board has.
impl Extend<Move> for MoveList {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        for mv in moves {
            self.push(mv);
        }
    }
}

/// # Panics
///
/// Panics if there are more moves than any board has.
impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        let mut list = Self::new();
        list.extend(moves);
        list
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;

    #[inline]
    fn into_iter(self) -> MoveListIter {
        MoveListIter {
            next: 0,
            moves: self,
        }
    }
}

/// An iterator over the moves of a [`MoveList`].
#[derive(Clone, Debug)]
pub struct MoveListIter {
    next: usize,
    pub(crate) moves: MoveList,
}

impl MoveListIter {
    /// Returns an iterator over an empty list.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            next: 0,
            moves: MoveList::new(),
        }
    }
}

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let mv = self.moves.get(self.next).copied()?;
        self.next += 1;
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.moves.len - self.next;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for MoveListIter {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        let mv = self.moves[self.next..].last().copied()?;
        self.moves.len -= 1;
        Some(mv)
    }
}

impl ExactSizeIterator for MoveListIter {}
impl FusedIterator for MoveListIter {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
