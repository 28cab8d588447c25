//! Moves as Python sees them: two squares and a promotion. One object for each possible move.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use tabiya_board::unkeyed::Position;
use tabiya_board::{Bitboard, Color};
use tabiya_board::{Move, Refusal, Role, Square, attacks};
use tabiya_notation::uci::UciMove;

use crate::arguments::{RoleArg, SquareArg, role_number};
use crate::errors::InvalidMoveError;

/// A move: where it starts, where it ends, and what a pawn becomes.
///
/// Moves don't know their position. Castling is the king's move of two squares, or, in Chess960, the king taking its
/// rook. There is one object for each possible move, so that comparing and listing them is fast.
///
/// >>> import tabiya
/// >>> move = tabiya.Move.from_uci("e7e8q")
/// >>> move.from_square == tabiya.E7, move.promotion == tabiya.QUEEN
/// (True, True)
#[pyclass(frozen, name = "Move", module = "tabiya")]
pub(crate) struct PyMove {
    from: u8,
    to: u8,
    /// 0, or the number of a kind of piece.
    promotion: u8,
    /// 0, or the number of the kind of piece that a variant drops on the square. No board here plays it.
    drop: u8,
}

/// The objects of all moves that a piece can make on some board, by [`index`].
static MOVES: PyOnceLock<Vec<Option<Py<PyMove>>>> = PyOnceLock::new();

/// The moves from one square are neighbours, as they are in lists of moves.
const fn index(from: u8, to: u8, promotion: u8) -> usize {
    to as usize | (from as usize) << 6 | (promotion as usize) << 12
}

/// One more than the largest key.
pub(crate) const KEYS: usize = index(63, 63, 6) + 1;

/// The key of a move's object.
pub(crate) fn key(from: Square, to: Square, promotion: Option<Role>) -> usize {
    let promotion = promotion.map_or(0, role_number);
    index(from.index() as u8, to.index() as u8, promotion)
}

/// The key of a legal move's object, in the spelling of castling that the caller wants.
#[inline(always)]
pub(crate) fn object_key(position: &Position, mv: Move, chess960: bool) -> u16 {
    let key = key(mv.from(), mv.to(), None) as u16;
    if mv.is_castling() || mv.promotion().is_some() {
        special_key(position, mv, chess960)
    } else {
        key
    }
}

/// The key of a move that castles or promotes.
#[cold]
fn special_key(position: &Position, mv: Move, chess960: bool) -> u16 {
    let to = spelled_target(position, mv, chess960);
    key(mv.from(), to, mv.promotion()) as u16
}

/// Where a move ends, as Python spells it: castling in Chess960 ends on the rook.
fn spelled_target(position: &Position, mv: Move, chess960: bool) -> Square {
    let rook = mv.castling_side().and_then(|side| {
        let rook = position.castling_rook(position.turn(), side)?;
        (chess960 || !side.is_standard(mv.from(), rook)).then_some(rook)
    });
    rook.unwrap_or(mv.to())
}

fn all_moves(py: Python<'_>) -> PyResult<Vec<Option<Py<PyMove>>>> {
    let mut moves: Vec<Option<Py<PyMove>>> = Vec::new();
    moves.resize_with(KEYS, || None);
    for (from, to, promotion) in possible_moves() {
        let mv = PyMove {
            from: from.index() as u8,
            to: to.index() as u8,
            promotion: promotion.map_or(0, role_number),
            drop: 0,
        };
        moves[key(from, to, promotion)] = Some(Py::new(py, mv)?);
    }
    Ok(moves)
}

/// All moves that a piece can make on some board.
pub(crate) fn possible_moves() -> impl Iterator<Item = (Square, Square, Option<Role>)> {
    Square::all().flat_map(|from| {
        let pieces = attacks::queen(from, Bitboard::EMPTY) | attacks::knight(from);
        let pawns = match from.rank().index() {
            6 => Some(Color::White),
            1 => Some(Color::Black),
            _ => None,
        };
        let promotions = pawns.map_or(Bitboard::EMPTY, |color| {
            attacks::pawn(color, from) | attacks::pawn_pushes(color, from, Bitboard::EMPTY)
        });
        let promotions = promotions.into_iter().flat_map(move |to| {
            let roles = Role::PROMOTIONS.into_iter();
            roles.map(move |role| (from, to, Some(role)))
        });
        let pieces = pieces.into_iter().map(move |to| (from, to, None));
        pieces.chain(promotions)
    })
}

