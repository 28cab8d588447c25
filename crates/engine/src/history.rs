//! Histories: how well moves have done in this search, for move ordering and pruning, and how wrong the evaluation was.

use tabiya_board::{Bitboard, Board, Color, Move, Role};

use crate::score::EVAL_BOUND;
use crate::search::parameters::{
    CORRECTION_GRAIN, CORRECTION_MAX, CORRECTION_WEIGHT_MAX, CORRECTION_WEIGHT_TOTAL, HISTORY_MAX,
};

/// Pieces of both colours times squares.
const PIECE_SQUARES: usize = 12 * 64;
/// Entries of each correction table: a power of two.
const CORRECTION_ENTRIES: usize = 16_384;

/// A piece and the square it moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(crate) fn of(color: Color, mv: Move) -> Self {
        Self((color.index() * 6 * 64 + mv.role().index() * 64 + mv.to().index()) as u16)
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Earlier moves on the line to a node; `None` for null moves and before the root.
pub(crate) type ContinuationContext = [Option<PieceTo>; 3];

/// The histories of one thread.
#[derive(Debug)]
pub(crate) struct History {
    /// Butterfly history of quiet moves: by colour, by whether the two squares are attacked, and by the two squares.
    butterfly: Box<[[i16; 4096]]>,
    /// Capture history: by piece, target square and captured piece.
    captures: Box<[[i16; 6]]>,
    /// Continuation history of quiet moves: by an earlier move and the move itself.
    continuation: Box<[[i16; PIECE_SQUARES]]>,
    /// Correction history: errors of the evaluation by pawns, White's pieces and Black's pieces, for each side to move.
    corrections: [Box<[i16]>; 6],
}

impl Default for History {
    fn default() -> Self {
        Self {
            butterfly: vec![[0; 4096]; 8].into_boxed_slice(),
            captures: vec![[0; 6]; PIECE_SQUARES].into_boxed_slice(),
            continuation: vec![[0; PIECE_SQUARES]; PIECE_SQUARES].into_boxed_slice(),
            corrections: std::array::from_fn(|_| vec![0; CORRECTION_ENTRIES].into_boxed_slice()),
        }
    }
}

impl History {
    /// The memory that it takes, in bytes.
    pub(crate) const SIZE: usize = size_of::<i16>()
        * (8 * 4096 + PIECE_SQUARES * (6 + PIECE_SQUARES) + 6 * CORRECTION_ENTRIES);
}

/// Adds a bonus, the smaller the nearer the value is to the maximum ("history gravity").
fn add_bonus(value: &mut i16, bonus: i32) {
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

/// The continuation history of a move that was never made.
static NO_HISTORY: [i16; PIECE_SQUARES] = [0; PIECE_SQUARES];

/// The histories of the quiet moves of one node. Found once, they are summed quickly for every move.
pub(crate) struct QuietHistory<'a> {
    color: Color,
    attacked: Bitboard,
    butterfly: &'a [[i16; 4096]],
    continuation: [&'a [i16; PIECE_SQUARES]; 3],
}

impl QuietHistory<'_> {
    /// Returns the history of a quiet move.
    #[inline(always)]
    pub(crate) fn of(&self, mv: Move) -> i32 {
        let own = PieceTo::of(self.color, mv).index();
        let [one, two, four] = self.continuation.map(|row| i32::from(row[own]));
        let row = usize::from(self.attacked.contains(mv.from())) * 2
            + usize::from(self.attacked.contains(mv.to()));
        i32::from(self.butterfly[row][squares(mv)]) + one + two + four
    }
}

