//! The engine's side of the protocol.

mod answer;
mod command;
mod go;
mod options;

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tabiya_board::{Board, GameHistory, perft};
use tabiya_engine::{Engine, EngineThread, StopSignal, bench};

use crate::lines::{self, InputLine, MAX_LINE};
use command::{UciCommand, parse_position};
use go::Go;
use options::{OptionError, UciOptions, random_seed};

/// Runs the engine for a chess program until it receives `quit` or its input ends.
///
/// An invalid line is answered with one `info string`. A search that is still running when the input ends prints its
/// best move first. If it has a limit, it gets a few seconds to reach it, so that commands can come from a file.
///
/// ```
/// let mut output = Vec::new();
/// tabiya_uci::serve(&b"position startpos moves f2f3 e7e5 g2g4\ngo depth 3\n"[..], &mut output)?;
/// let output = String::from_utf8(output).unwrap();
/// assert!(output.ends_with("bestmove d8h4\n"), "{output}");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    serve_seeded(input, output, random_seed())
}

/// Runs the engine like [`serve`], but without randomness: the same seed leads to the same book moves and to
/// the same mistakes at a limited strength.
pub fn serve_seeded(
    mut input: impl BufRead,
    output: impl Write + Send,
    seed: u64,
) -> io::Result<()> {
    let output = Output(Mutex::new(output));
    thread::scope(|scope| {
        let mut session = Session {
            output: &output,
            history: Some(GameHistory::default()),
            options: UciOptions::new(seed),
            engine: EngineThread::spawn_scoped(scope, Engine::default)?,
            answered: Arc::new(AtomicBool::new(true)),
            ends_by_itself: true,
        };
        while let Some(line) = lines::read(&mut input)? {
            match line {
                InputLine::Line(line) => {
                    if !session.execute(&line)? {
                        return Ok(());
                    }
                }
                InputLine::TooLong => output.write_line(&format!(
                    "info string ignored a line of more than {MAX_LINE} bytes"
                ))?,
            }
        }
        if session.ends_by_itself {
            session.engine.wait(END_OF_INPUT_WAIT);
        }
        // Dropping the engine's thread stops its search, and the scope waits for its answer.
        Ok(())
    })
}

/// How long a search with a limit may continue after the last command.
const END_OF_INPUT_WAIT: Duration = Duration::from_secs(3);

/// Where the answers go, a whole line at a time, from the search as well as from the commands.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn write_line(&self, line: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{line}")?;
        output.flush()
    }
}

/// The remark about a command that needs a position.
const NO_POSITION: &str = "there is no position: the last position command was invalid";

/// The end of the remark about a command that has to wait for a search.
const BUSY: &str = "is ignored during a search: send stop first";

struct Session<'scope, W> {
    output: &'scope Output<W>,
    /// The position, with the moves that led to it; `None` after a `position` that could not be used. Otherwise the
    /// sender would mistake a move in the previous position for one in the new position.
    history: Option<GameHistory>,
    options: UciOptions,
    engine: EngineThread<'scope>,
    /// Whether the last line of the last task's answer is being written. The other program may have read it already,
    /// and send the next command before the task has ended.
    answered: Arc<AtomicBool>,
    /// Whether the last task ends without a `stop`.
    ends_by_itself: bool,
}

