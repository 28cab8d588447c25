//! Positions as numbers, for learning: straight into the caller's array, without Python per position.

mod array;
mod planes;
mod policy;
mod positions;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_board::unkeyed::Position;
use tabiya_board::{Color, Move, Square};

use self::array::fill;
use self::planes::{Cells, LC0, sets};
use self::policy::{LC0_POLICY, POLICY};
use self::positions::Positions;
use crate::board::PyBoard;
use crate::chess_move::{PyMove, position_move};
use crate::games::PyGames;

/// The most pieces of a position that come from a game.
const MAX_PIECES: usize = 32;

type Array<'py> = Bound<'py, PyAny>;

/// n × 12 numbers of 64 bits.
#[pyfunction]
#[pyo3(signature = (source, out=None))]
pub(crate) fn encode_bitboards<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    out: Option<&Array<'py>>,
) -> PyResult<Array<'py>> {
    let positions = Positions::read(source, false)?;
    let shape = [positions.len(), 12];
    fill(
        py,
        out,
        "uint64",
        &shape,
        positions.last(),
        |position, row| {
            for (set, bytes) in sets(position).iter().zip(row.chunks_exact_mut(8)) {
                bytes.copy_from_slice(&set.to_ne_bytes());
            }
        },
    )
}

/// n × `count` × 8 × 8 numbers, `float32` or `uint8`.
#[pyfunction]
#[pyo3(signature = (source, count, dtype, out=None))]
pub(crate) fn encode_planes<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    count: usize,
    dtype: &str,
    out: Option<&Array<'py>>,
) -> PyResult<Array<'py>> {
    if ![12, 18, LC0].contains(&count) {
        return Err(PyValueError::new_err(format!(
            "there are 12, 18 or 112 planes, not {count}"
        )));
    }
    let is_float = match dtype {
        "float32" => true,
        "uint8" => false,
        _ => {
            let message = format!("planes are float32 or uint8, not {dtype}");
            return Err(PyValueError::new_err(message));
        }
    };
    let positions = Positions::read(source, count == LC0)?;
    let shape = [positions.len(), count, 8, 8];
    fill(py, out, dtype, &shape, positions.pasts(), |past, row| {
        let mut cells = Cells::new(row, is_float);
        match past.last() {
            Some(last) if count != LC0 => cells.write(&last.position, count),
            _ => cells.write_lc0(past),
        }
    })
}

/// n × 2 × 32 indices of 32 bits: White's view, then Black's, filled up with −1.
#[pyfunction]
#[pyo3(signature = (source, out=None))]
pub(crate) fn encode_halfka<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    out: Option<&Array<'py>>,
) -> PyResult<Array<'py>> {
    let positions = Positions::read(source, false)?;
    let crowded = positions
        .last()
        .find(|position| position.occupied().len() > MAX_PIECES);
    if let Some(crowded) = crowded {
        return Err(PyValueError::new_err(format!(
            "{crowded} has more than {MAX_PIECES} pieces"
        )));
    }
    let shape = [positions.len(), 2, MAX_PIECES];
    fill(
        py,
        out,
        "int32",
        &shape,
        positions.last(),
        |position, row| {
            let views = row.chunks_exact_mut(MAX_PIECES * 4);
            for (view, row) in Color::ALL.into_iter().zip(views) {
                write_halfka(position, view, row);
            }
        },
    )
}

/// The indices of a view.
fn write_halfka(position: &Position, view: Color, row: &mut [u8]) {
    let seen = |square: Square| match view {
        Color::White => square.index(),
        Color::Black => square.flip().index(),
    };
    let king = seen(position.king(view));
    let mut slots = row.chunks_exact_mut(4);
    for (square, slot) in position.occupied().into_iter().zip(&mut slots) {
        if let Some(piece) = position.piece_at(square) {
            let kind = piece.role.index() + if piece.color == view { 0 } else { 6 };
            let index = (king * 12 + kind) * 64 + seen(square);
            slot.copy_from_slice(&(index as i32).to_ne_bytes());
        }
    }
    for slot in slots {
        slot.copy_from_slice(&(-1i32).to_ne_bytes());
    }
}

/// Whether this is one of the two ways to number moves.
fn check_policy(count: usize) -> PyResult<()> {
    if [POLICY, LC0_POLICY].contains(&count) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "moves have 1968 or 1858 numbers, not {count}"
    )))
}

