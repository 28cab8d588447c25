//! One game with its variations: `Game` and its nodes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya_board::Board;
use tabiya_notation::pgn::{self, Batch, BatchKind, Game, NodeId, Reader};
use tabiya_notation::{GameResult, write_san};

use crate::board::{PyBoard, STARTING_FEN, read_fen};
use crate::chess_move::{PyMove, position_move};
use crate::errors::illegal;
use crate::history::History;
use crate::score::PyScore;
use crate::source::{Source, os_error};

type Tree = Arc<Mutex<Game>>;

/// A position of a game: the start, or what a move led to. It has the move and its annotations.
#[pyclass(frozen, subclass, name = "GameNode", module = "tabiya")]
pub(crate) struct PyGameNode {
    tree: Tree,
    id: NodeId,
}

impl PyGameNode {
    fn game(&self) -> MutexGuard<'_, Game> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at(&self, id: NodeId) -> Self {
        Self {
            tree: Arc::clone(&self.tree),
            id,
        }
    }

    /// The move that leads here with the board before it, in the way Python sees it.
    fn last_move<'py>(&self, py: Python<'py>) -> PyResult<Option<(Board, Bound<'py, PyMove>)>> {
        let game = self.game();
        let Some(parent) = game.parent(self.id) else {
            return Ok(None);
        };
        let before = game.board(parent);
        let mv = match game.move_to(self.id) {
            Some(mv) => PyMove::of(py, &before, mv, false)?,
            None => PyMove::null(py)?,
        };
        Ok(Some((before, mv)))
    }

    fn add(&self, mv: &Bound<'_, PyMove>, comment: &str, nags: Vec<u8>) -> PyResult<Self> {
        let py = mv.py();
        let mut game = self.game();
        let id = if mv.get().is_null() {
            let id = game.play_null(self.id);
            id.ok_or_else(|| illegal(py, "null_move", "a side in check cannot pass".to_owned()))?
        } else {
            let board = game.board(self.id);
            let mv = position_move(py, &board, mv.get())?;
            game.play(self.id, mv)
                .map_err(|refusal| crate::errors::refused(py, refusal))?
        };
        if !comment.is_empty() {
            game.node_mut(id).comments = vec![comment.to_owned()];
        }
        for nag in nags {
            if !game.node(id).nags.contains(&nag) {
                game.node_mut(id).nags.push(nag);
            }
        }
        drop(game);
        Ok(self.at(id))
    }

    fn line(&self) -> Vec<NodeId> {
        let game = self.game();
        let next = |id: &NodeId| game.children(*id).next();
        std::iter::successors(next(&self.id), next).collect()
    }
}