impl History {
    /// Finds the histories of the quiet moves of a node. `attacked` are the squares that the opponent attacks.
    #[inline]
    pub(crate) fn quiets(
        &self,
        color: Color,
        attacked: Bitboard,
        context: &ContinuationContext,
    ) -> QuietHistory<'_> {
        let first = color.index() * 4;
        QuietHistory {
            color,
            attacked,
            butterfly: &self.butterfly[first..first + 4],
            continuation: context.map(|earlier| match earlier {
                Some(earlier) => &self.continuation[earlier.index()],
                None => &NO_HISTORY,
            }),
        }
    }

    /// Returns the history of a quiet move. `attacked` are the squares that the opponent attacks.
    pub(crate) fn quiet(
        &self,
        color: Color,
        mv: Move,
        attacked: Bitboard,
        context: &ContinuationContext,
    ) -> i32 {
        self.quiets(color, attacked, context).of(mv)
    }

    /// Updates the histories of a quiet move.
    pub(crate) fn update_quiet(
        &mut self,
        color: Color,
        mv: Move,
        attacked: Bitboard,
        context: &ContinuationContext,
        bonus: i32,
    ) {
        let row = butterfly_row(color, mv, attacked);
        add_bonus(&mut self.butterfly[row][squares(mv)], bonus);
        let own = PieceTo::of(color, mv).index();
        for earlier in context.iter().flatten() {
            add_bonus(&mut self.continuation[earlier.index()][own], bonus);
        }
    }

    /// Returns the history of a capture.
    pub(crate) fn capture(&self, color: Color, mv: Move, captured: Role) -> i32 {
        i32::from(self.captures[PieceTo::of(color, mv).index()][captured.index()])
    }

    /// Updates the history of a capture.
    pub(crate) fn update_capture(&mut self, color: Color, mv: Move, captured: Role, bonus: i32) {
        add_bonus(
            &mut self.captures[PieceTo::of(color, mv).index()][captured.index()],
            bonus,
        );
    }

    /// Returns by how much the evaluation of similar positions has been wrong.
    ///
    /// The tables are rarely in the fastest cache. Asked for before the evaluation, they arrive while it is computed.
    #[inline]
    pub(crate) fn correction(&self, board: &Board) -> i32 {
        let sum: i32 = Self::correction_places(board)
            .map(|(table, index)| i32::from(self.corrections[table][index]))
            .iter()
            .sum();
        sum / CORRECTION_GRAIN
    }

    /// Returns an evaluation with its correction.
    #[inline]
    pub(crate) fn corrected(eval: i32, correction: i32) -> i32 {
        (eval + correction).clamp(-EVAL_BOUND, EVAL_BOUND)
    }

    /// Updates the correction history with the error that a search to a depth found.
    pub(crate) fn update_correction(&mut self, board: &Board, error: i32, depth: i32) {
        let weight = (depth + 1).min(CORRECTION_WEIGHT_MAX);
        let target = error.clamp(-CORRECTION_MAX, CORRECTION_MAX) * CORRECTION_GRAIN;
        for (table, index) in Self::correction_places(board) {
            let value = &mut self.corrections[table][index];
            let sum = i32::from(*value) * (CORRECTION_WEIGHT_TOTAL - weight) + target * weight;
            *value = (sum / CORRECTION_WEIGHT_TOTAL) as i16;
        }
    }

    fn correction_places(board: &Board) -> [(usize, usize); 3] {
        let side = board.turn().index() * 3;
        let pawns = board.by_role(Role::Pawn);
        let pawns_key = mix(
            mix(0, (pawns & board.by_color(Color::White)).0),
            (pawns & board.by_color(Color::Black)).0,
        );
        let pieces_key = |color| {
            let own = board.by_color(color);
            let sets = [
                board.by_role(Role::Knight),
                board.diagonal_sliders(),
                board.orthogonal_sliders(),
                Bitboard::from(board.king(color)),
            ];
            sets.into_iter().fold(0, |key, set| mix(key, (set & own).0))
        };
        [
            (side, fold(pawns_key)),
            (side + 1, fold(pieces_key(Color::White))),
            (side + 2, fold(pieces_key(Color::Black))),
        ]
    }
}

/// Mixes a set of squares into a key.
pub(crate) const fn mix(key: u64, set: u64) -> u64 {
    let mixed = (key ^ set).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

const fn fold(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize
}