/// n × `count` booleans: which moves are legal.
#[pyfunction]
#[pyo3(signature = (source, count, out=None))]
pub(crate) fn encode_legal<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    count: usize,
    out: Option<&Array<'py>>,
) -> PyResult<Array<'py>> {
    check_policy(count)?;
    let positions = Positions::read(source, false)?;
    let shape = [positions.len(), count];
    fill(
        py,
        out,
        "uint8",
        &shape,
        positions.last(),
        |position, row| {
            for &mv in &position.legal_moves() {
                if let Some(number) = policy::legal_number(position, mv, count) {
                    row[usize::from(number)] = 1;
                }
            }
        },
    )
}

/// The numbers, of 16 bits, of all moves of games.
#[pyfunction]
#[pyo3(signature = (games, count, out=None))]
pub(crate) fn encode_moves<'py>(
    py: Python<'py>,
    games: &Bound<'py, PyGames>,
    count: usize,
    out: Option<&Array<'py>>,
) -> PyResult<Array<'py>> {
    check_policy(count)?;
    let mut numbers = Vec::with_capacity(games.get().columns.moves.values.len());
    for row in games.get().rows() {
        let mut board = row.start()?;
        for &bits in row.bits() {
            let mv = Move::from_bits(bits);
            numbers.push(policy::legal_number(&board, mv, count).unwrap_or(u16::MAX));
            board.play_unchecked(mv);
        }
    }
    let shape = [numbers.len()];
    fill(
        py,
        out,
        "uint16",
        &shape,
        numbers.into_iter(),
        |number, row| {
            row.copy_from_slice(&number.to_ne_bytes());
        },
    )
}

/// The number of a move among the 1,968 that a piece can make on some board.
///
/// >>> import tabiya.encode
/// >>> tabiya.encode.policy_index(tabiya.Move.from_uci("a1b1"))
/// 0
#[pyfunction]
pub(crate) fn policy_index(r#move: &Bound<'_, PyMove>) -> PyResult<u16> {
    let mv = r#move.get();
    policy::number(mv.key())
        .ok_or_else(|| PyValueError::new_err(format!("no piece can ever move {}", mv.text())))
}

/// The move of a number below 1,968.
///
/// >>> import tabiya.encode
/// >>> tabiya.encode.policy_move(0)
/// Move.from_uci('a1b1')
#[pyfunction]
pub(crate) fn policy_move(py: Python<'_>, index: usize) -> PyResult<Bound<'_, PyMove>> {
    let (from, to, promotion) = policy::of_number(index).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{index} is not the number of a move: they go from 0 to 1967"
        ))
    })?;
    PyMove::object(py, from, to, promotion)
}

/// The number that Leela Chess Zero gives to a legal move, below 1,858.
///
/// >>> import tabiya.encode
/// >>> board = tabiya.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
/// >>> tabiya.encode.lc0_policy_index(board, board.parse_san("O-O"))
/// 103
#[pyfunction]
pub(crate) fn lc0_policy_index(
    board: &Bound<'_, PyBoard>,
    r#move: &Bound<'_, PyMove>,
) -> PyResult<u16> {
    let board = board.try_borrow()?;
    let mv = position_move(r#move.py(), board.board(), r#move.get())?;
    policy::lc0_number(board.board(), mv)
        .ok_or_else(|| PyValueError::new_err(format!("{mv} has no number")))
}

/// The legal move of a board to which Leela Chess Zero gives a number.
///
/// >>> import tabiya.encode
/// >>> board = tabiya.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
/// >>> tabiya.encode.lc0_policy_move(board, 103)
/// Move.from_uci('e8g8')
#[pyfunction]
pub(crate) fn lc0_policy_move<'py>(
    board: &Bound<'py, PyBoard>,
    index: usize,
) -> PyResult<Bound<'py, PyMove>> {
    let py = board.py();
    let board = board.try_borrow()?;
    let moves = board.board().legal_moves();
    let has_index = |mv: Move| {
        policy::lc0_number(board.board(), mv).is_some_and(|number| usize::from(number) == index)
    };
    match moves.iter().find(|&&mv| has_index(mv)) {
        Some(&mv) => PyMove::of(py, board.board(), mv, board.chess960),
        None => Err(PyValueError::new_err(format!(
            "no legal move here has the number {index}"
        ))),
    }
}
