//! The class `Board`.

mod ending;
mod moves;
mod pieces;
pub(crate) mod push;
mod text;

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict, PyList, PyTuple, PyType};
use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Board, CastlingSide, Color, Move, Role, Setup, Square};
use tabiya_display::explain::explain;
use tabiya_notation::{Epd, MoveInput, MoveText, uci, write_san};

use crate::arguments::{ColorArg, RoleArg, SquareArg, SquaresArg, repr, role_number};
use crate::chess_move::{PyMove, position_move};
use crate::errors::{fen_error, illegal, refused, san_error, uci_error};
use crate::history::{History, Termination};
use crate::legal_moves::{self, PyLegalMoves};
use crate::piece::PyPiece;
use crate::position::{castling_text, fen, lines, mirrored, pin};
use crate::square_set::PySquareSet;

/// The FEN of the starting position.
pub(crate) const STARTING_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position and the moves that led to it. It is always a legal position.
///
/// >>> import tabiya
/// >>> board = tabiya.Board()
/// >>> board.push_san("e4")
/// Move.from_uci('e2e4')
/// >>> board.fen()
/// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
#[pyclass(subclass, name = "Board", module = "tabiya")]
pub(crate) struct PyBoard {
    pub(crate) history: History,
    pub(crate) chess960: bool,
}

/// Reads a FEN. Positions that the rules allow but no game reaches, such as one with ten queens, are accepted.
pub(crate) fn read_fen(text: &str) -> PyResult<Board> {
    // Most are usual, and what is not generic is compiled for speed.
    text.parse()
        .or_else(|_| Board::from_fen_forgiving(text, |_| true))
        .map_err(|error| fen_error(text, &error))
}

/// Whether castling would need Chess960's spelling.
fn needs_chess960(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        CastlingSide::ALL.into_iter().any(|side| {
            let rook = position.castling_rook(color, side);
            rook.is_some_and(|rook| !side.is_standard(position.king(color), rook))
        })
    })
}

impl PyBoard {
    pub(crate) fn of(board: Board, chess960: bool) -> Self {
        Self {
            chess960: chess960 || needs_chess960(&board),
            history: History::new(board),
        }
    }

    pub(crate) const fn board(&self) -> &Board {
        &self.history.board
    }

    fn find(&self, py: Python<'_>, mv: &PyMove) -> PyResult<Move> {
        position_move(py, self.board(), mv)
    }

