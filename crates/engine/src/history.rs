//! Histories: how well moves have done in this search, for move ordering and pruning, and how wrong the evaluation was.

use tabiya_board::{Bitboard, Board, Color, Move, Role};

use crate::score::EVAL_BOUND;
use crate::search::parameters::{
    CORRECTION_GRAIN, CORRECTION_MAX, CORRECTION_WEIGHT_MAX, CORRECTION_WEIGHT_TOTAL, HISTORY_MAX,
    continuation_3_weight, continuation_6_weight, correction_continuation, correction_major,
    correction_minor, correction_pawns, correction_pieces, correction_rate, pawn_history_weight,
    x_corr,
};

/// Pieces of both colours times squares.
const PIECE_SQUARES: usize = 12 * 64;
/// Entries of each correction table: a power of two.
const CORRECTION_ENTRIES: usize = 16_384;

/// Rows of the pawn history: a power of two.
const PAWN_ROWS: usize = 1024;

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

    /// Returns whether a move goes to the same square.
    pub(crate) fn has_target_of(self, mv: Move) -> bool {
        usize::from(self.0) % 64 == mv.to().index()
    }
}

/// Earlier moves on the line to a node; `None` for null moves and before the root.
pub(crate) type ContinuationContext = [Option<PieceTo>; 5];

/// The histories of one thread.
#[derive(Debug)]
pub(crate) struct History {
    /// Butterfly history of quiet moves: by colour, by whether the two squares are attacked, and by the two squares.
    butterfly: Box<[[i16; 4096]]>,
    /// Capture history: by piece, target square and captured piece.
    captures: Box<[[i16; 6]]>,
    /// Continuation history of quiet moves: by an earlier move and the move itself.
    continuation: Box<[[i16; PIECE_SQUARES]]>,
    /// Pawn history of quiet moves: by the placement of the pawns and the move.
    pawns: Box<[[i16; PIECE_SQUARES]]>,
    /// Correction history: errors of the evaluation by pawns, White's pieces and Black's pieces, for each side to move.
    corrections: [Box<[i16]>; 10],
    continuation_corrections: Box<[[i16; PIECE_SQUARES]]>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            butterfly: vec![[0; 4096]; 8].into_boxed_slice(),
            captures: vec![[0; 6]; PIECE_SQUARES].into_boxed_slice(),
            continuation: vec![[0; PIECE_SQUARES]; PIECE_SQUARES].into_boxed_slice(),
            pawns: vec![[0; PIECE_SQUARES]; PAWN_ROWS].into_boxed_slice(),
            continuation_corrections: vec![[0; PIECE_SQUARES]; PIECE_SQUARES].into_boxed_slice(),
            corrections: std::array::from_fn(|_| vec![0; CORRECTION_ENTRIES].into_boxed_slice()),
        }
    }
}

impl History {
    /// The memory that it takes, in bytes.
    pub(crate) const SIZE: usize = size_of::<i16>()
        * (8 * 4096
            + PIECE_SQUARES * (6 + PAWN_ROWS + 2 * PIECE_SQUARES)
            + 10 * CORRECTION_ENTRIES);
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
    pawns: &'a [i16; PIECE_SQUARES],
    continuation: [&'a [i16; PIECE_SQUARES]; 5],
}

impl QuietHistory<'_> {
    /// Returns the history of a quiet move.
    #[inline(always)]
    pub(crate) fn of(&self, mv: Move) -> i32 {
        let own = PieceTo::of(self.color, mv).index();
        let [one, two, three, four, six] = self.continuation.map(|row| i32::from(row[own]));
        let pawns = i32::from(self.pawns[own]);
        let row = usize::from(self.attacked.contains(mv.from())) * 2
            + usize::from(self.attacked.contains(mv.to()));
        i32::from(self.butterfly[row][squares(mv)])
            + one
            + two
            + four
            + (three * continuation_3_weight()
                + six * continuation_6_weight()
                + pawns * pawn_history_weight())
                / 16
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
        pawns: PawnRow,
    ) -> QuietHistory<'_> {
        let first = color.index() * 4;
        QuietHistory {
            color,
            attacked,
            butterfly: &self.butterfly[first..first + 4],
            pawns: &self.pawns[pawns.0],
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
        pawns: PawnRow,
    ) -> i32 {
        self.quiets(color, attacked, context, pawns).of(mv)
    }

    /// Updates the histories of a quiet move.
    pub(crate) fn update_quiet(
        &mut self,
        color: Color,
        mv: Move,
        attacked: Bitboard,
        context: &ContinuationContext,
        pawns: PawnRow,
        bonus: i32,
    ) {
        self.update_butterfly(color, mv, attacked, bonus);
        let own = PieceTo::of(color, mv);
        add_bonus(&mut self.pawns[pawns.0][own.index()], bonus);
        self.update_continuation(context, own, bonus);
    }