impl<'scope, W: Write + Send> Session<'scope, W> {
    /// Executes a command; returns false for `quit`.
    fn execute(&mut self, line: &str) -> io::Result<bool> {
        let command = match UciCommand::parse(line) {
            Ok(command) => command,
            Err(error) => {
                self.remark(&error.to_string())?;
                return Ok(true);
            }
        };
        match command {
            UciCommand::Uci => self.introduce()?,
            UciCommand::IsReady => self.output.write_line("readyok")?,
            UciCommand::SetOption { name, value } => self.set_option(name, value)?,
            UciCommand::NewGame if self.is_busy() => self.remark(&format!("ucinewgame {BUSY}"))?,
            UciCommand::NewGame => {
                self.engine.call(Engine::new_game);
            }
            UciCommand::Position(text) => self.set_position(text)?,
            UciCommand::Go(text) => self.go(text)?,
            UciCommand::Stop => self.engine.stop(),
            UciCommand::PonderHit => self.engine.signal().ponder_hit(),
            UciCommand::Display => match &self.history {
                Some(history) => self.output.write_line(&answer::diagram(history.board()))?,
                None => self.remark(NO_POSITION)?,
            },
            UciCommand::Eval if self.is_busy() => self.remark(&format!("eval {BUSY}"))?,
            UciCommand::Eval => {
                let Some(board) = self.board() else {
                    self.remark(NO_POSITION)?;
                    return Ok(true);
                };
                if let Some(eval) = self.engine.call(move |engine| engine.evaluate(&board)) {
                    self.remark(&format!("evaluation {eval} for the side to move"))?;
                }
            }
            UciCommand::Bench(depth) => self.bench(depth.unwrap_or(bench::DEPTH)),
            UciCommand::Perft(depth) => self.perft(depth)?,
            UciCommand::Debug | UciCommand::Nothing => {}
            UciCommand::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn set_position(&mut self, text: &str) -> io::Result<()> {
        let (history, remark) = match parse_position(text) {
            Ok((history, remark)) => (Some(history), remark),
            Err(error) => (None, Some(format!("{error}; there is no position now"))),
        };
        self.history = history;
        remark.map_or(Ok(()), |remark| self.remark(&remark))
    }

    /// Returns the current position, if there is one.
    fn board(&self) -> Option<Board> {
        self.history.as_ref().map(|history| *history.board())
    }

    fn remark(&self, text: &str) -> io::Result<()> {
        self.output.write_line(&format!("info string {text}"))
    }

    fn introduce(&self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!("id name Tabiya {version}\nid author the Tabiya developers\n");
        for option in options::list() {
            text.push_str(&option);
            text.push('\n');
        }
        text.push_str("uciok");
        self.output.write_line(&text)
    }

    fn set_option(&mut self, name: String, value: String) -> io::Result<()> {
        if self.is_busy() {
            return self.remark(&format!("setoption {BUSY}"));
        }
        let mut options = self.options.clone();
        let result = self.engine.call(move |engine| {
            let result = options.set(engine, &name, &value);
            (options, result)
        });
        let Some((options, result)) = result else {
            return Ok(());
        };
        self.options = options;
        match result {
            Ok(()) => Ok(()),
            Err(error @ (OptionError::SmallerHash(_) | OptionError::FewerThreads(_))) => {
                self.remark(&error.to_string())
            }
            Err(error) => self.remark(&format!("{error}; nothing has changed")),
        }
    }

    /// Starts a search. One that still runs is stopped and gives its move first.
    fn go(&mut self, text: &str) -> io::Result<()> {
        let board = self.board().unwrap_or_else(Board::start);
        let mut go = Go::parse(text, &board, self.options.overhead);
        if self.history.is_none() {
            go.remarks = vec![NO_POSITION.to_owned()];
        }
        if !go.remarks.is_empty() {
            self.remark(&go.remarks.join("; "))?;
        }
        if let Some(depth) = go.perft {
            return match self.history {
                Some(_) => self.perft(depth),
                None => Ok(()),
            };
        }
        let history = self.history.clone();
        let options = self.options.for_search();
        let signal = if go.ponder {
            StopSignal::pondering()
        } else {
            StopSignal::default()
        };
        let output = self.output;
        let ends_by_itself = !go.infinite && !go.ponder;
        self.start(signal, ends_by_itself, move |engine, signal, answered| {
            let best = match history {
                Some(history) => search(engine, &history, &go, &options, signal, output),
                None => no_move(&go, signal),
            };
            answered.store(true, Ordering::Release);
            output.write_line(&best)
        });
        Ok(())
    }

    fn bench(&mut self, depth: u32) {
        let output = self.output;
        self.start(StopSignal::default(), true, move |_, signal, answered| {
            let work = bench::bench(&mut Engine::default(), depth, signal);
            answered.store(true, Ordering::Release);
            let Some(work) = work else {
                return output.write_line("info string bench stopped");
            };
            let nps = (work.nodes as f64 / work.time.as_secs_f64().max(1e-6)) as u64;
            output.write_line(&format!("{} nodes {nps} nps", work.nodes))
        });
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        let Some(board) = self.board() else {
            return self.remark(NO_POSITION);
        };
        let options = self.options.clone();
        let output = self.output;
        self.start(StopSignal::default(), true, move |_, signal, answered| {
            let mut total = Some(0_u64);
            for mv in board.legal_moves() {
                let count = match depth {
                    0 => Some(0),
                    _ => perft_until(&board.after(mv), depth - 1, signal),
                };
                total = total.zip(count).map(|(total, count)| total + count);
                match count {
                    Some(count) if depth > 0 => {
                        let mv = answer::write_move(&board, mv, &options);
                        output.write_line(&format!("{mv}: {count}"))?;
                    }
                    Some(_) => {}
                    None => break,
                }
            }
            answered.store(true, Ordering::Release);
            match total {
                Some(_) if depth == 0 => output.write_line("\nNodes searched: 1"),
                Some(total) => output.write_line(&format!("\nNodes searched: {total}")),
                None => output.write_line("info string perft stopped"),
            }
        });
        Ok(())
    }

    /// Starts a task with the engine, which sets a flag just before it writes the last line of its answer. A task that
    /// still runs is stopped first.
    fn start(
        &mut self,
        signal: StopSignal,
        ends_by_itself: bool,
        task: impl FnOnce(&mut Engine, &StopSignal, &AtomicBool) -> io::Result<()> + Send + 'scope,
    ) {
        self.answered = Arc::default();
        self.ends_by_itself = ends_by_itself;
        let answered = Arc::clone(&self.answered);
        self.engine.start(signal, move |engine, signal| {
            // If the other program has gone, the next command will show it.
            let _ = task(engine, signal, &answered);
        });
    }

    fn is_busy(&self) -> bool {
        !self.answered.load(Ordering::Acquire) && !self.engine.is_idle()
    }
}

/// Searches, and returns the `bestmove` line when it is time to send it.
fn search(
    engine: &mut Engine,
    history: &GameHistory,
    go: &Go,
    options: &UciOptions,
    signal: &StopSignal,
    output: &Output<impl Write>,
) -> String {
    let board = history.board();
    let may_use_book =
        options.own_book && !go.infinite && !go.ponder && go.limits.search_moves.is_empty();
    if may_use_book && let Some(mv) = options.book_move(board) {
        return format!(
            "info string book move\nbestmove {}",
            answer::write_move(board, mv, options)
        );
    }
    let result = engine.think_until(history, &go.limits, signal, &mut |event| {
        // The other program has gone.
        if output
            .write_line(&answer::write_event(event, board, options))
            .is_err()
        {
            signal.stop();
        }
    });
    if result.is_none() {
        let end = if board.is_check() { "mate 0" } else { "cp 0" };
        let _ = output.write_line(&format!("info depth 0 score {end}"));
    }
    let Some(result) = result else {
        return no_move(go, signal);
    };
    wait_for_answer(go, signal);
    let mut answer = format!(
        "bestmove {}",
        answer::write_move(board, result.best, options)
    );
    if let [best, reply, ..] = result.info.pv[..]
        && best == result.best
    {
        answer.push_str(" ponder ");
        answer.push_str(&answer::write_move(&board.after(best), reply, options));
    }
    answer
}

/// Returns the answer without a move, when it is time to send it.
fn no_move(go: &Go, signal: &StopSignal) -> String {
    wait_for_answer(go, signal);
    "bestmove (none)".to_owned()
}

/// Waits until the answer may be sent.
fn wait_for_answer(go: &Go, signal: &StopSignal) {
    if go.infinite {
        signal.wait_for_stop();
    }
    signal.wait_for_ponder_hit();
}

/// Counts the leaves of the tree of moves; `None` if it is stopped.
fn perft_until(board: &Board, depth: u32, signal: &StopSignal) -> Option<u64> {
    if signal.is_stopped() {
        return None;
    }
    // Looking at the signal more often would slow it down.
    if depth <= 4 {
        return Some(perft(board.position(), depth));
    }
    let moves = board.legal_moves();
    let counts = moves
        .iter()
        .map(|&mv| perft_until(&board.after(mv), depth - 1, signal));
    counts.sum()
}
