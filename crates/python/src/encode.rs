//! Positions as numbers, for learning: straight into the bytes of an array, without Python per position.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyString};
use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, CastlingSide, Color, Move, Role, Square};

use crate::arguments::repr;
use crate::board::{PyBoard, read_fen};
use crate::chess_move::{PyMove, possible_moves};
use crate::games::{PyGameRow, PyGames};

/// The number of moves that any piece can make on some board.
const POLICY: usize = 1968;
/// The most pieces of a position that come from a game.
const MOST_PIECES: usize = 32;

/// The positions that the caller means: FENs, boards, or the positions before each move of games.
fn positions(source: &Bound<'_, PyAny>) -> PyResult<Vec<Position>> {
    let mut found = Vec::new();
    if let Ok(games) = source.cast::<PyGames>() {
        let columns = &games.get().columns;
        found.reserve(columns.moves.values.len());
        for row in 0..columns.rows {
            let row = PyGameRow {
                columns: columns.clone(),
                row,
            };
            add_row(&row, &mut found)?;
        }
        return Ok(found);
    }
    if let Ok(row) = source.cast::<PyGameRow>() {
        add_row(row.get(), &mut found)?;
        return Ok(found);
    }
    if source.is_instance_of::<PyString>() || source.is_instance_of::<PyBoard>() {
        return Err(PyTypeError::new_err(
            "pass a list of positions, not one position",
        ));
    }
    for item in source.try_iter()? {
        let item = item?;
        if let Ok(board) = item.cast::<PyBoard>() {
            found.push(*board.try_borrow()?.board().position());
        } else if let Ok(fen) = item.cast::<PyString>() {
            found.push(*read_fen(&fen.to_cow()?)?.position());
        } else {
            let message = format!("{} is neither a FEN nor a board", repr(&item));
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(found)
}

fn add_row(row: &PyGameRow, found: &mut Vec<Position>) -> PyResult<()> {
    let mut board: Board = row.start()?;
    for &bits in row.bits() {
        found.push(*board.position());
        board.play_unchecked(Move::from_bits(bits));
    }
    Ok(())
}

/// Fills the rows of an array, each with the numbers of one position.
fn fill<'py>(
    py: Python<'py>,
    positions: &[Position],
    row_bytes: usize,
    write: impl Fn(&Position, &mut [u8]),
) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
    let bytes = PyByteArray::new_with(py, positions.len() * row_bytes, |bytes| {
        for (position, row) in positions.iter().zip(bytes.chunks_exact_mut(row_bytes)) {
            write(position, row);
        }
        Ok(())
    })?;
    Ok((bytes, positions.len()))
}

/// Twelve sets of squares: White's pawns, knights, bishops, rooks, queens and kings, then Black's.
fn sets(position: &Position) -> [u64; 12] {
    let mut sets = [0; 12];
    for color in Color::ALL {
        for role in Role::ALL {
            sets[color.index() * 6 + role.index()] = position.pieces(color, role).0;
        }
    }
    sets
}

/// The sets of squares that are the planes of a position.
fn planes_of(position: &Position) -> [u64; 18] {
    let mut planes = [0; 18];
    planes[..12].copy_from_slice(&sets(position));
    for color in Color::ALL {
        for (index, side) in CastlingSide::ALL.into_iter().enumerate() {
            if position.castling_rook(color, side).is_some() {
                planes[12 + 2 * color.index() + index] = u64::MAX;
            }
        }
    }
    if position.turn().is_white() {
        planes[16] = u64::MAX;
    }
    planes[17] = position
        .en_passant()
        .map_or(0, |square| 1 << square.index());
    planes
}

/// The bytes of n × 12 numbers of 64 bits.
#[pyfunction]
pub(crate) fn encode_bitboards<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
    fill(py, &positions(source)?, 12 * 8, |position, row| {
        for (set, bytes) in sets(position).iter().zip(row.chunks_exact_mut(8)) {
            bytes.copy_from_slice(&set.to_ne_bytes());
        }
    })
}

