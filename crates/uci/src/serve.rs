//! The engine's end of the protocol.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use tabiya_board::{Board, GameHistory, perft};
use tabiya_engine::{Engine, StopSignal, bench, book};

use crate::answer;
use crate::command::{Command, read_position};
use crate::go::Go;
use crate::lines::{self, Input, LONGEST};
use crate::options::{self, Options, any_number};

/// Obeys the commands of a chess program until it says `quit` or its input ends. What is not understood is answered by
/// one line of `info string`. A search that is running when the input ends gives its move first; if it has a limit of
/// its own, it gets a few seconds to reach it, so that commands can come from a file.
///
/// ```
/// let mut output = Vec::new();
/// tabiya_uci::serve(&b"position startpos moves f2f3 e7e5 g2g4\ngo depth 3\n"[..], &mut output)?;
/// let output = String::from_utf8(output).unwrap();
/// assert!(output.ends_with("bestmove d8h4\n"), "{output}");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Output(Mutex::new(output));
    thread::scope(|scope| {
        let mut session = Session {
            scope,
            output: &output,
            line: GameHistory::default(),
            options: Options::default(),
            engine: None,
            job: None,
        };
        while let Some(line) = lines::read(&mut input)? {
            match line {
                Input::Line(line) => {
                    if !session.obey(&line)? {
                        session.stop_job();
                        return Ok(());
                    }
                }
                Input::TooLong => output.say(&format!(
                    "info string a line of more than {LONGEST} bytes is no command: it is ignored"
                ))?,
            }
        }
        session.end();
        Ok(())
    })
}

/// How long a search may still take after the last command, if it would end by itself.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where the answers go, a whole line at a time, from the search as well as from the commands.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn say(&self, line: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{line}")?;
        output.flush()
    }
}

/// What takes its time and so goes on in another thread.
struct Job<'scope> {
    signal: StopSignal,
    /// The last line of the answer is being written: the other program may already have read it.
    answered: Arc<AtomicBool>,
    /// Whether it ends only when it is told to.
    endless: bool,
    /// Tells that the job is done.
    done: Receiver<()>,
    handle: ScopedJoinHandle<'scope, Engine>,
}

/// Words about a command that is not obeyed while a job goes on.
const BUSY: &str = "is ignored while a search goes on: send stop first";

struct Session<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'scope Output<W>,
    /// The position, and how it came about.
    line: GameHistory,
    options: Options,
    /// Not there while a job uses it, nor before anybody needs it.
    engine: Option<Engine>,
    job: Option<Job<'scope>>,
}

