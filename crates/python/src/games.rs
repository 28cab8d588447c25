//! Many games at once: `read_pgn` and `iter_pgn`.

use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyIndexError, PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use tabiya_board::{Board, Move};
use tabiya_notation::pgn::Batches;

use crate::arrow;
use crate::board::{PyBoard, STARTING_FEN, read_fen};
use crate::chess_move::PyMove;
use crate::columns::{Columns, FEN, TEXT_NAMES, Wanted};
use crate::source::{Source, os_error};

/// The bytes of a batch that one thread works on.
const BATCH: usize = 1 << 20;
/// How often the main thread looks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// Whether Ctrl-C was pressed, as Python's exception for it.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough in its lifetime"
)]
pub(crate) fn interrupted() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// A source that is being read.
struct Reading {
    batches: Mutex<Batches<Box<dyn Read + Send>>>,
    source: Mutex<Option<(tabiya_games::ReadErrorSlot, String)>>,
    wanted: Wanted,
    threads: usize,
}

impl Reading {
    fn open(source: &Bound<'_, PyAny>, wanted: Wanted, threads: Option<usize>) -> PyResult<Self> {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(available);
        if threads == 0 || threads > 1024 {
            let message =
                format!("{threads} threads are too few or too many: give a number from 1 to 1024");
            return Err(PyValueError::new_err(message));
        }
        let Source { bytes, error } = Source::open(source)?;
        Ok(Self {
            batches: Mutex::new(Batches::new(bytes, BATCH)),
            source: Mutex::new(error),
            wanted,
            threads,
        })
    }

    /// Reads games until there are this many, or all. Other threads of Python run meanwhile.
    fn read(&self, py: Python<'_>, games: usize) -> PyResult<Columns> {
        let stop = AtomicBool::new(false);
        let found = AtomicUsize::new(0);
        let number = AtomicUsize::new(0);
        let work = |sender: mpsc::Sender<Result<(usize, Columns), std::io::Error>>| {
            while !stop.load(Ordering::Relaxed) && found.load(Ordering::Relaxed) < games {
                let (index, batch) = {
                    let mut batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
                    match batches.next_batch() {
                        Ok(Some(batch)) => (number.fetch_add(1, Ordering::Relaxed), batch),
                        Ok(None) => return,
                        Err(error) => {
                            let _ = sender.send(Err(error));
                            return;
                        }
                    }
                };
                let columns = Columns::read(&batch, self.wanted);
                found.fetch_add(columns.rows, Ordering::Relaxed);
                if sender.send(Ok((index, columns))).is_err() {
                    return;
                }
            }
        };
        let (mut parts, failed) = py.detach(|| {
            let (sender, results) = mpsc::channel();
            let (mut parts, mut failed) = (Vec::new(), None);
            std::thread::scope(|scope| {
                for _ in 0..self.threads {
                    let (sender, work) = (sender.clone(), &work);
                    let started =
                        std::thread::Builder::new().spawn_scoped(scope, move || work(sender));
                    if let Err(error) = started {
                        failed = Some(PyOSError::new_err(format!(
                            "cannot start a thread: {error}"
                        )));
                        break;
                    }
                }
                drop(sender);
                let mut looked = Instant::now();
                loop {
                    match results.recv_timeout(TICK) {
                        Ok(Ok(part)) => parts.push(part),
                        Ok(Err(error)) => {
                            stop.store(true, Ordering::Relaxed);
                            failed = Some(os_error("the games", &error));
                        }
                        Err(RecvTimeoutError::Disconnected) => break,
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                    // Batches may come faster than ticks.
                    if failed.is_none() && looked.elapsed() >= TICK {
                        looked = Instant::now();
                        if let Err(error) = interrupted() {
                            stop.store(true, Ordering::Relaxed);
                            failed = Some(error);
                        }
                    }
                }
            });
            (parts, failed)
        });
        if let Some(error) = failed {
            return Err(error);
        }
        py.check_signals()?;
        parts.sort_by_key(|(index, _)| *index);
        let mut columns = Columns::new(self.wanted);
        for (_, part) in parts {
            columns.append(part);
        }
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((slot, name)) = &*source
            && let Some(error) = slot.take()
        {
            return Err(os_error(name, &error));
        }
        Ok(columns)
    }
}

/// Many games as columns: tags, ratings, moves, and, if you asked for them, clocks, evaluations and keys.
///
/// Rows are made only when you ask for them. `pyarrow.table(games)`, `polars.DataFrame(games)` and pandas take all
/// columns without copying them.
///
/// >>> import tabiya
/// >>> games = tabiya.read_pgn(b'[White "Ann"]\n\n1. e4 e5 2. Nf3 *\n')
/// >>> len(games), games[0].white, [move.uci() for move in games[0].moves]
/// (1, 'Ann', ['e2e4', 'e7e5', 'g1f3'])
#[pyclass(frozen, name = "Games", module = "tabiya")]
pub(crate) struct PyGames {
    pub(crate) columns: Arc<Columns>,
}

impl PyGames {
    /// All games, one after another.
    pub(crate) fn rows(&self) -> impl Iterator<Item = PyGameRow> {
        (0..self.columns.rows).map(|row| PyGameRow {
            columns: Arc::clone(&self.columns),
            row,
        })
    }

