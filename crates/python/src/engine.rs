//! The engine in the wheel, and other engines over UCI.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tabiya_board::{GameHistory, Move};
use tabiya_engine::{Engine, Level, Limits, SearchEvent, StopSignal};
use tabiya_notation::uci::SearchInfo;
use tabiya_review::{ReviewedMove, review};
use tabiya_uci::{Client, ClientError, EngineCommand, GoLimits};

use crate::board::PyBoard;
use crate::chess_move::PyMove;
use crate::game::PyGame;
use crate::games::interrupted;
use crate::info::PyInfo;

/// How often a waiting thread looks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);
/// How much longer than its time another engine may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What searches.
enum Searcher {
    Own(Box<Engine>),
    Other(Box<Client>),
    /// After `close`, or after an error of another engine.
    Closed,
}

/// What a search says.
enum Message {
    Info(SearchInfo),
    Best(Option<Move>),
    Failed(ClientError),
}

/// The limits of a search, as Python gives them.
#[derive(Clone, Default)]
struct SearchLimits {
    time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time)
        .ok()
        .filter(|time| time.as_secs() < 1_000_000)
        .ok_or_else(|| PyValueError::new_err(format!("{time} is not a time in seconds")))
}

impl SearchLimits {
    fn new(time: Option<f64>, nodes: Option<u64>, depth: Option<u32>) -> PyResult<Self> {
        if time.is_none() && nodes.is_none() && depth.is_none() {
            return Err(PyValueError::new_err(
                "say how long to search: time (seconds), nodes or depth",
            ));
        }
        Ok(Self {
            time: time.map(seconds).transpose()?,
            nodes,
            depth,
        })
    }
}

/// Searches until a limit or the signal, sends what it finds, and returns the last message, which the caller sends once
/// the engine is free again.
fn search(
    searcher: &mut Searcher,
    game: &GameHistory,
    limits: &SearchLimits,
    multipv: usize,
    signal: &StopSignal,
    sender: &mpsc::Sender<Message>,
) -> Message {
    match searcher {
        Searcher::Own(engine) => {
            engine.set_multipv(multipv);
            let limits = Limits {
                time: limits.time,
                nodes: limits.nodes,
                depth: limits.depth,
                ..Limits::default()
            };
            let result = engine.think_until(game, &limits, signal, &mut |event| {
                if let SearchEvent::Info(info) = event {
                    let _ = sender.send(Message::Info(info.clone()));
                }
            });
            Message::Best(result.map(|result| result.best))
        }
        Searcher::Other(client) => {
            let goal = GoLimits {
                time: limits.time,
                nodes: limits.nodes,
                depth: limits.depth,
                ..GoLimits::default()
            };
            // Nodes and plies take an unknown time.
            let timeout = limits
                .time
                .map_or(Duration::from_secs(100_000), |time| time + PATIENCE);
            let result =
                client.go_until(game, &goal, timeout, &|| signal.is_stopped(), &mut |info| {
                    let _ = sender.send(Message::Info(info.clone()));
                });
            match result {
                Ok(best) => Message::Best(Some(best.best)),
                Err(error) => {
                    // It may still be searching: dropping it ends it.
                    *searcher = Searcher::Closed;
                    Message::Failed(error)
                }
            }
        }
        Searcher::Closed => Message::Failed(ClientError::Interrupted),
    }
}

fn client_error(error: &ClientError) -> PyErr {
    let text = error.to_string();
    match error {
        ClientError::Start { .. } | ClientError::Exited { .. } => PyOSError::new_err(text),
        ClientError::Timeout(_) => PyTimeoutError::new_err(text),
        ClientError::UnknownOption(_) => PyValueError::new_err(text),
        ClientError::Interrupted => PyRuntimeError::new_err("the engine is closed"),
        _ => PyRuntimeError::new_err(text),
    }
}

/// An engine: the one in this package, or another program that speaks UCI.
///
/// A search blocks its thread, but not other Python threads, and Ctrl-C stops it. Each engine does one thing at a time.
///
/// >>> import tabiya
/// >>> board = tabiya.Board("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")
/// >>> tabiya.Engine().best_move(board, depth=3)
/// Move.from_uci('d1d8')
#[pyclass(frozen, name = "Engine", module = "tabiya")]
pub(crate) struct PyEngine {
    searcher: Arc<Mutex<Searcher>>,
    /// The search that `infos` started last.
    background: Mutex<StopSignal>,
    name: String,
}

