//! Correction history: by how much the evaluation of similar positions was wrong, as the search found out.

use tabiya_board::{Bitboard, Board, Color, Role};

use crate::history::{MovePairs, PIECE_SQUARES, PieceTo, add_bonus, boxed, fold, mix, pawns_key};
use crate::score::EVAL_BOUND;
use crate::search::parameters::{
    HISTORY_MAX, correction_continuation, correction_major, correction_minor, correction_pawns,
    correction_pieces, correction_rate,
};

/// What positions can have in common: pawns, White's pieces, Black's pieces, minor pieces, major pieces.
const KINDS: usize = 5;
/// Places in each table: a power of two.
const ENTRIES: usize = 16_384;
/// Errors beyond this teach no more.
const MAX_ERROR: i32 = 1_000;

/// What the correction of a position depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CorrectionContext {
    /// The first of the side's tables.
    side: usize,
    /// The place in the table of each kind.
    places: [u16; KINDS],
    /// The places in the table of moves: the row of an earlier move, or 0, and the last move.
    rows: [u16; 2],
    last: u16,
}

impl CorrectionContext {
    /// Returns the context of a position after the last move and our own earlier moves, which are combined with it.
    pub(crate) fn of(board: &Board, last: Option<PieceTo>, earlier: [Option<PieceTo>; 2]) -> Self {
        Self {
            side: board.turn().index() * KINDS,
            places: places(board),
            rows: earlier.map(|earlier| PieceTo::row(last.and(earlier)) as u16),
            last: PieceTo::row(last).saturating_sub(1) as u16,
        }
    }

    /// Returns the index of each kind in the tables.
    fn kinds(&self) -> [usize; KINDS] {
        std::array::from_fn(|kind| (self.side + kind) * ENTRIES + usize::from(self.places[kind]))
    }
}

/// The correction history of one thread.
#[derive(Debug)]
pub(crate) struct CorrectionHistory {
    /// By side to move and kind, and by what the position has of the kind.
    tables: Box<[i16; 2 * KINDS * ENTRIES]>,
    /// By an earlier move and the last one.
    continuation: Box<MovePairs>,
}

impl Default for CorrectionHistory {
    fn default() -> Self {
        Self {
            tables: boxed(0),
            continuation: boxed([0; PIECE_SQUARES]),
        }
    }
}

impl CorrectionHistory {
    /// The memory that it takes, in bytes.
    pub(crate) const SIZE: usize =
        size_of::<i16>() * (2 * KINDS * ENTRIES + (1 + PIECE_SQUARES) * PIECE_SQUARES);

    /// Returns what to add to the evaluation.
    ///
    /// The tables are rarely in the fastest cache. Asked for before the evaluation, they arrive while it is computed.
    #[inline]
    pub(crate) fn correction(&self, context: &CorrectionContext) -> i32 {
        let [pawns, white, black, minor, major] =
            context.kinds().map(|index| i32::from(self.tables[index]));
        let [two, four] = context
            .rows
            .map(|row| i32::from(self.continuation[usize::from(row)][usize::from(context.last)]));
        let sum = pawns * correction_pawns()
            + (white + black) * correction_pieces()
            + minor * correction_minor()
            + major * correction_major()
            + (two + four) * correction_continuation();
        sum / HISTORY_MAX
    }

    /// Learns from the error that was left after the correction, in a search to a depth.
    ///
    /// All tables move in the direction of the error, until together they leave none.
    pub(crate) fn update(&mut self, context: &CorrectionContext, error: i32, depth: i32) {
        let most = HISTORY_MAX / 4;
        let error = error.clamp(-MAX_ERROR, MAX_ERROR);
        let bonus = (error * depth * correction_rate()).clamp(-most, most);
        for index in context.kinds() {
            add_bonus(&mut self.tables[index], bonus);
        }
        for row in context.rows.map(usize::from) {
            if row != 0 {
                add_bonus(
                    &mut self.continuation[row][usize::from(context.last)],
                    bonus,
                );
            }
        }
    }
}

/// Returns an evaluation with its correction.
#[inline]
pub(crate) fn corrected(eval: i32, correction: i32) -> i32 {
    (eval + correction).clamp(-EVAL_BOUND, EVAL_BOUND)
}

/// Returns the place in the table of each kind.
fn places(board: &Board) -> [u16; KINDS] {
    let white = board.by_color(Color::White);
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
    // Two kings on swapped squares must give another key.
    let kings = Bitboard::from(board.king(Color::White)).0
        ^ Bitboard::from(board.king(Color::Black)).0.rotate_left(1);
    let both_key = |first, second| {
        let sets = [board.by_role(first), board.by_role(second)];
        let key = sets.into_iter().fold(kings, |key, set| mix(key, set.0));
        mix(key, ((sets[0] | sets[1]) & white).0)
    };
    let keys = [
        pawns_key(board),
        pieces_key(Color::White),
        pieces_key(Color::Black),
        both_key(Role::Knight, Role::Bishop),
        both_key(Role::Rook, Role::Queen),
    ];
    keys.map(|key| fold(key) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The context of a position without the moves that led to it.
    fn context(board: &Board) -> CorrectionContext {
        CorrectionContext::of(board, None, [None; 2])
    }

    /// Teaches that the evaluation is off by `error`, as searches do: each sees the error that is left.
    fn taught(board: &Board, error: i32) -> CorrectionHistory {
        let mut history = CorrectionHistory::default();
        for _ in 0..200 {
            let left = error - history.correction(&context(board));
            history.update(&context(board), left, 8);
        }
        history
    }

    #[test]
    fn all_tables_together_leave_no_error() {
        let board = Board::start();
        for error in [-60, -20, 20, 60] {
            let left = error - taught(&board, error).correction(&context(&board));
            assert!(left.abs() <= 3, "{left} of {error}");
        }
    }

    #[test]
    fn similar_positions_are_corrected_less_and_other_ones_not() {
        let board = Board::start();
        let history = taught(&board, 40);
        let of = |fen: &str| history.correction(&context(&fen.parse().unwrap()));
        let same = of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let similar = of("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1");
        let other = of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert!(
            same > similar && similar > other,
            "{same} {similar} {other}"
        );
        assert_eq!(other, 0);
    }

    #[test]
    fn the_moves_that_led_to_a_position_count() {
        let board = Board::start();
        let piece_to = |index| Some(PieceTo::of(Color::White, board.legal_moves()[index]));
        let with_moves = CorrectionContext::of(&board, piece_to(0), [piece_to(1), None]);
        let mut history = CorrectionHistory::default();
        history.update(&with_moves, 30, 8);
        assert!(history.correction(&with_moves) > history.correction(&context(&board)));
    }
}