    fn row(&self, index: isize) -> PyResult<usize> {
        let rows = self.columns.rows;
        let row = if index < 0 {
            rows.checked_add_signed(index)
        } else {
            usize::try_from(index).ok()
        };
        row.filter(|&row| row < rows).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no game {index}: there are {rows}"))
        })
    }
}

#[pymethods]
impl PyGames {
    fn __len__(&self) -> usize {
        self.columns.rows
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyGameRow> {
        Ok(PyGameRow {
            columns: Arc::clone(&self.columns),
            row: self.row(index)?,
        })
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&'static str> {
        self.columns.names()
    }

    /// A column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for row in 0..self.columns.rows {
            list.append(value(py, &self.columns, row, name)?)?;
        }
        Ok(list)
    }

    /// The games that could not be read to their end. Their rows have the moves before the error.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = py.import("tabiya._pgn_error")?.getattr("PgnError")?;
        let errors = self.columns.broken.iter().map(|error| {
            class.call1((
                error.row,
                error.line,
                error.column,
                error.reason.to_string(),
            ))
        });
        errors.collect()
    }

    /// The number of moves of all games.
    #[getter]
    fn move_count(&self) -> usize {
        self.columns.moves.values.len()
    }

    /// The columns as a stream of the Arrow C data interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer may ask for other types, and must cope with these.
        drop(requested_schema);
        arrow::export(py, Arc::clone(&self.columns))
    }

    fn __repr__(&self) -> String {
        let broken = self.columns.broken.len();
        format!(
            "<Games: {} games, {} moves, {broken} with errors>",
            self.columns.rows,
            self.columns.moves.values.len()
        )
    }
}

/// A cell.
fn value<'py>(
    py: Python<'py>,
    columns: &Columns,
    row: usize,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(index) = TEXT_NAMES.iter().position(|text| *text == name) {
        return Ok(columns.texts[index].get(row).into_pyobject(py)?.into_any());
    }
    let wanted = columns.wanted;
    match name {
        "white_elo" => Ok(columns.white_elo.get(row).into_pyobject(py)?),
        "black_elo" => Ok(columns.black_elo.get(row).into_pyobject(py)?),
        "moves" => Ok(PyList::new(py, columns.moves.get(row))?.into_any()),
        "clocks" if wanted.clocks => Ok(PyList::new(py, columns.clocks.get(row))?.into_any()),
        "evals" if wanted.evals => Ok(PyList::new(py, columns.evals.get(row))?.into_any()),
        "keys" if wanted.keys => Ok(PyList::new(py, columns.keys.get(row))?.into_any()),
        "clocks" | "evals" | "keys" => Err(PyKeyError::new_err(format!(
            "the games were read without {name}: pass {name}=True"
        ))),
        _ => Err(PyKeyError::new_err(format!("there is no column {name:?}"))),
    }
}

/// A game of many: its tags and moves, made when you ask for them.
#[pyclass(frozen, name = "GameRow", module = "tabiya")]
pub(crate) struct PyGameRow {
    pub(crate) columns: Arc<Columns>,
    pub(crate) row: usize,
}

impl PyGameRow {
    pub(crate) fn start(&self) -> PyResult<Board> {
        match self.columns.texts[FEN].get(self.row) {
            "" => Ok(Board::start()),
            fen => read_fen(fen),
        }
    }

    pub(crate) fn bits(&self) -> &[u16] {
        self.columns.moves.get(self.row)
    }
}