impl PyEngine {
    fn background(&self) -> MutexGuard<'_, StopSignal> {
        self.background
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The searcher, if no other thread uses it. Waits for a search that has been told to stop.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Searcher>> {
        let searcher = loop {
            match self.searcher.try_lock() {
                Ok(searcher) => break searcher,
                Err(TryLockError::Poisoned(poisoned)) => break PoisonError::into_inner(poisoned),
                Err(TryLockError::WouldBlock) if self.background().is_stopped() => {
                    py.detach(|| std::thread::sleep(Duration::from_millis(1)));
                    py.check_signals()?;
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(PyRuntimeError::new_err(
                        "the engine is searching: wait for it, or use another one",
                    ));
                }
            }
        };
        if matches!(*searcher, Searcher::Closed) {
            return Err(PyRuntimeError::new_err("the engine is closed"));
        }
        Ok(searcher)
    }

    /// Searches, and waits for the end. The infos are the last of each line, the best first.
    fn think(
        &self,
        py: Python<'_>,
        game: &GameHistory,
        limits: &SearchLimits,
        multipv: usize,
    ) -> PyResult<(Vec<SearchInfo>, Option<Move>)> {
        if multipv == 0 || multipv > 500 {
            return Err(PyValueError::new_err(format!(
                "multipv is a number from 1 to 500, not {multipv}"
            )));
        }
        let mut searcher = self.lock(py)?;
        if multipv > 1
            && let Searcher::Other(client) = &mut *searcher
        {
            client
                .set_option("MultiPV", &multipv.to_string())
                .map_err(|error| client_error(&error))?;
        }
        let searcher = &mut *searcher;
        let signal = StopSignal::default();
        py.detach(|| {
            let (sender, messages) = mpsc::channel();
            std::thread::scope(|scope| {
                let started = std::thread::Builder::new().spawn_scoped(scope, || {
                    let sender = sender;
                    let last = search(searcher, game, limits, multipv, &signal, &sender);
                    let _ = sender.send(last);
                });
                if let Err(error) = started {
                    return Err(PyOSError::new_err(format!(
                        "cannot start a thread: {error}"
                    )));
                }
                collect(&messages, &signal)
            })
        })
    }
}

/// Waits for the end of a search.
fn collect(
    messages: &Receiver<Message>,
    signal: &StopSignal,
) -> PyResult<(Vec<SearchInfo>, Option<Move>)> {
    let mut lines: Vec<SearchInfo> = Vec::new();
    let mut failed = None;
    let mut looked = Instant::now();
    loop {
        match messages.recv_timeout(TICK) {
            Ok(Message::Info(info)) => {
                match lines.iter_mut().find(|line| line.multipv == info.multipv) {
                    Some(line) => *line = info,
                    None => lines.push(info),
                }
            }
            Ok(Message::Best(best)) => {
                lines.sort_by_key(|line| line.multipv);
                return failed.map_or(Ok((lines, best)), Err);
            }
            Ok(Message::Failed(error)) => {
                return Err(failed.unwrap_or_else(|| client_error(&error)));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "the search ended without an answer",
                ));
            }
        }
        // Infos may come faster than ticks.
        if failed.is_none() && looked.elapsed() >= TICK {
            looked = Instant::now();
            if let Err(error) = interrupted() {
                signal.stop();
                failed = Some(error);
            }
        }
    }
}