#[pymethods]
impl PyGameNode {
    /// The move that leads here; `None` at the start.
    #[getter]
    #[pyo3(name = "move")]
    fn py_move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        Ok(self.last_move(py)?.map(|(_, mv)| mv))
    }

    /// The node before the move; `None` at the start.
    #[getter]
    fn parent(&self) -> Option<Self> {
        let parent = self.game().parent(self.id);
        parent.map(|id| self.at(id))
    }

    /// The next nodes, the main line first.
    #[getter]
    fn variations(&self) -> Vec<Self> {
        let children: Vec<NodeId> = self.game().children(self.id).collect();
        children.into_iter().map(|id| self.at(id)).collect()
    }

    /// The next node of the main line from here, or `None`.
    fn next(&self) -> Option<Self> {
        let next = self.game().children(self.id).next();
        next.map(|id| self.at(id))
    }

    /// The last node of the main line from here.
    fn end(&self) -> Self {
        self.at(self.line().last().copied().unwrap_or(self.id))
    }

    /// Whether no move follows.
    fn is_end(&self) -> bool {
        self.game().children(self.id).next().is_none()
    }

    /// Whether the node is on the main line of the game.
    fn is_mainline(&self) -> bool {
        let game = self.game();
        self.id == Game::ROOT || game.main_line().any(|id| id == self.id)
    }

    /// The nodes of the main line from here.
    fn mainline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let nodes = self.line().into_iter();
        let nodes = nodes
            .map(|id| Bound::new(py, self.at(id)))
            .collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, nodes)
    }

    /// The moves of the main line from here.
    fn mainline_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let ids = self.line();
        let game = self.game();
        let mut board = game.board(self.id);
        let mut moves = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(mv) = game.move_to(id) {
                moves.push(PyMove::of(py, &board, mv, false)?);
                board.play_unchecked(mv);
            } else {
                moves.push(PyMove::null(py)?);
                board = board.null_move().unwrap_or(board);
            }
        }
        drop(game);
        PyList::new(py, moves)
    }

    /// The board at this node, with the moves that led here.
    fn board(&self) -> PyBoard {
        let game = self.game();
        let mut path = Vec::new();
        let mut at = self.id;
        while let Some(parent) = game.parent(at) {
            path.push(game.move_to(at));
            at = parent;
        }
        let mut history = History::new(*game.start());
        drop(game);
        for mv in path.into_iter().rev() {
            match mv {
                Some(mv) => history.play(mv),
                None => {
                    history.pass();
                }
            }
        }
        let mut board = PyBoard::of(*history.root(), false);
        board.history = history;
        board
    }

    /// The move that leads here in SAN.
    fn san(&self, py: Python<'_>) -> PyResult<String> {
        let (before, mv) = self.last_move(py)?.ok_or_else(no_move)?;
        if mv.get().is_null() {
            return Ok("--".to_owned());
        }
        Ok(write_san(&before, position_move(py, &before, mv.get())?).to_string())
    }

    /// The move that leads here in UCI notation.
    fn uci(&self, py: Python<'_>) -> PyResult<String> {
        let (_, mv) = self.last_move(py)?.ok_or_else(no_move)?;
        Ok(mv.get().text())
    }

    /// The number of halfmoves since move 1.
    fn ply(&self) -> usize {
        let board = self.game().board(self.id);
        2 * (usize::from(board.fullmove_number()) - 1) + usize::from(!board.turn().is_white())
    }

    /// The side to move here.
    fn turn(&self) -> bool {
        self.game().board(self.id).turn().is_white()
    }

    /// The comment after the move.
    #[getter]
    fn comment(&self) -> String {
        self.game().node(self.id).comments.join(" ")
    }

    #[setter]
    fn set_comment(&self, comment: String) {
        let comments = if comment.is_empty() {
            Vec::new()
        } else {
            vec![comment]
        };
        self.game().node_mut(self.id).comments = comments;
    }

    /// The comment before the move, if it starts a variation.
    #[getter]
    fn starting_comment(&self) -> String {
        self.game().node(self.id).comments_before.join(" ")
    }

    #[setter]
    fn set_starting_comment(&self, comment: String) {
        let comments = if comment.is_empty() {
            Vec::new()
        } else {
            vec![comment]
        };
        self.game().node_mut(self.id).comments_before = comments;
    }

    /// The numeric annotation glyphs, in order.
    #[getter]
    fn nags(&self) -> Vec<u16> {
        self.game()
            .node(self.id)
            .nags
            .iter()
            .map(|&nag| nag.into())
            .collect()
    }

    #[setter]
    fn set_nags(&self, nags: Vec<u16>) -> PyResult<()> {
        let nags: Result<Vec<u8>, _> = nags.into_iter().map(u8::try_from).collect();
        let nags = nags.map_err(|_| PyValueError::new_err("glyphs have numbers from 0 to 255"))?;
        self.game().node_mut(self.id).nags = nags;
        Ok(())
    }

    /// The time left to the player who has just moved, in seconds, from `[%clk]`.
    fn clock(&self) -> Option<f64> {
        let game = self.game();
        let mut comments = game.node(self.id).comments.iter();
        comments
            .find_map(|text| pgn::clock(text))
            .map(|time| time.as_secs_f64())
    }

    /// The time spent on the move, in seconds, from `[%emt]`.
    fn emt(&self) -> Option<f64> {
        let game = self.game();
        let mut comments = game.node(self.id).comments.iter();
        comments
            .find_map(|text| pgn::elapsed(text))
            .map(|time| time.as_secs_f64())
    }

    /// The evaluation for White, from `[%eval]`.
    fn eval(&self) -> Option<PyScore> {
        let game = self.game();
        let mut comments = game.node(self.id).comments.iter();
        comments.find_map(|text| pgn::eval(text)).map(PyScore)
    }

    /// The variation with an index or a move.
    fn variation(&self, py: Python<'_>, which: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(mv) = which.cast::<PyMove>() {
            for child in self.variations() {
                if child
                    .last_move(py)?
                    .is_some_and(|(_, own)| own.get().text() == mv.get().text())
                {
                    return Ok(child);
                }
            }
            return Err(PyKeyError::new_err(format!(
                "no variation starts with {}",
                mv.get().text()
            )));
        }
        let index: usize = which.extract()?;
        let mut children = self.variations();
        let count = children.len();
        if index >= count {
            return Err(PyIndexError::new_err(format!(
                "there is no variation {index}: there are {count}"
            )));
        }
        Ok(children.swap_remove(index))
    }

    /// Whether a variation starts with a move.
    fn has_variation(&self, py: Python<'_>, r#move: &Bound<'_, PyMove>) -> bool {
        self.variation(py, r#move.as_any()).is_ok()
    }

    /// Adds a move: the main line if it is the first here, a variation if not. If it is there already, returns its node.
    #[pyo3(signature = (r#move, *, comment="", nags=Vec::new()))]
    fn add_variation(
        &self,
        r#move: &Bound<'_, PyMove>,
        comment: &str,
        nags: Vec<u8>,
    ) -> PyResult<Self> {
        self.add(r#move, comment, nags)
    }

    /// Adds a sequence of moves and returns the last node.
    #[pyo3(signature = (moves, *, comment=""))]
    fn add_line(&self, moves: &Bound<'_, PyAny>, comment: &str) -> PyResult<Self> {
        let mut node = self.at(self.id);
        for mv in moves.try_iter()? {
            node = node.add(mv?.cast::<PyMove>()?, "", Vec::new())?;
        }
        if !comment.is_empty() {
            node.set_comment(comment.to_owned());
        }
        Ok(node)
    }

    /// Removes a variation, given by its index or its move, with all that follows.
    fn remove_variation(&self, py: Python<'_>, which: &Bound<'_, PyAny>) -> PyResult<()> {
        let node = self.variation(py, which)?;
        self.game().remove(node.id);
        Ok(())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| {
            Arc::ptr_eq(&self.tree, &other.get().tree) && self.id == other.get().id
        })
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.tree) as usize
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.last_move(py)? {
            None => "<GameNode at the start>".to_owned(),
            Some(_) => format!("<GameNode after {}>", self.san(py)?),
        })
    }
}

