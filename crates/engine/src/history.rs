//! What earlier moves of the search teach about which to try first, and about where the evaluation errs.

use tabiya_board::{Bitboard, Board, Color, Move, Role};

use crate::score::EVAL_BOUND;

/// No value of a history grows beyond this.
const LIMIT: i32 = 16_384;
/// Pieces of both colours times squares.
const PIECE_SQUARES: usize = 12 * 64;
/// Entries of each correction table: a power of two.
const CORRECTIONS: usize = 16_384;
/// The unit of corrections: so many to one point of evaluation.
const CORRECTION_GRAIN: i32 = 256;
const CORRECTION_LIMIT: i32 = 64 * CORRECTION_GRAIN;

/// A piece and the square where it arrives: by this moves are remembered as context for the next ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival(u16);

impl Arrival {
    pub(crate) fn of(color: Color, mv: Move) -> Self {
        Self((color.index() * 6 * 64 + mv.role().index() * 64 + mv.to().index()) as u16)
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The moves that led to a node, the last one first; none for a pass and before the root.
pub(crate) type Context = [Option<Arrival>; 3];

/// All that one thread has learnt.
#[derive(Debug)]
pub(crate) struct History {
    /// Quiet moves by colour, whether the origin and the target are attacked, and the two squares.
    butterfly: Box<[[i16; 4096]]>,
    /// Captures by the arriving piece and what is taken.
    captures: Box<[[i16; 6]]>,
    /// Quiet moves by a former arrival and their own.
    continuation: Box<[[i16; PIECE_SQUARES]]>,
    /// What the evaluation has been wrong by, by pawns and by the pieces of each colour; each for both sides to move.
    corrections: [Box<[i16]>; 6],
}

impl Default for History {
    fn default() -> Self {
        Self {
            butterfly: vec![[0; 4096]; 8].into_boxed_slice(),
            captures: vec![[0; 6]; PIECE_SQUARES].into_boxed_slice(),
            continuation: vec![[0; PIECE_SQUARES]; PIECE_SQUARES].into_boxed_slice(),
            corrections: std::array::from_fn(|_| vec![0; CORRECTIONS].into_boxed_slice()),
        }
    }
}

/// Moves a value towards the limit; the nearer it is, the less.
fn gravitate(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

fn squares(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

fn butterfly_row(color: Color, mv: Move, attacked: Bitboard) -> usize {
    color.index() * 4
        + usize::from(attacked.contains(mv.from())) * 2
        + usize::from(attacked.contains(mv.to()))
}

impl History {
    /// How well a quiet move has done, here and after the moves before it. `attacked` are the squares that the other
    /// side attacks.
    pub(crate) fn quiet(
        &self,
        color: Color,
        mv: Move,
        attacked: Bitboard,
        context: &Context,
    ) -> i32 {
        let butterfly = self.butterfly[butterfly_row(color, mv, attacked)][squares(mv)];
        i32::from(butterfly) + self.after(color, mv, context)
    }

    /// How well a quiet move has done after the moves before it.
    pub(crate) fn after(&self, color: Color, mv: Move, context: &Context) -> i32 {
        let arrival = Arrival::of(color, mv).index();
        let former = context.iter().flatten();
        former
            .map(|former| i32::from(self.continuation[former.index()][arrival]))
            .sum()
    }

    /// Remembers how a quiet move has done.
    pub(crate) fn update_quiet(
        &mut self,
        color: Color,
        mv: Move,
        attacked: Bitboard,
        context: &Context,
        bonus: i32,
    ) {
        let row = butterfly_row(color, mv, attacked);
        gravitate(&mut self.butterfly[row][squares(mv)], bonus);
        let arrival = Arrival::of(color, mv).index();
        for former in context.iter().flatten() {
            gravitate(&mut self.continuation[former.index()][arrival], bonus);
        }
    }

    /// How well a capture has done.
    pub(crate) fn capture(&self, color: Color, mv: Move, taken: Role) -> i32 {
        i32::from(self.captures[Arrival::of(color, mv).index()][taken.index()])
    }

    /// Remembers how a capture has done.
    pub(crate) fn update_capture(&mut self, color: Color, mv: Move, taken: Role, bonus: i32) {
        gravitate(
            &mut self.captures[Arrival::of(color, mv).index()][taken.index()],
            bonus,
        );
    }

    /// An evaluation as experience corrects it.
    pub(crate) fn corrected(&self, board: &Board, eval: i32) -> i32 {
        (eval + self.correction(board)).clamp(-EVAL_BOUND, EVAL_BOUND)
    }

    /// By how much the evaluation of positions like this one has been wrong.
    fn correction(&self, board: &Board) -> i32 {
        let sum: i32 = Self::correction_places(board)
            .map(|(table, index)| i32::from(self.corrections[table][index]))
            .iter()
            .sum();
        sum / CORRECTION_GRAIN
    }

    /// Remembers by how much the evaluation was wrong, found out by a search of so many plies.
    pub(crate) fn update_correction(&mut self, board: &Board, error: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        let target = (error * CORRECTION_GRAIN).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT);
        for (table, index) in Self::correction_places(board) {
            let value = &mut self.corrections[table][index];
            *value = ((i32::from(*value) * (256 - weight) + target * weight) / 256) as i16;
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
                board.diagonal_movers(),
                board.straight_movers(),
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