pub(crate) fn game_of(board: &Bound<'_, PyBoard>) -> PyResult<(GameHistory, bool)> {
    let board = board.try_borrow()?;
    Ok((board.history.since_null_move(), board.chess960))
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (*, level=10, threads=1, hash=16, seed=0))]
    fn new(py: Python<'_>, level: u8, threads: usize, hash: usize, seed: u64) -> PyResult<Self> {
        let level = Level::new(level).ok_or_else(|| {
            PyValueError::new_err(format!(
                "{level} is not a level: they go from 1 (weakest) to 10"
            ))
        })?;
        if threads == 0 || threads > 1024 {
            return Err(PyValueError::new_err(format!(
                "threads is a number from 1 to 1024, not {threads}"
            )));
        }
        let engine = py.detach(|| -> Result<Engine, String> {
            let mut engine = Engine::default();
            if hash != 16 {
                engine.set_hash(hash).map_err(|error| error.to_string())?;
            }
            engine
                .set_threads(threads)
                .map_err(|error| error.to_string())?;
            if level != Level::FULL {
                engine.set_strength(level.strength(), seed);
            }
            Ok(engine)
        });
        let engine = engine.map_err(pyo3::exceptions::PyMemoryError::new_err)?;
        Ok(Self {
            searcher: Arc::new(Mutex::new(Searcher::Own(Box::new(engine)))),
            background: Mutex::default(),
            name: "Tabiya".to_owned(),
        })
    }

    /// Starts another engine: a command line, as in a shell, with options such as `Hash=64` after the program.
    #[staticmethod]
    #[pyo3(signature = (command, *, timeout=10.0))]
    fn open(py: Python<'_>, command: &str, timeout: f64) -> PyResult<Self> {
        let timeout = seconds(timeout)?;
        let command = EngineCommand::parse(command)
            .ok_or_else(|| PyValueError::new_err("the command is empty"))?;
        let client = py.detach(|| command.start(timeout));
        let client = client.map_err(|error| client_error(&error))?;
        Ok(Self {
            name: client.name().to_owned(),
            searcher: Arc::new(Mutex::new(Searcher::Other(Box::new(client)))),
            background: Mutex::default(),
        })
    }

    /// The name of the engine.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Searches a position, and returns the best line, or the `multipv` best lines as a list.
    #[pyo3(signature = (board, *, time=None, nodes=None, depth=None, multipv=None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyBoard>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        multipv: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = SearchLimits::new(time, nodes, depth)?;
        let (game, chess960) = game_of(board)?;
        if !game.board().has_legal_move() {
            return Err(PyValueError::new_err(
                "the game is over: there is nothing to analyse",
            ));
        }
        let (lines, best) = self.think(py, &game, &limits, multipv.unwrap_or(1))?;
        let mut infos = lines
            .into_iter()
            .map(|info| PyInfo::of(info, &game, chess960))
            .collect::<Vec<_>>();
        if infos.is_empty()
            && let Some(best) = best
        {
            let info = SearchInfo {
                multipv: 1,
                pv: vec![best],
                ..SearchInfo::default()
            };
            infos.push(PyInfo::of(info, &game, chess960));
        }
        if multipv.is_some() {
            let infos = infos
                .into_iter()
                .map(|info| Bound::new(py, info))
                .collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(py, infos)?.into_any());
        }
        let info = infos.into_iter().next();
        let info = info.ok_or_else(|| PyRuntimeError::new_err("the engine said nothing"))?;
        Ok(Bound::new(py, info)?.into_any())
    }

    /// Searches a position, and returns the best move; `None` if there is none.
    #[pyo3(signature = (board, *, time=None, nodes=None, depth=None))]
    fn best_move<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyBoard>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Option<Bound<'py, PyMove>>> {
        let limits = SearchLimits::new(time, nodes, depth)?;
        let (game, chess960) = game_of(board)?;
        if !game.board().has_legal_move() {
            return Ok(None);
        }
        let (_, best) = self.think(py, &game, &limits, 1)?;
        best.map(|best| PyMove::of(py, game.board(), best, chess960))
            .transpose()
    }

    /// Searches a position, and yields what the engine reports while it does. Leaving the loop stops the search.
    #[pyo3(signature = (board, *, time=None, nodes=None, depth=None, multipv=1))]
    fn infos(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyBoard>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        multipv: usize,
    ) -> PyResult<PyInfos> {
        let limits = SearchLimits {
            time: time.map(seconds).transpose()?,
            nodes,
            depth,
        };
        let (game, chess960) = game_of(board)?;
        // Fails now rather than in the other thread.
        drop(self.lock(py)?);
        let (sender, messages) = mpsc::channel();
        let signal = StopSignal::default();
        *self.background() = signal.clone();
        let infos = PyInfos {
            messages: Mutex::new(messages),
            signal: signal.clone(),
            game: game.clone(),
            chess960,
        };
        let searcher = Arc::clone(&self.searcher);
        let run = move || {
            let last = {
                let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
                search(
                    &mut searcher,
                    &game,
                    &limits,
                    multipv.max(1),
                    &signal,
                    &sender,
                )
            };
            let _ = sender.send(last);
        };
        let started = std::thread::Builder::new().spawn(run);
        started.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(infos)
    }

    /// Sets an option of another engine.
    fn set_option(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        if name.contains(['\n', '\r']) || value.contains(['\n', '\r']) {
            return Err(PyValueError::new_err(
                "an option cannot contain line breaks",
            ));
        }
        match &mut *self.lock(py)? {
            Searcher::Other(client) => {
                if !client.has_option(name) {
                    return Err(PyValueError::new_err(format!(
                        "the engine has no option {name:?}"
                    )));
                }
                client
                    .set_option(name, value)
                    .map_err(|error| client_error(&error))
            }
            _ => Err(PyValueError::new_err(
                "this engine takes its options when it is made: Engine(threads=2, hash=64)",
            )),
        }
    }

    /// Forgets everything from earlier searches.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        let mut searcher = self.lock(py)?;
        let searcher = &mut *searcher;
        let result = py.detach(|| match searcher {
            Searcher::Own(engine) => {
                engine.new_game();
                Ok(())
            }
            Searcher::Other(client) => client.new_game(PATIENCE),
            Searcher::Closed => Ok(()),
        });
        result.map_err(|error| client_error(&error))
    }

    /// Reviews the main line of a game: evaluations, mistakes in words, accuracy, as a dictionary.
    #[pyo3(signature = (game, *, time=None, nodes=None, depth=None))]
    fn review<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, PyGame>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let limits = SearchLimits::new(time, nodes, depth)?;
        let limits = Limits {
            time: limits.time,
            nodes: limits.nodes,
            depth: limits.depth,
            ..Limits::default()
        };
        let mut searcher = self.lock(py)?;
        let Searcher::Own(engine) = &mut *searcher else {
            return Err(PyValueError::new_err(
                "only the engine of this package reviews games",
            ));
        };
        let tree = PyGame::tree(game);
        let signal = StopSignal::default();
        let reviewed = py.detach(|| {
            std::thread::scope(|scope| {
                let worker = scope.spawn(|| {
                    engine.set_multipv(1);
                    review(engine, &tree, &limits, &signal, &mut |_, _| {})
                });
                let mut failed = None;
                while !worker.is_finished() {
                    std::thread::sleep(Duration::from_millis(5));
                    if failed.is_none()
                        && let Err(error) = interrupted()
                    {
                        signal.stop();
                        failed = Some(error);
                    }
                }
                (worker.join().ok().flatten(), failed)
            })
        });
        let (reviewed, failed) = reviewed;
        if let Some(error) = failed {
            return Err(error);
        }
        let reviewed = reviewed.ok_or_else(|| PyRuntimeError::new_err("the review was stopped"))?;
        let result = PyDict::new(py);
        for (name, side) in [("white", &reviewed.white), ("black", &reviewed.black)] {
            let summary = PyDict::new(py);
            summary.set_item("moves", side.moves)?;
            summary.set_item("accuracy", side.accuracy)?;
            summary.set_item("centipawn_loss", side.centipawn_loss)?;
            summary.set_item("inaccuracies", side.inaccuracies)?;
            summary.set_item("mistakes", side.mistakes)?;
            summary.set_item("blunders", side.blunders)?;
            result.set_item(name, summary)?;
        }
        let moves = reviewed
            .moves
            .iter()
            .map(|mv| reviewed_move(py, mv))
            .collect::<PyResult<Vec<_>>>()?;
        result.set_item("moves", moves)?;
        let mut annotated = tree;
        reviewed.annotate(&mut annotated);
        result.set_item("pgn", annotated.to_string())?;
        Ok(result)
    }

    /// Ends another engine, and frees the memory of ours. Stops the search of `infos`; waits for other searches.
    fn close(&self, py: Python<'_>) {
        self.background().stop();
        let searcher = Arc::clone(&self.searcher);
        py.detach(move || {
            *searcher.lock().unwrap_or_else(PoisonError::into_inner) = Searcher::Closed;
        });
    }

    const fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!("<Engine: {}>", self.name)
    }
}