    /// Updates only the butterfly history of a quiet move.
    pub(crate) fn update_butterfly(
        &mut self,
        color: Color,
        mv: Move,
        attacked: Bitboard,
        bonus: i32,
    ) {
        let row = butterfly_row(color, mv, attacked);
        add_bonus(&mut self.butterfly[row][squares(mv)], bonus);
    }

    /// Updates only the continuation history of a move.
    pub(crate) fn update_continuation(
        &mut self,
        context: &ContinuationContext,
        own: PieceTo,
        bonus: i32,
    ) {
        let used = [
            true,
            true,
            continuation_3_weight() != 0,
            true,
            continuation_6_weight() != 0,
        ];
        for (earlier, used) in context.iter().zip(used) {
            if let Some(earlier) = earlier
                && used
            {
                add_bonus(&mut self.continuation[earlier.index()][own.index()], bonus);
            }
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
    pub(crate) fn correction(&self, board: &Board, context: &CorrectionContext) -> i32 {
        let [pawns, white, black, minor, major] = Self::correction_places(board)
            .map(|(table, index)| i32::from(self.corrections[table][index]));
        if x_corr() & 1 == 0 {
            return (pawns + white + black) / CORRECTION_GRAIN;
        }
        let continuation: i32 = context
            .pairs()
            .map(|(earlier, last)| i32::from(self.continuation_corrections[earlier][last]))
            .sum();
        (pawns * correction_pawns()
            + (white + black) * correction_pieces()
            + minor * correction_minor()
            + major * correction_major()
            + continuation * correction_continuation())
            / HISTORY_MAX
    }

    /// Returns an evaluation with its correction.
    #[inline]
    pub(crate) fn corrected(eval: i32, correction: i32) -> i32 {
        (eval + correction).clamp(-EVAL_BOUND, EVAL_BOUND)
    }

    /// Updates the correction history with the error that a search to a depth found.
    pub(crate) fn update_correction(
        &mut self,
        board: &Board,
        context: &CorrectionContext,
        error: i32,
        depth: i32,
    ) {
        if x_corr() & 1 == 0 {
            let weight = (depth + 1).min(CORRECTION_WEIGHT_MAX);
            let target = error.clamp(-CORRECTION_MAX, CORRECTION_MAX) * CORRECTION_GRAIN;
            for (table, index) in Self::correction_places(board) {
                let value = &mut self.corrections[table][index];
                let sum = i32::from(*value) * (CORRECTION_WEIGHT_TOTAL - weight) + target * weight;
                *value = (sum / CORRECTION_WEIGHT_TOTAL) as i16;
            }
            return;
        }
        let most = HISTORY_MAX / 4;
        let bonus = (error.clamp(-1000, 1000) * depth * correction_rate()).clamp(-most, most);
        for (table, index) in Self::correction_places(board) {
            add_bonus(&mut self.corrections[table][index], bonus);
        }
        for (earlier, last) in context.pairs() {
            add_bonus(&mut self.continuation_corrections[earlier][last], bonus);
        }
    }

    fn correction_places(board: &Board) -> [(usize, usize); 5] {
        let side = board.turn().index() * 5;
        let pawns_key = pawns_key(board);
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
        let kings = Bitboard::from(board.king(Color::White)).0
            ^ Bitboard::from(board.king(Color::Black)).0.rotate_left(1);
        let both = |sets: [Bitboard; 2]| {
            let white = board.by_color(Color::White);
            let key = sets.into_iter().fold(kings, |key, set| mix(key, set.0));
            mix(key, ((sets[0] | sets[1]) & white).0)
        };
        let minor_key = both([board.by_role(Role::Knight), board.by_role(Role::Bishop)]);
        let major_key = both([board.by_role(Role::Rook), board.by_role(Role::Queen)]);
        [
            (side, fold(pawns_key)),
            (side + 1, fold(pieces_key(Color::White))),
            (side + 2, fold(pieces_key(Color::Black))),
            (side + 3, fold(minor_key)),
            (side + 4, fold(major_key)),
        ]
    }
}

fn pawns_key(board: &Board) -> u64 {
    let pawns = board.by_role(Role::Pawn);
    mix(
        mix(0, (pawns & board.by_color(Color::White)).0),
        (pawns & board.by_color(Color::Black)).0,
    )
}

/// The row of the pawn history for a placement of the pawns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PawnRow(usize);

impl PawnRow {
    pub(crate) fn of(board: &Board) -> Self {
        Self(fold(pawns_key(board)) % PAWN_ROWS)
    }
}

/// The last move, and those before it that the continuation correction looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionContext {
    pub(crate) last: Option<PieceTo>,
    pub(crate) earlier: [Option<PieceTo>; 2],
}

impl CorrectionContext {
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let earlier = self.earlier.iter().flatten();
        earlier.filter_map(|earlier| Some((earlier.index(), self.last?.index())))
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
