//! Histories: how well moves have done in this search, for move ordering and pruning.

use std::num::NonZero;

use tabiya_board::{Bitboard, Board, Color, Move, Role};

use crate::search::parameters::{
    HISTORY_MAX, butterfly_weight, continuation_1_weight, continuation_2_weight,
    continuation_3_weight, continuation_4_weight, continuation_6_weight, pawn_history_weight,
};
use crate::threats::Threats;

/// Pieces of both colours times squares.
pub(crate) const PIECE_SQUARES: usize = 12 * 64;
/// Rows of the pawn history: a power of two.
const PAWN_ROWS: usize = 1024;

/// A piece and the square it moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(NonZero<u16>);

impl PieceTo {
    #[inline]
    pub(crate) fn of(color: Color, mv: Move) -> Self {
        Self(NonZero::<u16>::MIN.saturating_add(Self::index(color, mv) as u16))
    }

    /// Returns the number of a side's move, from 0.
    #[inline]
    pub(crate) const fn index(color: Color, mv: Move) -> usize {
        (color.index() * 6 + mv.role().index()) * 64 + mv.to().index()
    }

    /// Returns the row of an earlier move in a table of moves: the first one, which stays empty, if there was none.
    #[inline]
    pub(crate) fn row(earlier: Option<Self>) -> usize {
        earlier.map_or(0, |earlier| usize::from(earlier.0.get()))
    }

    /// Returns whether a move goes to the same square.
    pub(crate) fn has_target_of(self, mv: Move) -> bool {
        usize::from(self.0.get() - 1) % 64 == mv.to().index()
    }
}

/// A number for each move that follows another one. The first row, for no earlier move, stays empty.
pub(crate) type MovePairs = [[i16; PIECE_SQUARES]; 1 + PIECE_SQUARES];

/// Returns an array of a type's default values that was never on the stack.
pub(crate) fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the slice has the length of the array"),
    }
}

/// The moves one, two, three, four and six plies before a node; `None` for null moves and before the root.
pub(crate) type ContinuationContext = [Option<PieceTo>; 5];

/// What the histories of a node's quiet moves depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietContext {
    /// The side to move.
    pub(crate) color: Color,
    /// The squares that the opponent attacks.
    pub(crate) threats: Threats,
    pub(crate) continuation: ContinuationContext,
    pub(crate) pawns: PawnRow,
}

/// The histories of one thread.
#[derive(Debug)]
pub(crate) struct History {
    /// Butterfly history of quiet moves: by colour, by whether the two squares are attacked, and by the two squares.
    butterfly: Box<[[i16; 4096]; 8]>,
    /// Capture history: by piece, target square and captured piece.
    captures: Box<[[i16; 6]; PIECE_SQUARES]>,
    /// Continuation history of quiet moves: by an earlier move and the move itself.
    continuation: Box<MovePairs>,
    /// Pawn history of quiet moves: by the placement of the pawns and the move.
    pawns: Box<[[i16; PIECE_SQUARES]; PAWN_ROWS]>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            butterfly: boxed([0; 4096]),
            captures: boxed([0; 6]),
            continuation: boxed([0; PIECE_SQUARES]),
            pawns: boxed([0; PIECE_SQUARES]),
        }
    }
}

impl History {
    /// The memory that it takes, in bytes.
    pub(crate) const SIZE: usize =
        size_of::<i16>() * (8 * 4096 + PIECE_SQUARES * (6 + 1 + PIECE_SQUARES + PAWN_ROWS));
}

/// Adds a bonus, the smaller the nearer the value is to the maximum ("history gravity").
pub(crate) fn add_bonus(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_MAX, HISTORY_MAX);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

