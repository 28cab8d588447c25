//! The exceptions of the package.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_board::{Bitboard, FenError, Refusal};
use tabiya_notation::SanError;
use tabiya_notation::uci::UciError;

use crate::square_set::PySquareSet;

create_exception!(
    tabiya,
    InvalidMoveError,
    PyValueError,
    "The text or the numbers are not a move at all."
);
create_exception!(
    tabiya,
    IllegalMoveError,
    PyValueError,
    "The move is against the rules.\n\n`reason` names the broken rule (`\"pinned\"`, `\"path_blocked\"`), `squares` \
     is the set of squares to highlight, and the message is a sentence for people."
);
create_exception!(
    tabiya,
    AmbiguousMoveError,
    PyValueError,
    "Several pieces can make the move. `squares` is the set of their squares."
);

/// `PathBlocked { .. }` as `path_blocked`.
fn snake_case(debug: &str) -> String {
    let mut name = String::new();
    for letter in debug.chars().take_while(char::is_ascii_alphanumeric) {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// An exception with the attributes `reason` and `squares`.
fn with_details(py: Python<'_>, error: PyErr, reason: &str, squares: Bitboard) -> PyErr {
    let value = error.value(py);
    let set = value.setattr("reason", reason).and_then(|()| {
        let squares = Py::new(py, PySquareSet { mask: squares.0 })?;
        value.setattr("squares", squares)
    });
    set.err().unwrap_or(error)
}

/// An illegal move with a reason of our own.
pub(crate) fn illegal(py: Python<'_>, reason: &str, message: String) -> PyErr {
    with_details(
        py,
        IllegalMoveError::new_err(message),
        reason,
        Bitboard::EMPTY,
    )
}

pub(crate) fn refused(py: Python<'_>, refusal: Refusal) -> PyErr {
    let error = IllegalMoveError::new_err(refusal.to_string());
    let reason = snake_case(&format!("{refusal:?}"));
    with_details(py, error, &reason, refusal.squares())
}

pub(crate) fn san_error(py: Python<'_>, text: &str, error: &SanError) -> PyErr {
    let message = format!("{text}: {error}");
    match error {
        SanError::Illegal { reason } => {
            let name = snake_case(&format!("{reason:?}"));
            let error = IllegalMoveError::new_err(message);
            with_details(py, error, &name, reason.squares())
        }
        SanError::Ambiguous { from, .. } => {
            let error = AmbiguousMoveError::new_err(message);
            with_details(py, error, "ambiguous", *from)
        }
        SanError::Incomplete { .. }
        | SanError::Unexpected { .. }
        | SanError::UnknownPiece { .. } => InvalidMoveError::new_err(message),
        _ => illegal(py, &snake_case(&format!("{error:?}")), message),
    }
}

pub(crate) fn uci_error(py: Python<'_>, text: &str, error: &UciError) -> PyErr {
    match error {
        UciError::Illegal(refusal) => refused(py, *refusal),
        UciError::NullMove => illegal(py, "null_move", format!("{text}: {error}")),
        _ => InvalidMoveError::new_err(format!("{text:?} is not a move: {error}")),
    }
}

pub(crate) fn fen_error(fen: &str, error: &FenError) -> PyErr {
    PyValueError::new_err(format!("cannot read the FEN {fen:?}: {error}"))
}
