//! The positions that the caller means.

use std::ops::Range;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, Move};

use crate::arguments::repr;
use crate::board::{PyBoard, read_fen};
use crate::games::{PyGameRow, PyGames};

/// As many positions as a row can show.
pub(super) const PAST: usize = 8;

/// A position, and what only its past tells.
pub(super) struct Seen {
    pub(super) position: Position,
    /// Whether it was there before.
    pub(super) is_repeated: bool,
}

/// FENs, boards, or the positions before each move of games; each with its past, if it is needed.
pub(super) struct Positions {
    /// Every position once, in the order in which they were played.
    seen: Vec<Seen>,
    /// Where a row's positions are.
    rows: Vec<Range<usize>>,
    with_past: bool,
}

impl Positions {
    pub(super) fn read(source: &Bound<'_, PyAny>, with_past: bool) -> PyResult<Self> {
        let mut positions = Self {
            seen: Vec::new(),
            rows: Vec::new(),
            with_past,
        };
        if let Ok(games) = source.cast::<PyGames>() {
            for row in games.get().rows() {
                positions.add_game(&row)?;
            }
        } else if let Ok(row) = source.cast::<PyGameRow>() {
            positions.add_game(row.get())?;
        } else if source.is_instance_of::<PyString>() || source.is_instance_of::<PyBoard>() {
            return Err(PyTypeError::new_err(
                "pass a list of positions, not one position",
            ));
        } else {
            for item in source.try_iter()? {
                positions.add(&item?)?;
            }
        }
        Ok(positions)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The position of each row.
    pub(super) fn last(&self) -> impl Iterator<Item = &Position> {
        self.rows.iter().map(|row| &self.seen[row.end - 1].position)
    }

    /// The positions that led to each row, and its own as the last one.
    pub(super) fn pasts(&self) -> impl Iterator<Item = &[Seen]> {
        self.rows.iter().map(|row| &self.seen[row.clone()])
    }

    fn add(&mut self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(board) = item.cast::<PyBoard>() {
            let board = board.try_borrow()?;
            let played = &board.history.played;
            let played = if self.with_past { &played[..] } else { &[] };
            let mut keys = Vec::new();
            let start = self.seen.len();
            for board in played.iter().map(|(board, _)| board) {
                self.see(board, &mut keys);
            }
            self.see(board.board(), &mut keys);
            // Only the last ones are shown.
            let end = self.seen.len();
            let surplus = (end - start).saturating_sub(PAST);
            self.seen.drain(start..start + surplus);
            self.rows.push(start..end - surplus);
            Ok(())
        } else if let Ok(fen) = item.cast::<PyString>() {
            self.see(&read_fen(&fen.to_cow()?)?, &mut Vec::new());
            let end = self.seen.len();
            self.rows.push(end - 1..end);
            Ok(())
        } else {
            let message = format!("{} is neither a FEN nor a board", repr(item));
            Err(PyTypeError::new_err(message))
        }
    }

    fn add_game(&mut self, row: &PyGameRow) -> PyResult<()> {
        let mut board: Board = row.start()?;
        let mut keys = Vec::new();
        let start = self.seen.len();
        for &bits in row.bits() {
            self.see(&board, &mut keys);
            let end = self.seen.len();
            let past = if self.with_past { PAST } else { 1 };
            self.rows.push(end.saturating_sub(past).max(start)..end);
            board.play_unchecked(Move::from_bits(bits));
        }
        Ok(())
    }

    /// Adds a position, given the keys of those before it.
    fn see(&mut self, board: &Board, keys: &mut Vec<u64>) {
        let mut is_repeated = false;
        if self.with_past {
            let key = board.repetition_key();
            keys.push(key);
            // Positions before the last capture or pawn move cannot occur again.
            let reversible = usize::from(board.halfmove_clock()) / 2;
            let same_side = keys.iter().rev().skip(2).step_by(2).take(reversible);
            is_repeated = same_side.into_iter().any(|&earlier| earlier == key);
        }
        self.seen.push(Seen {
            position: *board.position(),
            is_repeated,
        });
    }
}