fn no_move() -> PyErr {
    PyValueError::new_err("no move leads to the start of a game")
}

/// A game with its tags, moves, variations and comments.
///
/// >>> import tabiya
/// >>> game = tabiya.Game.from_pgn("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {good} *")
/// >>> [node.san() for node in game.mainline()], game.end().comment
/// (['e4', 'e5', 'Nf3'], 'good')
/// >>> game.next().variations[1].san()
/// 'c5'
#[pyclass(frozen, extends = PyGameNode, name = "Game", module = "tabiya")]
pub(crate) struct PyGame {
    /// Why the game could not be read to its end.
    errors: Vec<(usize, usize, String)>,
}

impl PyGame {
    fn of(game: Game, errors: Vec<(usize, usize, String)>) -> PyClassInitializer<Self> {
        let node = PyGameNode {
            tree: Arc::new(Mutex::new(game)),
            id: Game::ROOT,
        };
        PyClassInitializer::from(node).add_subclass(Self { errors })
    }

    /// The tree of a game.
    pub(crate) fn tree(slf: &Bound<'_, Self>) -> Game {
        slf.as_super().get().game().clone()
    }
}

/// A game, and what is wrong with it: line, column and reason.
type ReadGame = (Game, Vec<(usize, usize, String)>);

/// Reads the next game of a batch, as far as it can be read.
fn next_game(batch: &Batch, offset: &mut usize) -> Option<ReadGame> {
    let mut reader = Reader::resume(&batch.text, *offset);
    let (game, error) = Game::read_partial(&mut reader)?;
    *offset = reader.offset();
    let error = error.map(|error| {
        let (line, column) = batch.line_and_column(error.offset);
        (line, column, error.kind.to_string())
    });
    Some((game, error.into_iter().collect()))
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (board=None))]
    fn new(board: Option<&Bound<'_, PyBoard>>) -> PyResult<PyClassInitializer<Self>> {
        let start = match board {
            Some(board) => *board.try_borrow()?.history.root(),
            None => read_fen(STARTING_FEN)?,
        };
        let mut game = Game::new(start);
        if let Some(board) = board {
            let board = board.try_borrow()?;
            let mut at = Game::ROOT;
            for (_, mv) in &board.history.played {
                at = game.add_unchecked(at, *mv);
            }
            let result = board.history.result();
            if result != GameResult::Unknown {
                game.set_result(result);
            }
        }
        Ok(Self::of(game, Vec::new()))
    }

    /// The game that was played on a board.
    #[staticmethod]
    fn from_board<'py>(py: Python<'py>, board: &Bound<'py, PyBoard>) -> PyResult<Bound<'py, Self>> {
        Bound::new(py, Self::new(Some(board))?)
    }

    /// Reads the first game of a text. What could not be read is in `errors`.
    #[staticmethod]
    fn from_pgn<'py>(py: Python<'py>, pgn: &str) -> PyResult<Bound<'py, Self>> {
        let batch = Batch::new(pgn);
        let game = next_game(&batch, &mut 0);
        let (game, errors) =
            game.ok_or_else(|| PyValueError::new_err("there is no game in the text"))?;
        Bound::new(py, Self::of(game, errors))
    }

    /// The tags: a dictionary that writes through to the game.
    #[getter]
    fn headers<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let class = slf.py().import("tabiya._headers")?.getattr("Headers")?;
        class.call1((slf,))
    }

    /// The value of a tag, or `None`.
    fn tag(slf: &Bound<'_, Self>, name: &str) -> Option<String> {
        slf.as_super().get().game().tag(name).map(str::to_owned)
    }

    /// Sets a tag, or adds it at the end. `Result` also sets the result after the moves.
    fn set_tag(slf: &Bound<'_, Self>, name: &str, value: &str) -> PyResult<()> {
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(PyValueError::new_err(format!(
                "{name:?} is not the name of a tag: use letters, digits and underscores"
            )));
        }
        let mut game = slf.as_super().get().game();
        game.set_tag(name, value);
        if name == "Result"
            && let Ok(result) = value.parse::<GameResult>()
        {
            game.result = Some(result);
        }
        Ok(())
    }

    /// Removes a tag, and returns whether it was there.
    fn remove_tag(slf: &Bound<'_, Self>, name: &str) -> bool {
        let mut game = slf.as_super().get().game();
        let count = game.tags.len();
        game.tags.retain(|(tag, _)| tag != name);
        game.tags.len() < count
    }

    /// The names of the tags, in order.
    fn tag_names(slf: &Bound<'_, Self>) -> Vec<String> {
        let game = slf.as_super().get().game();
        game.tags.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The result after the moves; `*` if it is missing.
    #[getter]
    fn result(slf: &Bound<'_, Self>) -> &'static str {
        let result = slf.as_super().get().game().result;
        result.unwrap_or(GameResult::Unknown).as_str()
    }

    /// Why the game could not be read to its end, with line and column: usually empty.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = py.import("tabiya._pgn_error")?.getattr("PgnError")?;
        let errors = self.errors.iter();
        errors
            .map(|(line, column, reason)| class.call1((0, *line, *column, reason)))
            .collect()
    }

    /// The game as PGN.
    fn pgn(slf: &Bound<'_, Self>) -> String {
        slf.as_super().get().game().to_string()
    }

    fn __str__(slf: &Bound<'_, Self>) -> String {
        Self::pgn(slf)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let game = slf.as_super().get().game();
        let name = |tag| game.tag(tag).unwrap_or("?").to_owned();
        format!("<Game: {} - {}>", name("White"), name("Black"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_pgn")?, (Self::pgn(slf),)))
    }
}

/// Reads the games of a PGN file one after another, with variations and comments: an iterator of `Game`.
///
/// The source is a path (also .zst, .gz, .bz2), an open file, or bytes. A game with an error has the moves before it,
/// and the reason in `errors`.
#[pyfunction]
pub(crate) fn read_games(source: &Bound<'_, PyAny>) -> PyResult<PyGameIterator> {
    let Source { bytes, error } = Source::open(source)?;
    let reading = Reading {
        batches: pgn::Batches::new(bytes, 1 << 16),
        error,
        batch: Batch::default(),
        offset: 0,
    };
    Ok(PyGameIterator(Mutex::new(reading)))
}

struct Reading {
    batches: pgn::Batches<Box<dyn std::io::Read + Send>>,
    error: Option<(tabiya_games::ReadErrorSlot, String)>,
    batch: Batch,
    offset: usize,
}

/// The games of a file.
#[pyclass(frozen, name = "GameIterator", module = "tabiya")]
pub(crate) struct PyGameIterator(Mutex<Reading>);

#[pymethods]
impl PyGameIterator {
    const fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyGame>>> {
        let game = py.detach(|| -> PyResult<_> {
            let mut reading = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let reading = &mut *reading;
            loop {
                if let Some(game) = next_game(&reading.batch, &mut reading.offset) {
                    return Ok(Some(game));
                }
                let batch = reading.batches.next_batch();
                let batch = batch.map_err(|error| os_error("the games", &error))?;
                let Some(batch) = batch else {
                    return match &reading.error {
                        Some((slot, name)) => match slot.take() {
                            Some(error) => Err(os_error(name, &error)),
                            None => Ok(None),
                        },
                        None => Ok(None),
                    };
                };
                reading.batch = batch;
                reading.offset = 0;
                match reading.batch.kind {
                    BatchKind::Games => {}
                    BatchKind::TooLarge { limit } => {
                        let (line, column) = reading.batch.line_and_column(0);
                        let kind = pgn::GameErrorKind::TooLarge { limit };
                        reading.batch = Batch::default();
                        let errors = vec![(line, column, kind.to_string())];
                        return Ok(Some((Game::new(Board::start()), errors)));
                    }
                    BatchKind::Rest => reading.batch = Batch::default(),
                }
            }
        })?;
        game.map(|(game, errors)| Bound::new(py, PyGame::of(game, errors)))
            .transpose()
    }
}