fn reviewed_move<'py>(py: Python<'py>, mv: &ReviewedMove) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("san", mv.san())?;
    entry.set_item("eval", mv.after.to_string())?;
    entry.set_item("win_percent", mv.after.win_percent())?;
    entry.set_item("accuracy", mv.accuracy)?;
    entry.set_item("judgement", mv.advice.map(|advice| advice.judgement.name()))?;
    entry.set_item("reason", mv.reason())?;
    entry.set_item("best", mv.best_san())?;
    entry.set_item("depth", mv.depth)?;
    Ok(entry)
}

/// What an engine reports while it searches.
#[pyclass(frozen, name = "Infos", module = "tabiya")]
pub(crate) struct PyInfos {
    messages: Mutex<Receiver<Message>>,
    signal: StopSignal,
    game: GameHistory,
    chess960: bool,
}

impl Drop for PyInfos {
    fn drop(&mut self) {
        self.signal.stop();
    }
}

#[pymethods]
impl PyInfos {
    const fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyInfo>> {
        let message = py.detach(|| -> PyResult<Option<Message>> {
            let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                match messages.recv_timeout(TICK) {
                    Ok(message) => return Ok(Some(message)),
                    Err(RecvTimeoutError::Disconnected) => return Ok(None),
                    Err(RecvTimeoutError::Timeout) => {
                        interrupted().inspect_err(|_| self.signal.stop())?;
                    }
                }
            }
        })?;
        match message {
            Some(Message::Info(info)) => Ok(Some(PyInfo::of(info, &self.game, self.chess960))),
            Some(Message::Failed(error)) => Err(client_error(&error)),
            Some(Message::Best(_)) | None => Ok(None),
        }
    }

    /// Stops the search. What it has reported can still be read.
    fn stop(&self) {
        self.signal.stop();
    }
}
