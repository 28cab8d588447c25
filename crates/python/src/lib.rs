//! The native part of the Python package `tabiya`.
//!
//! The package's folder is `python/tabiya`: its `__init__.py` re-exports what this module defines, and adds what needs
//! no speed. The manual is `docs/python.md`.
#![allow(
    clippy::doc_link_with_quotes,
    clippy::fn_params_excessive_bools,
    clippy::needless_pass_by_value,
    clippy::struct_excessive_bools,
    clippy::trivially_copy_pass_by_ref,
    clippy::wrong_self_convention,
    reason = "names, arguments and docstrings are Python's"
)]

mod arguments;
mod arrow;
mod board;
mod book;
mod chess_move;
mod columns;
mod encode;
mod engine;
mod errors;
mod game;
mod games;
mod history;
mod info;
mod legal_moves;
mod mate;
mod move_iterator;
mod piece;
mod position;
mod score;
mod source;
mod square_set;

use pyo3::prelude::*;

/// Rules, notation, files of games and the engine, compiled. Import `tabiya` instead.
#[pymodule]
pub mod _tabiya {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::board::PyBoard;
    #[pymodule_export]
    use crate::book::PyBook;
    #[pymodule_export]
    use crate::chess_move::{PyMove, parse_square};
    #[pymodule_export]
    use crate::encode::{
        encode_bitboards, encode_halfka, encode_legal, encode_moves, encode_planes,
        lc0_policy_index, lc0_policy_move, policy_index, policy_move,
    };
    #[pymodule_export]
    use crate::engine::{PyEngine, PyInfos};
    #[pymodule_export]
    use crate::errors::{AmbiguousMoveError, IllegalMoveError, InvalidMoveError};
    #[pymodule_export]
    use crate::game::{PyGame, PyGameIterator, PyGameNode, read_games};
    #[pymodule_export]
    use crate::games::{PyGameRow, PyGames, PyGamesIterator, iter_pgn, read_pgn};
    #[pymodule_export]
    use crate::info::PyInfo;
    #[pymodule_export]
    use crate::legal_moves::PyLegalMoves;
    #[pymodule_export]
    use crate::mate::prove_mate;
    #[pymodule_export]
    use crate::piece::PyPiece;
    #[pymodule_export]
    use crate::score::PyScore;
    #[pymodule_export]
    use crate::square_set::PySquareSet;

    #[pymodule_init]
    fn init(m: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::board::push::install(&m.py().get_type::<PyBoard>())?;
        m.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