    fn object<'py>(&self, py: Python<'py>, mv: Move) -> PyResult<Bound<'py, PyMove>> {
        PyMove::of(py, self.board(), mv, self.chess960)
    }

    fn read_san(&self, py: Python<'_>, san: &str) -> PyResult<Option<Move>> {
        if matches!(san.trim(), "--" | "Z0" | "0000" | "@@@@") {
            return Ok(None);
        }
        let mv = self.board().parse_san(san);
        mv.map(Some).map_err(|error| san_error(py, san, &error))
    }

    fn read_uci(&self, py: Python<'_>, text: &str) -> PyResult<Option<Move>> {
        if text == "0000" {
            return Ok(None);
        }
        let mv = self.board().parse_uci(text);
        mv.map(Some).map_err(|error| uci_error(py, text, &error))
    }

    /// Plays a move that is legal here, or passes.
    fn play(&mut self, py: Python<'_>, mv: Option<Move>) -> PyResult<()> {
        match mv {
            Some(mv) => self.history.play(mv),
            None if self.history.pass() => {}
            None => {
                let message = "a side in check cannot pass".to_owned();
                return Err(illegal(py, "null_move", message));
            }
        }
        Ok(())
    }

    fn returned<'py>(&self, py: Python<'py>, mv: Option<Move>) -> PyResult<Bound<'py, PyMove>> {
        mv.map_or_else(|| PyMove::null(py), |mv| self.object(py, mv))
    }

    /// The board before the last move, and the move.
    fn last(&self) -> PyResult<&(Board, Option<Move>)> {
        let last = self.history.played.last();
        last.ok_or_else(|| PyIndexError::new_err("no move has been played on this board"))
    }
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (fen=Some(STARTING_FEN), chess960=false))]
    fn new(fen: Option<&str>, chess960: bool) -> PyResult<Self> {
        let fen = fen.ok_or_else(|| {
            PyValueError::new_err(
                "a board cannot be empty: it needs two kings (tabiya.compat has one that can)",
            )
        })?;
        let board = if fen == STARTING_FEN {
            Board::start()
        } else {
            read_fen(fen)?
        };
        Ok(Self::of(board, chess960))
    }

    /// Chess960's starting position of a number from 0 to 959.
    #[classmethod]
    fn from_chess960_pos<'py>(
        cls: &Bound<'py, PyType>,
        scharnagl: u16,
    ) -> PyResult<Bound<'py, PyAny>> {
        if scharnagl >= 960 {
            let message = format!(
                "{scharnagl} is not the number of a Chess960 position: they go from 0 to 959"
            );
            return Err(PyValueError::new_err(message));
        }
        cls.call1((Board::chess960_start(scharnagl).to_string(), true))
    }

    /// Reads an EPD: the board, and its operations as a dictionary.
    #[classmethod]
    #[pyo3(signature = (epd, chess960=false))]
    fn from_epd<'py>(
        cls: &Bound<'py, PyType>,
        epd: &str,
        chess960: bool,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let read: Epd = epd.parse().map_err(|error| {
            PyValueError::new_err(format!("cannot read the EPD {epd:?}: {error}"))
        })?;
        let operations = PyDict::new(cls.py());
        for operation in &read.operations {
            let operands: Vec<&str> = operation
                .operands
                .iter()
                .map(tabiya_notation::Operand::as_str)
                .collect();
            operations.set_item(&operation.opcode, operands)?;
        }
        Ok((cls.call1((read.board.to_string(), chess960))?, operations))
    }

    /// The board of a python-chess board, with its moves.
    #[classmethod]
    fn from_chess<'py>(
        cls: &Bound<'py, PyType>,
        board: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = cls.py();
        let root = board.call_method0("root")?;
        let arguments = PyDict::new(py);
        arguments.set_item("en_passant", "fen")?;
        let fen: String = root.call_method("fen", (), Some(&arguments))?.extract()?;
        let own = cls.call1((fen, board.getattr("chess960")?))?;
        for mv in board.getattr("move_stack")?.try_iter()? {
            let text: String = mv?.call_method0("uci")?.extract()?;
            own.call_method1("push_uci", (text,))?;
        }
        Ok(own)
    }

    /// A board of python-chess, which must be installed, with the same moves.
    fn to_chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let chess = py.import("chess")?;
        let arguments = PyDict::new(py);
        arguments.set_item("chess960", self.chess960)?;
        let root = self.history.root().to_string();
        let board = chess.getattr("Board")?.call((root,), Some(&arguments))?;
        let moves = chess.getattr("Move")?;
        for (before, mv) in &self.history.played {
            let object = match mv {
                Some(mv) => PyMove::of(py, before, *mv, self.chess960)?,
                None => PyMove::null(py)?,
            };
            let uci = object.get().text();
            board.call_method1("push", (moves.call_method1("from_uci", (uci,))?,))?;
        }
        Ok(board)
    }

    /// Boards are equal if their positions and clocks are. The moves that led there don't matter.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented());
        };
        let other = other.try_borrow()?;
        let (a, b) = (self.board(), other.board());
        let equal = a.without_clocks() == b.without_clocks()
            && a.halfmove_clock() == b.halfmove_clock()
            && a.fullmove_number() == b.fullmove_number();
        Ok(PyBool::new(py, equal).to_owned().into_any().unbind())
    }

    /// A copy, with all moves, the last few (`stack=8`), or none.
    #[pyo3(signature = (*, stack=None))]
    fn copy<'py>(
        slf: &Bound<'py, Self>,
        stack: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let copy = slf.get_type().call0()?;
        let board = slf.try_borrow()?;
        let all = board.history.played.len();
        let wanted = match stack {
            None => all,
            Some(stack) => match stack.cast::<PyBool>() {
                Ok(flag) => {
                    if flag.is_true() {
                        all
                    } else {
                        0
                    }
                }
                Err(_) => stack.extract::<usize>()?.min(all),
            },
        };
        {
            let mut own = copy.cast::<Self>()?.try_borrow_mut()?;
            own.chess960 = board.chess960;
            own.history = History {
                board: board.history.board,
                played: board.history.played[all - wanted..].to_vec(),
            };
        }
        Ok(copy)
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::copy(slf, None)
    }

    fn __deepcopy__<'py>(
        slf: &Bound<'py, Self>,
        _memo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::copy(slf, None)
    }

    /// The board turned upside down with the colours exchanged.
    fn mirror(&self) -> PyResult<Self> {
        let board =
            mirrored(self.board()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self::of(board, self.chess960))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let board = slf.try_borrow()?;
        let root = board.history.root().shredder_fen().to_string();
        let moves: Vec<Option<u16>> = board
            .history
            .played
            .iter()
            .map(|(_, mv)| mv.map(Move::to_bits))
            .collect();
        (slf.get_type(), (root, board.chess960), moves).into_pyobject(slf.py())
    }

    fn __setstate__(&mut self, py: Python<'_>, moves: Vec<Option<u16>>) -> PyResult<()> {
        let mut history = History::new(*self.history.root());
        for bits in moves {
            match bits.map(Move::from_bits) {
                Some(mv) => {
                    history
                        .board
                        .validate(mv)
                        .map_err(|refusal| refused(py, refusal))?;
                    history.play(mv);
                }
                None => {
                    if !history.pass() {
                        return Err(PyValueError::new_err(
                            "a pickled board passes while in check",
                        ));
                    }
                }
            }
        }
        self.history = history;
        Ok(())
    }

    /// The legal moves as a list, a little faster than `list(board.legal_moves)`.
    fn legal_move_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        legal_moves::list(py, self.board(), self.chess960)
    }
}