impl<'scope, W: Write + Send> Session<'scope, '_, W> {
    /// Obeys a command; false for the last one.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let command = match Command::read(line) {
            Ok(command) => command,
            Err(error) => {
                self.output.say(&format!("info string {error}"))?;
                return Ok(true);
            }
        };
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.output.say("readyok")?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::NewGame => match self.idle_engine() {
                Some(engine) => engine.new_game(),
                None => self.output.say(&format!("info string ucinewgame {BUSY}"))?,
            },
            Command::Position(text) => match read_position(text) {
                Ok(line) => self.line = line,
                Err(error) => self.output.say(&format!("info string {error}"))?,
            },
            Command::Go(text) => self.go(text)?,
            Command::Stop => {
                if let Some(job) = &self.job {
                    job.signal.stop();
                }
            }
            Command::PonderHit => {
                if let Some(job) = &self.job {
                    job.signal.ponder_hit();
                }
            }
            Command::Display => self.output.say(&answer::picture(self.line.board()))?,
            Command::Eval => {
                let board = *self.line.board();
                let answer = match self.idle_engine() {
                    Some(engine) => format!(
                        "evaluation {} for the side to move",
                        engine.evaluate(&board)
                    ),
                    None => format!("eval {BUSY}"),
                };
                self.output.say(&format!("info string {answer}"))?;
            }
            Command::Bench(depth) => self.bench(depth.unwrap_or(bench::DEPTH)),
            Command::Perft(depth) => self.count(depth),
            Command::Debug | Command::Nothing => {}
            Command::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn introduce(&self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!("id name Tabiya {version}\nid author the Tabiya developers\n");
        for option in options::list() {
            text.push_str(&option);
            text.push('\n');
        }
        text.push_str("uciok");
        self.output.say(&text)
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let mut options = self.options;
        let Some(engine) = self.idle_engine() else {
            return self.output.say(&format!("info string setoption {BUSY}"));
        };
        let result = options.set(engine, name, value);
        self.options = options;
        match result {
            Ok(()) => Ok(()),
            Err(error) => self
                .output
                .say(&format!("info string {error}; nothing has changed")),
        }
    }

    /// Starts a search. One that goes on still is stopped and gives its move first.
    fn go(&mut self, text: &str) -> io::Result<()> {
        let go = Go::read(text, self.line.board(), self.options.overhead);
        if !go.remarks.is_empty() {
            self.output
                .say(&format!("info string {}", go.remarks.join("; ")))?;
        }
        if let Some(depth) = go.perft {
            self.count(depth);
            return Ok(());
        }
        let (line, options) = (self.line.clone(), self.options);
        let signal = if go.ponder {
            StopSignal::pondering()
        } else {
            StopSignal::default()
        };
        let own_signal = signal.clone();
        let output = self.output;
        let endless = go.infinite || go.ponder;
        self.start(signal, endless, move |engine, answered| {
            let best = search(engine, &line, &go, &options, &own_signal, output);
            answered.store(true, Ordering::Release);
            output.say(&best)
        });
        Ok(())
    }

    fn bench(&mut self, depth: u32) {
        let output = self.output;
        let signal = StopSignal::default();
        let own_signal = signal.clone();
        self.start(signal, false, move |_, answered| {
            let work = bench::bench(&mut Engine::default(), depth, &own_signal);
            answered.store(true, Ordering::Release);
            let Some(work) = work else {
                return output.say("info string the bench was stopped");
            };
            let per_second = (work.nodes as f64 / work.time.as_secs_f64().max(1e-6)) as u64;
            output.say(&format!("{} nodes {per_second} nps", work.nodes))
        });
    }

    fn count(&mut self, depth: u32) {
        let board = *self.line.board();
        let options = self.options;
        let signal = StopSignal::default();
        let own_signal = signal.clone();
        let output = self.output;
        self.start(signal, false, move |_, answered| {
            let mut total = Some(0_u64);
            for mv in board.legal_moves() {
                let count = match depth {
                    0 => Some(0),
                    _ => count_until(&board.after(mv), depth - 1, &own_signal),
                };
                total = total.zip(count).map(|(total, count)| total + count);
                match count {
                    Some(count) if depth > 0 => {
                        output.say(&format!("{}: {count}", answer::spell(&board, mv, &options)))?;
                    }
                    Some(_) => {}
                    None => break,
                }
            }
            answered.store(true, Ordering::Release);
            match total {
                Some(_) if depth == 0 => output.say("\nNodes searched: 1"),
                Some(total) => output.say(&format!("\nNodes searched: {total}")),
                None => output.say("info string the count was stopped"),
            }
        });
    }

    /// Starts a job with the engine; one that goes on still is stopped first.
    fn start(
        &mut self,
        signal: StopSignal,
        endless: bool,
        work: impl FnOnce(&mut Engine, &AtomicBool) -> io::Result<()> + Send + 'scope,
    ) {
        self.stop_job();
        let mut engine = self.engine.take().unwrap_or_default();
        let answered = Arc::new(AtomicBool::new(false));
        let own_answered = Arc::clone(&answered);
        let (tell_done, done) = mpsc::channel();
        let handle = self.scope.spawn(move || {
            // When nobody listens any more, the next command will find that out.
            let _ = work(&mut engine, &own_answered);
            let _ = tell_done.send(());
            engine
        });
        self.job = Some(Job {
            signal,
            answered,
            endless,
            done,
            handle,
        });
    }

    /// There are no more commands.
    fn end(&mut self) {
        if let Some(job) = &self.job
            && !job.endless
        {
            // Done, failed or too late: in all cases it is over.
            let _ = job.done.recv_timeout(PATIENCE);
        }
        self.stop_job();
    }

    /// Stops the job that goes on, if any, and waits for its answer.
    fn stop_job(&mut self) {
        if let Some(job) = &self.job {
            job.signal.stop();
        }
        self.take_engine_back();
    }

    fn take_engine_back(&mut self) {
        if let Some(job) = self.job.take() {
            // A search that has panicked is a bug; its engine is gone, and the next one starts afresh.
            self.engine = job.handle.join().ok();
        }
    }

    /// The engine, unless a job uses it.
    fn idle_engine(&mut self) -> Option<&mut Engine> {
        if let Some(job) = &self.job {
            if !job.answered.load(Ordering::Acquire) && !job.handle.is_finished() {
                return None;
            }
            self.take_engine_back();
        }
        Some(self.engine.get_or_insert_default())
    }
}

/// Searches and gives the line with the best move, when it is time to say it.
fn search(
    engine: &mut Engine,
    line: &GameHistory,
    go: &Go,
    options: &Options,
    signal: &StopSignal,
    output: &Output<impl Write>,
) -> String {
    let board = line.board();
    let may_use_book = options.own_book && !go.infinite && !go.ponder && go.limits.search_moves.is_empty();
    if may_use_book && let Some(mv) = book::choose(board, any_number()) {
        return format!(
            "info string a move of the book\nbestmove {}",
            answer::spell(board, mv, options)
        );
    }
    let thought = engine.think_until(line, &go.limits, signal, &mut |news| {
        // When nobody listens any more, the next command will find that out.
        if output.say(&answer::news(news, board, options)).is_err() {
            signal.stop();
        }
    });
    if thought.is_none() {
        let end = if board.is_check() { "mate 0" } else { "cp 0" };
        let _ = output.say(&format!("info depth 0 score {end}"));
    }
    if go.infinite {
        signal.wait_for_stop();
    }
    signal.wait_for_ponder_hit();
    let Some(thought) = thought else {
        return "bestmove (none)".to_owned();
    };
    let mut answer = format!("bestmove {}", answer::spell(board, thought.best, options));
    if let [best, reply, ..] = thought.info.pv[..]
        && best == thought.best
    {
        answer.push_str(" ponder ");
        answer.push_str(&answer::spell(&board.after(best), reply, options));
    }
    answer
}

/// The number of sequences of moves, or nothing if the count is stopped.
fn count_until(board: &Board, depth: u32, signal: &StopSignal) -> Option<u64> {
    if signal.is_stopped() {
        return None;
    }
    // Small trees are counted at one go.
    if depth <= 4 {
        return Some(perft(board.position(), depth));
    }
    let moves = board.legal_moves();
    let counts = moves
        .iter()
        .map(|&mv| count_until(&board.after(mv), depth - 1, signal));
    counts.sum()
}