fn squares(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

fn butterfly_row(color: Color, mv: Move, attacked: Bitboard) -> usize {
    color.index() * 4
        + usize::from(attacked.contains(mv.from())) * 2
        + usize::from(attacked.contains(mv.to()))
}

/// The histories of the quiet moves of one node. Found once, they are summed quickly for every move.
pub(crate) struct QuietHistory<'a> {
    color: Color,
    attacked: Bitboard,
    butterfly: &'a [[i16; 4096]; 8],
    pawns: &'a [i16; PIECE_SQUARES],
    continuation: [&'a [i16; PIECE_SQUARES]; 5],
}

impl QuietHistory<'_> {
    /// Returns the history of a quiet move.
    #[inline(always)]
    pub(crate) fn of(&self, mv: Move) -> i32 {
        let own = PieceTo::index(self.color, mv);
        let [one, two, three, four, six] = self.continuation.map(|row| i32::from(row[own]));
        let pawns = i32::from(self.pawns[own]);
        let row = butterfly_row(self.color, mv, self.attacked);
        let butterfly = i32::from(self.butterfly[row][squares(mv)]);
        (butterfly * butterfly_weight()
            + one * continuation_1_weight()
            + two * continuation_2_weight()
            + three * continuation_3_weight()
            + four * continuation_4_weight()
            + six * continuation_6_weight()
            + pawns * pawn_history_weight())
            / 16
    }
}

impl History {
    /// Finds the histories of the quiet moves of a node.
    #[inline(always)]
    pub(crate) fn quiets(&self, context: &QuietContext) -> QuietHistory<'_> {
        QuietHistory {
            color: context.color,
            attacked: context.threats.all,
            butterfly: &self.butterfly,
            pawns: &self.pawns[context.pawns.index()],
            continuation: context
                .continuation
                .map(|earlier| &self.continuation[PieceTo::row(earlier)]),
        }
    }

    /// Updates all histories of a quiet move.
    pub(crate) fn update_quiet(&mut self, context: &QuietContext, mv: Move, bonus: i32) {
        self.update_butterfly(context.color, context.threats.all, mv, bonus);
        let own = PieceTo::index(context.color, mv);
        add_bonus(&mut self.pawns[context.pawns.index()][own], bonus);
        self.update_continuation(&context.continuation, own, bonus);
    }

    /// Updates only the butterfly history of a quiet move.
    pub(crate) fn update_butterfly(
        &mut self,
        color: Color,
        attacked: Bitboard,
        mv: Move,
        bonus: i32,
    ) {
        let row = butterfly_row(color, mv, attacked);
        add_bonus(&mut self.butterfly[row][squares(mv)], bonus);
    }

    /// Updates only the continuation history of a quiet move.
    pub(crate) fn update_continuation(
        &mut self,
        context: &ContinuationContext,
        own: usize,
        bonus: i32,
    ) {
        for &earlier in context {
            if earlier.is_some() {
                add_bonus(&mut self.continuation[PieceTo::row(earlier)][own], bonus);
            }
        }
    }

    /// Returns the history of a capture.
    pub(crate) fn capture(&self, color: Color, mv: Move, captured: Role) -> i32 {
        i32::from(self.captures[PieceTo::index(color, mv)][captured.index()])
    }

    /// Updates the history of a capture.
    pub(crate) fn update_capture(&mut self, color: Color, mv: Move, captured: Role, bonus: i32) {
        add_bonus(
            &mut self.captures[PieceTo::index(color, mv)][captured.index()],
            bonus,
        );
    }
}

/// Returns a hash of the placement of the pawns.
pub(crate) fn pawns_key(board: &Board) -> u64 {
    let pawns = board.by_role(Role::Pawn);
    mix(
        mix(0, (pawns & board.by_color(Color::White)).0),
        (pawns & board.by_color(Color::Black)).0,
    )
}

/// The row of the pawn history for a placement of the pawns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PawnRow(u16);

impl PawnRow {
    pub(crate) fn of(board: &Board) -> Self {
        Self((fold(pawns_key(board)) % PAWN_ROWS) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0) % PAWN_ROWS
    }
}

/// Mixes a set of squares into a key.
pub(crate) const fn mix(key: u64, set: u64) -> u64 {
    let mixed = (key ^ set).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// Returns the upper bits of a key, which are mixed best.
pub(crate) const fn fold(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize
}