impl PyMove {
    /// The object of a move.
    pub(crate) fn get(
        py: Python<'_>,
        from: u8,
        to: u8,
        promotion: u8,
    ) -> PyResult<Bound<'_, Self>> {
        let moves = MOVES.get_or_try_init(py, || all_moves(py))?;
        match &moves[index(from, to, promotion)] {
            Some(object) => Ok(object.bind(py).clone()),
            None => Bound::new(
                py,
                Self {
                    from,
                    to,
                    promotion,
                    drop: 0,
                },
            ),
        }
    }

    /// The object of a move that a piece can make on some board.
    pub(crate) fn object(
        py: Python<'_>,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> PyResult<Bound<'_, Self>> {
        let promotion = promotion.map_or(0, role_number);
        Self::get(py, from.index() as u8, to.index() as u8, promotion)
    }

    /// The objects of all moves, by their keys. They are made here.
    pub(crate) fn objects(py: Python<'_>) -> PyResult<&[Option<Py<Self>>]> {
        Ok(MOVES.get_or_try_init(py, || all_moves(py))?)
    }

    /// The object of a key, if there is one.
    #[inline]
    pub(crate) fn of_key(py: Python<'_>, key: u16) -> Option<Bound<'_, Self>> {
        let object = MOVES.get(py)?.get(usize::from(key))?.as_ref();
        object.map(|object| object.bind(py).clone())
    }

    /// A move that puts a new piece on a square.
    fn dropped(py: Python<'_>, to: Square, role: Role) -> PyResult<Bound<'_, Self>> {
        let square = to.index() as u8;
        let mv = Self {
            from: square,
            to: square,
            promotion: 0,
            drop: role_number(role),
        };
        Bound::new(py, mv)
    }

    pub(crate) fn null(py: Python<'_>) -> PyResult<Bound<'_, Self>> {
        Self::get(py, 0, 0, 0)
    }

    /// The object of a legal move of a position.
    pub(crate) fn of<'py>(
        py: Python<'py>,
        position: &Position,
        mv: Move,
        chess960: bool,
    ) -> PyResult<Bound<'py, Self>> {
        Self::objects(py)?;
        let object = Self::of_key(py, object_key(position, mv, chess960));
        object.ok_or_else(|| PyRuntimeError::new_err(format!("{mv} is not a move")))
    }

    pub(crate) const fn is_null(&self) -> bool {
        self.from == 0 && self.to == 0 && self.promotion == 0 && self.drop == 0
    }

    pub(crate) const fn is_drop(&self) -> bool {
        self.drop != 0
    }

    /// The legal move of a position, or why there is none.
    pub(crate) fn resolve(&self, position: &Position) -> Result<Move, Refusal> {
        let square = |index: u8| Square::from_index(usize::from(index)).unwrap_or(Square::A1);
        let promotion = usize::from(self.promotion).checked_sub(1);
        let promotion = promotion.and_then(|index| Role::ALL.get(index).copied());
        position.legal_move(square(self.from), square(self.to), promotion)
    }

    pub(crate) fn text(&self) -> String {
        if self.is_null() {
            return "0000".to_owned();
        }
        let square = |index: u8| Square::from_index(usize::from(index)).unwrap_or(Square::A1);
        let promotion = usize::from(self.promotion).checked_sub(1);
        let promotion = promotion.and_then(|index| Role::ALL.get(index).copied());
        if let Some(role) = usize::from(self.drop).checked_sub(1) {
            let letter = Role::ALL.get(role).map_or('P', |role| role.upper_char());
            return format!("{letter}@{}", square(self.to));
        }
        let mv = UciMove::Squares {
            from: square(self.from),
            to: square(self.to),
            promotion,
        };
        mv.to_string()
    }

    pub(crate) const fn key(&self) -> usize {
        index(self.from, self.to, self.promotion) | (self.drop as usize) << 15
    }
}

/// A move such as `P@e4`.
fn read_drop(text: &str) -> Option<(Role, Square)> {
    let (letter, square) = text.split_once('@')?;
    let role = Role::ALL
        .into_iter()
        .find(|role| letter.chars().eq([role.upper_char()]))?;
    (square.len() == 2).then(|| square.parse().ok().map(|square| (role, square)))?
}

#[pymethods]
impl PyMove {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion=None, drop=None))]
    fn new(
        py: Python<'_>,
        from_square: SquareArg,
        to_square: SquareArg,
        promotion: Option<RoleArg>,
        drop: Option<RoleArg>,
    ) -> PyResult<Bound<'_, Self>> {
        if let Some(role) = drop {
            return Self::dropped(py, to_square.0, role.0);
        }
        Self::get(
            py,
            from_square.0.index() as u8,
            to_square.0.index() as u8,
            promotion.map_or(0, |role| role_number(role.0)),
        )
    }

    /// Reads a move in UCI notation, such as `e2e4`, `e7e8q` or `0000`, without a position.
    #[staticmethod]
    fn from_uci<'py>(py: Python<'py>, uci: &str) -> PyResult<Bound<'py, Self>> {
        if let Some((role, square)) = read_drop(uci) {
            return Self::dropped(py, square, role);
        }
        match uci.parse::<UciMove>() {
            Ok(UciMove::Null) => Self::null(py),
            Ok(UciMove::Squares {
                from,
                to,
                promotion,
            }) if from != to => Self::get(
                py,
                from.index() as u8,
                to.index() as u8,
                promotion.map_or(0, role_number),
            ),
            Ok(_) => Err(InvalidMoveError::new_err(format!(
                "{uci:?} is not a move: it ends where it starts"
            ))),
            Err(error) => Err(InvalidMoveError::new_err(format!(
                "{uci:?} is not a move: {error}"
            ))),
        }
    }

    /// The null move, which passes the turn.
    #[staticmethod]
    #[pyo3(name = "null")]
    fn py_null(py: Python<'_>) -> PyResult<Bound<'_, Self>> {
        Self::null(py)
    }

    /// The square where the move starts.
    #[getter]
    const fn from_square(&self) -> u8 {
        self.from
    }

    /// The square where the move ends.
    #[getter]
    const fn to_square(&self) -> u8 {
        self.to
    }

    /// What the pawn becomes, or `None`.
    #[getter]
    fn promotion(&self) -> Option<u8> {
        (self.promotion != 0).then_some(self.promotion)
    }

    /// The piece that a variant such as Crazyhouse drops, or `None`. Such moves are read and written, but no board
    /// plays them.
    #[getter]
    fn drop(&self) -> Option<u8> {
        (self.drop != 0).then_some(self.drop)
    }

    /// The move as XBoard writes it: UCI notation, and `@@@@` for the null move.
    fn xboard(&self) -> String {
        if self.is_null() {
            "@@@@".to_owned()
        } else {
            self.text()
        }
    }

    /// The move in UCI notation.
    fn uci(&self) -> String {
        self.text()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.text())
    }

    const fn __bool__(&self) -> bool {
        !self.is_null()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| self.key() == other.get().key())
    }

    fn __hash__(&self) -> usize {
        self.key()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let mv = slf.get();
        let arguments = (mv.from, mv.to, mv.promotion(), mv.drop());
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }

    const fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
        slf
    }
}

/// A move in an argument: an object, or text in UCI notation.
pub(crate) fn position_move(py: Python<'_>, position: &Position, mv: &PyMove) -> PyResult<Move> {
    if mv.is_null() {
        let text = "a null move is not a legal move".to_owned();
        return Err(crate::errors::illegal(py, "null_move", text));
    }
    if mv.drop != 0 {
        let text = "pieces are dropped in other games than chess".to_owned();
        return Err(crate::errors::illegal(py, "drop", text));
    }
    mv.resolve(position)
        .map_err(|refusal| crate::errors::refused(py, refusal))
}

/// A square's number from a name such as `e4`.
#[pyfunction]
pub(crate) fn parse_square(name: &str) -> PyResult<usize> {
    match name.parse::<Square>() {
        Ok(square) if name.len() == 2 => Ok(square.index()),
        _ => Err(PyValueError::new_err(format!(
            "{name:?} is not a square: write a file and a rank, such as e4"
        ))),
    }
}