/// The bytes of n × `count` × 8 × 8 numbers, of one byte or as floats of four.
#[pyfunction]
pub(crate) fn encode_planes<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    count: usize,
    float: bool,
) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
    if count != 12 && count != 18 {
        return Err(PyValueError::new_err(format!(
            "there are 12 or 18 planes, not {count}"
        )));
    }
    let size = if float { 4 } else { 1 };
    fill(
        py,
        &positions(source)?,
        count * 64 * size,
        |position, row| {
            row.fill(0);
            for (plane, bytes) in planes_of(position)
                .iter()
                .zip(row.chunks_exact_mut(64 * size))
            {
                let mut rest = *plane;
                while rest != 0 {
                    let square = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if float {
                        bytes[square * 4..square * 4 + 4].copy_from_slice(&1f32.to_ne_bytes());
                    } else {
                        bytes[square] = 1;
                    }
                }
            }
        },
    )
}

/// The bytes of n × 2 × 32 indices of 32 bits: White's view, then Black's, filled up with −1.
#[pyfunction]
pub(crate) fn encode_halfka<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
    let positions = positions(source)?;
    if let Some(crowded) = positions
        .iter()
        .find(|position| position.occupied().len() > MOST_PIECES)
    {
        return Err(PyValueError::new_err(format!(
            "{crowded} has more than {MOST_PIECES} pieces"
        )));
    }
    fill(py, &positions, 2 * MOST_PIECES * 4, |position, row| {
        for (view, row) in Color::ALL
            .into_iter()
            .zip(row.chunks_exact_mut(MOST_PIECES * 4))
        {
            let seen = |square: Square| {
                if view.is_white() {
                    square
                } else {
                    square.flip()
                }
                .index()
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
    })
}

static POLICY_INDEX: PyOnceLock<Vec<u16>> = PyOnceLock::new();

/// The number of a move among the 1,968 possible ones, by starting square, target and promotion.
fn policy_number(py: Python<'_>, mv: &PyMove) -> PyResult<Option<u16>> {
    let table = POLICY_INDEX.get_or_try_init(py, || -> PyResult<_> {
        let mut keys: Vec<usize> = possible_moves(py)?;
        // In the key, the starting square is lowest.
        keys.sort_by_key(|key| (key & 63, key >> 6 & 63, key >> 12));
        let mut table = vec![u16::MAX; PyMove::KEYS];
        for (number, key) in keys.into_iter().enumerate() {
            table[key] = number as u16;
        }
        Ok(table)
    })?;
    // A drop has a key beyond the table.
    let number = table.get(mv.key()).copied();
    Ok(number.filter(|&number| number != u16::MAX))
}

/// The number of a move among the 1,968 that a piece can make on some board.
#[pyfunction]
pub(crate) fn policy_index(r#move: &Bound<'_, PyMove>) -> PyResult<u16> {
    let number = policy_number(r#move.py(), r#move.get())?;
    number.ok_or_else(|| {
        PyValueError::new_err(format!("no piece can ever move {}", r#move.get().text()))
    })
}

/// The bytes of n × 1,968 truth values: which moves are legal.
#[pyfunction]
pub(crate) fn encode_legal<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
    let positions = positions(source)?;
    let mut numbers = Vec::with_capacity(positions.len());
    for position in &positions {
        let legal = position.legal_moves();
        let legal = legal
            .iter()
            .map(|&mv| policy_number(py, PyMove::of(py, position, mv, false)?.get()));
        numbers.push(legal.collect::<PyResult<Vec<Option<u16>>>>()?);
    }
    let bytes = PyByteArray::new_with(py, positions.len() * POLICY, |bytes| {
        bytes.fill(0);
        for (numbers, row) in numbers.iter().zip(bytes.chunks_exact_mut(POLICY)) {
            for &number in numbers.iter().flatten() {
                row[usize::from(number)] = 1;
            }
        }
        Ok(())
    })?;
    Ok((bytes, positions.len()))
}

/// The bytes of the numbers, of 16 bits, of all moves of games.
#[pyfunction]
pub(crate) fn encode_moves<'py>(
    py: Python<'py>,
    games: &Bound<'py, PyGames>,
) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
    let columns = &games.get().columns;
    let mut numbers = Vec::with_capacity(columns.moves.values.len());
    for row in 0..columns.rows {
        let row = PyGameRow {
            columns: columns.clone(),
            row,
        };
        let mut board = row.start()?;
        for &bits in row.bits() {
            let mv = Move::from_bits(bits);
            let number = policy_number(py, PyMove::of(py, &board, mv, false)?.get())?;
            numbers.push(number.unwrap_or(u16::MAX));
            board.play_unchecked(mv);
        }
    }
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_ne_bytes())
        .collect();
    Ok((PyByteArray::new(py, &bytes), numbers.len()))
}