#[pymethods]
impl PyGameRow {
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        value(py, &self.columns, self.row, name)
    }

    /// White's name.
    #[getter]
    fn white(&self) -> &str {
        self.columns.texts[4].get(self.row)
    }

    /// Black's name.
    #[getter]
    fn black(&self) -> &str {
        self.columns.texts[5].get(self.row)
    }

    /// The result as in PGN.
    #[getter]
    fn result(&self) -> &str {
        self.columns.texts[6].get(self.row)
    }

    /// White's rating, or `None`.
    #[getter]
    fn white_elo(&self) -> Option<i16> {
        self.columns.white_elo.get(self.row)
    }

    /// Black's rating, or `None`.
    #[getter]
    fn black_elo(&self) -> Option<i16> {
        self.columns.black_elo.get(self.row)
    }

    /// The tags that have a column and are not empty, by their names in PGN.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (tag, texts) in crate::columns::TEXT_TAGS.iter().zip(&self.columns.texts) {
            let text = texts.get(self.row);
            if !text.is_empty() {
                headers.set_item(tag, text)?;
            }
        }
        for (tag, elo) in [
            ("WhiteElo", self.white_elo()),
            ("BlackElo", self.black_elo()),
        ] {
            if let Some(elo) = elo {
                headers.set_item(tag, elo.to_string())?;
            }
        }
        Ok(headers)
    }

    /// The moves of the main line.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut board = self.start()?;
        let mut moves = Vec::with_capacity(self.bits().len());
        for &bits in self.bits() {
            let mv = Move::from_bits(bits);
            moves.push(PyMove::of(py, &board, mv, false)?);
            board.play_unchecked(mv);
        }
        PyList::new(py, moves)
    }

    /// The moves of the main line in SAN.
    fn sans(&self) -> PyResult<Vec<String>> {
        let mut board = self.start()?;
        let sans = self.bits().iter().map(|&bits| {
            let mv = Move::from_bits(bits);
            let san = tabiya_notation::write_san(&board, mv).to_string();
            board.play_unchecked(mv);
            san
        });
        Ok(sans.collect())
    }

    fn __len__(&self) -> usize {
        self.bits().len()
    }

    /// The board after a number of halfmoves, or after all, with its moves.
    #[pyo3(signature = (ply=None))]
    fn board(&self, ply: Option<usize>) -> PyResult<PyBoard> {
        let all = self.bits().len();
        let ply = ply.unwrap_or(all);
        if ply > all {
            return Err(PyIndexError::new_err(format!(
                "the game has only {all} halfmoves"
            )));
        }
        let mut board = PyBoard::of(self.start()?, false);
        for &bits in &self.bits()[..ply] {
            board.history.play(Move::from_bits(bits));
        }
        Ok(board)
    }

    /// The FEN of every position, the starting position first.
    fn fens(&self) -> PyResult<Vec<String>> {
        let mut board = self.start()?;
        let mut fens = vec![if self.columns.texts[FEN].get(self.row).is_empty() {
            STARTING_FEN.to_owned()
        } else {
            board.to_string()
        }];
        for &bits in self.bits() {
            board.play_unchecked(Move::from_bits(bits));
            fens.push(board.to_string());
        }
        Ok(fens)
    }

    fn __repr__(&self) -> String {
        format!(
            "<GameRow: {} - {}, {}>",
            self.white(),
            self.black(),
            self.result()
        )
    }
}

/// Reads all games of a PGN file into columns, with as many threads as there are processors.
///
/// The source is a path (also .zst, .gz, .bz2), an open file, or bytes. Games with an error keep the moves before it:
/// see `Games.errors`. Ask for `clocks` (seconds, NaN if missing), `evals` (centipawns; a mate in n is ±(32000 − n);
/// −32768 if missing), `keys` (of the position after each move), or `openings` by position rather than by tag.
#[pyfunction]
#[pyo3(signature = (source, *, threads=None, clocks=false, evals=false, keys=false, openings=false))]
pub(crate) fn read_pgn(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    threads: Option<usize>,
    clocks: bool,
    evals: bool,
    keys: bool,
    openings: bool,
) -> PyResult<PyGames> {
    let wanted = Wanted {
        clocks,
        evals,
        keys,
        openings,
    };
    let columns = Reading::open(source, wanted, threads)?.read(py, usize::MAX)?;
    Ok(PyGames {
        columns: Arc::new(columns),
    })
}

/// Reads a PGN file piece by piece: an iterator of `Games` with at least `batch` games each, in bounded memory.
///
/// The other arguments are those of `read_pgn`.
#[pyfunction]
#[pyo3(signature = (source, *, batch=10_000, threads=None, clocks=false, evals=false, keys=false, openings=false))]
pub(crate) fn iter_pgn(
    source: &Bound<'_, PyAny>,
    batch: usize,
    threads: Option<usize>,
    clocks: bool,
    evals: bool,
    keys: bool,
    openings: bool,
) -> PyResult<PyGamesIterator> {
    if batch == 0 {
        return Err(PyValueError::new_err("a batch needs at least one game"));
    }
    let wanted = Wanted {
        clocks,
        evals,
        keys,
        openings,
    };
    Ok(PyGamesIterator {
        reading: Reading::open(source, wanted, threads)?,
        batch,
    })
}

/// The pieces of a PGN file.
#[pyclass(frozen, name = "GamesIterator", module = "tabiya")]
pub(crate) struct PyGamesIterator {
    reading: Reading,
    batch: usize,
}

#[pymethods]
impl PyGamesIterator {
    const fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyGames>> {
        let columns = self.reading.read(py, self.batch)?;
        Ok((columns.rows > 0).then(|| PyGames {
            columns: Arc::new(columns),
        }))
    }
}
