//! Checks for every board.

use std::ops::ControlFlow;

use tabiya_board::{Board, Move, SimdLevel, perft, set_max_simd};

const LEVELS: [SimdLevel; 3] = [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];

/// Returns the legal moves, after checking that all ways to generate them agree at every SIMD level of this machine.
pub(crate) fn legal_moves(board: &Board) -> Vec<Move> {
    let lists = LEVELS.map(|level| {
        set_max_simd(level);
        let moves = sorted(board.legal_moves());
        assert_eq!(board.count_legal(), moves.len(), "{board} with {level:?}");
        moves
    });
    for (moves, level) in lists.iter().zip(LEVELS) {
        assert_eq!(*moves, lists[0], "{board} with {level:?}");
    }
    let mut batches = Vec::new();
    let _ = board.for_each_piece_moves(|moves| {
        assert_eq!(moves.len(), moves.into_iter().count(), "{board}");
        batches.extend(moves);
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(sorted(batches), lists[0], "batches of {board}");
    let [moves, ..] = lists;
    moves
}

/// Checks that the board survives a round trip through text and parts, and that its key equals the recomputed one.
pub(crate) fn check_round_trips(board: &Board) {
    let fen = board.to_string();
    assert_eq!(fen.parse(), Ok(*board), "from {fen}");
    let shredder = board.shredder_fen().to_string();
    assert_eq!(shredder.parse(), Ok(*board), "from {shredder}");
    assert_eq!(Board::new(&board.setup()), Ok(*board), "set-up of {fen}");
    let key = Board::from(*board.position()).key();
    assert_eq!(board.key(), key, "key of {fen}");
}

/// Checks that the children agree with playing the moves, and their moves with the count at depth two.
pub(crate) fn check_children(board: &Board, moves: &[Move]) {
    let mut visited = Vec::with_capacity(moves.len());
    let mut grandchildren = 0;
    board.for_each_child(|mv, next| {
        assert_eq!(*next, board.after_unchecked(mv), "{mv} on {board}");
        grandchildren += next.count_legal() as u64;
        visited.push(mv);
    });
    assert_eq!(sorted(visited), moves, "children of {board}");
    assert_eq!(perft(board, 2), grandchildren, "{board}");
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}
