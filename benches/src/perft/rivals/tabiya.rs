//! Our own library, with and without a Zobrist key.

use std::str::FromStr;

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, FenError, SimdLevel};

use super::Library;

/// `Position`: the rules and the clocks.
pub struct TabiyaPosition;

/// `Position` with AVX2 at most, which nearly every PC has.
pub struct TabiyaAvx2;

/// `Position` without vector instructions.
pub struct TabiyaPortable;

/// `Board`: a position with a Zobrist key.
pub struct TabiyaBoard;

/// `Board` with an iterator over the moves and the boards after them.
pub struct TabiyaChildren;

/// `Board` with its moves listed first and then played one by one, as in a search.
pub struct TabiyaList;

/// The same, with a check that each move is legal.
pub struct TabiyaChecked;

fn read<T: FromStr<Err = FenError>>(fen: &str) -> Result<T, String> {
    fen.parse().map_err(|error: FenError| error.to_string())
}

/// The adapter of `Position` for a SIMD level.
macro_rules! position_with {
    ($adapter:ty, $instructions:expr, $version:expr) => {
        impl Library for $adapter {
            const NAME: &str = "tabiya Position";

            const VERSION: &str = $version;

            type Position = Position;

            fn prepare() {
                tabiya_board::set_max_simd($instructions);
            }

            fn parse(fen: &str) -> Result<Position, String> {
                read(fen)
            }

            fn count(position: &Position) -> u64 {
                position.count_legal() as u64
            }

            fn for_each_child(position: &Position, mut visit: impl FnMut(&Position)) {
                position.for_each_child(|_, child| visit(child));
            }

            fn bulk(position: &Position, depth: usize) -> u64 {
                tabiya_board::perft(position, depth as u32)
            }
        }
    };
}

position_with!(TabiyaPosition, SimdLevel::Avx512, env!("CARGO_PKG_VERSION"));
position_with!(
    TabiyaAvx2,
    SimdLevel::Avx2,
    concat!(env!("CARGO_PKG_VERSION"), ", no AVX-512")
);
position_with!(
    TabiyaPortable,
    SimdLevel::Portable,
    concat!(env!("CARGO_PKG_VERSION"), ", no vectors")
);

impl Library for TabiyaBoard {
    const NAME: &str = "tabiya Board";

    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", key kept");

    type Position = Board;

    fn prepare() {
        TabiyaPosition::prepare();
    }

    fn parse(fen: &str) -> Result<Board, String> {
        read(fen)
    }

    fn count(board: &Board) -> u64 {
        board.count_legal() as u64
    }

    fn for_each_child(board: &Board, mut visit: impl FnMut(&Board)) {
        board.for_each_child(|_, child| visit(child));
    }
}

/// The adapter of `Board` in a usual way.
macro_rules! usual {
    ($adapter:ty, $way:literal, |$board:ident, $visit:ident| $for_each_child:expr) => {
        impl Library for $adapter {
            const NAME: &str = "tabiya Board";

            const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", ", $way);

            type Position = Board;

            fn prepare() {
                TabiyaPosition::prepare();
            }

            fn parse(fen: &str) -> Result<Board, String> {
                read(fen)
            }

            fn count(board: &Board) -> u64 {
                board.legal_moves().len() as u64
            }

            fn for_each_child($board: &Board, mut $visit: impl FnMut(&Board)) {
                $for_each_child
            }
        }
    };
}

usual!(TabiyaChildren, "children", |board, visit| {
    for (_, next) in board.children() {
        visit(&next);
    }
});
usual!(TabiyaList, "list, after_unchecked", |board, visit| {
    for mv in board.legal_moves() {
        visit(&board.after_unchecked(mv));
    }
});
usual!(TabiyaChecked, "list, after", |board, visit| {
    for mv in board.legal_moves() {
        visit(&board.after(mv));
    }
});
