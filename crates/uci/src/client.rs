//! The GUI's side of the protocol: driving an engine that runs as another program.

use std::fmt::Write as _;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_board::{Board, GameHistory, Move};
use tabiya_notation::printable;
use tabiya_notation::uci::{self, SearchInfo, UciError};
use thiserror::Error;

use crate::lines::{self, InputLine, shortened};

/// How long an engine may take to quit before it is killed.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How often to look for an interruption while waiting for an engine.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long an engine may take for its move after `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// The letters of an engine's name that are kept.
const MAX_NAME: usize = 100;
/// How many lines of an engine may wait to be read. An engine that floods us has to wait.
const BACKLOG: usize = 1024;

/// What can go wrong with an engine.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The program cannot be started.
    #[error("the engine {program} cannot be started: {error}")]
    Start {
        /// The program.
        program: String,
        /// The reason.
        error: io::Error,
    },
    /// The engine has ended, or closed its output.
    #[error("the engine has ended{how}")]
    Exited {
        /// The exit status, if known, in parentheses after a space.
        how: String,
    },
    /// The engine did not answer.
    #[error("the engine did not answer \"{0}\" in time")]
    Timeout(String),
    /// The engine made an illegal move.
    #[error("the engine made an illegal move, {text}: {error}")]
    IllegalMove {
        /// The move as the engine wrote it.
        text: String,
        /// The reason.
        error: UciError,
    },
    /// The engine has no such option.
    #[error("the engine has no option \"{0}\"")]
    UnknownOption(String),
    /// The caller gave up waiting: see [`Client::interrupt_on`].
    #[error("interrupted")]
    Interrupted,
}

/// The limits of a search, as the command `go` has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// The time on White's and Black's clocks.
    pub clocks: Option<[Duration; 2]>,
    /// White's and Black's increments.
    pub increments: [Duration; 2],
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
}

impl GoLimits {
    /// Writes the command.
    fn command(&self) -> String {
        let mut command = "go".to_owned();
        let mut add = |word: &str, number: u128| {
            // Writing to a string cannot fail.
            let _ = write!(command, " {word} {number}");
        };
        if let Some([white, black]) = self.clocks {
            add("wtime", white.as_millis());
            add("btime", black.as_millis());
            add("winc", self.increments[0].as_millis());
            add("binc", self.increments[1].as_millis());
        }
        if let Some(depth) = self.depth {
            add("depth", depth.into());
        }
        if let Some(nodes) = self.nodes {
            add("nodes", nodes.into());
        }
        if let Some(time) = self.time {
            add("movetime", time.as_millis());
        }
        command
    }
}

/// A move from an engine.
#[derive(Clone, Debug)]
pub struct EngineMove {
    /// The move.
    pub best: Move,
    /// The engine's last report about its best line; `None` if it never gave a score.
    pub info: Option<SearchInfo>,
    /// How long it took by our clock.
    pub time: Duration,
}

/// An engine that runs as another program. Dropping it tells it to quit, and kills it if it does not.
#[derive(Debug)]
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    name: String,
    options: Vec<String>,
    /// Whether to write castling as king takes rook.
    chess960: bool,
    interrupt: Option<Arc<AtomicBool>>,
    /// How the program ended, once that is known.
    status: Option<ExitStatus>,
}

impl Client {
    /// Starts a program and waits for its `uciok`.
    pub fn start(
        program: &str,
        arguments: &[String],
        timeout: Duration,
    ) -> Result<Self, ClientError> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // In its own process group, Ctrl+C does not reach it, and its child processes can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| ClientError::Start {
            program: program.to_owned(),
            error,
        })?;
        let (sender, lines) = mpsc::sync_channel(BACKLOG);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let mut client = Self {
            child,
            stdin,
            lines,
            name: printable(program),
            options: Vec::new(),
            chess960: false,
            interrupt: None,
            status: None,
        };
        let read = move || {
            let Some(stdout) = stdout else { return };
            let mut output = BufReader::new(stdout);
            while let Ok(Some(input)) = lines::read(&mut output) {
                // Much of what an engine says ends up on a terminal.
                if let InputLine::Line(line) = input
                    && sender.send(printable(&line)).is_err()
                {
                    return;
                }
            }
        };
        let reader = thread::Builder::new().spawn(read);
        reader.map_err(|error| ClientError::Start {
            program: program.to_owned(),
            error,
        })?;
        client.send("uci")?;
        let until = Instant::now() + timeout;
        loop {
            let line = client.read_line("uci", until)?;
            if line == "uciok" {
                return Ok(client);
            } else if let Some(name) = line.strip_prefix("id name ") {
                client.name = name.trim().chars().take(MAX_NAME).collect();
            } else if let Some(option) = line.strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or_default();
                client.options.push(name.trim().to_owned());
            }
        }
    }

    /// Makes every wait for the engine fail with [`ClientError::Interrupted`] when this becomes true. The engine cannot
    /// be used after that. To end a search and keep the engine, use [`go_until`](Self::go_until).
    pub fn interrupt_on(&mut self, interrupt: Arc<AtomicBool>) {
        self.interrupt = Some(interrupt);
    }

    /// Returns the name that the engine reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the engine has this option.
    pub fn has_option(&self, name: &str) -> bool {
        self.options
            .iter()
            .any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Sets an option.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        if name.eq_ignore_ascii_case("UCI_Chess960") {
            self.chess960 = value == "true";
        }
        self.send(&format!("setoption name {name} value {value}"))
    }

    /// Announces a new game, and waits until the engine is ready.
    pub fn new_game(&mut self, timeout: Duration) -> Result<(), ClientError> {
        self.send("ucinewgame")?;
        self.wait_until_ready(timeout)
    }

    /// Waits until the engine has processed all commands.
    pub fn wait_until_ready(&mut self, timeout: Duration) -> Result<(), ClientError> {
        self.send("isready")?;
        let until = Instant::now() + timeout;
        while self.read_line("isready", until)? != "readyok" {}
        Ok(())
    }

    /// Asks for a move in the last position of a game. After a timeout, the engine still searches: drop it.
    pub fn go(
        &mut self,
        line: &GameHistory,
        goal: &GoLimits,
        timeout: Duration,
    ) -> Result<EngineMove, ClientError> {
        self.go_until(line, goal, timeout, &|| false, &mut |_| {})
    }

    /// Asks for a move like [`go`](Self::go), but stops the search as soon as `is_stopped` says so, and reports
    /// every `info` line about the best line.
    pub fn go_until(
        &mut self,
        line: &GameHistory,
        goal: &GoLimits,
        timeout: Duration,
        is_stopped: &dyn Fn() -> bool,
        report: &mut dyn FnMut(&SearchInfo),
    ) -> Result<EngineMove, ClientError> {
        let mut position = format!("position fen {}", line.start());
        if line.moves().len() > 0 {
            position.push_str(" moves");
        }
        for (board, mv) in line.played() {
            let _ = if self.chess960 {
                write!(position, " {}", uci::write_chess960(board, *mv))
            } else {
                write!(position, " {mv}")
            };
        }
        self.send(&position)?;
        let start = Instant::now();
        let command = goal.command();
        self.send(&command)?;
        let mut info = None;
        let mut until = start + timeout;
        let mut told_to_stop = false;
        loop {
            if is_stopped() && !told_to_stop {
                told_to_stop = true;
                self.send("stop")?;
                until = until.min(Instant::now() + STOP_TIMEOUT);
            }
            let Some(answer) = self.poll_line(&command, until)? else {
                continue;
            };
            if let Some(best) = answer.strip_prefix("bestmove") {
                let time = start.elapsed();
                let text = best.split_whitespace().next().unwrap_or_default();
                let best =
                    uci::parse(text, line.board()).map_err(|error| ClientError::IllegalMove {
                        text: shortened(text),
                        error,
                    })?;
                return Ok(EngineMove { best, info, time });
            } else if answer.starts_with("info ")
                && let Some(next) = updated(info.as_ref(), &answer, line.board())
            {
                let has_pv = !next.pv.is_empty();
                let info = info.insert(next);
                if has_pv {
                    report(info);
                }
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), ClientError> {
        let sent = self.stdin.as_mut().is_some_and(|stdin| {
            let written = writeln!(stdin, "{line}");
            written.and_then(|()| stdin.flush()).is_ok()
        });
        if sent { Ok(()) } else { Err(self.ended()) }
    }

    /// Waits for the next line.
    fn read_line(&mut self, asked: &str, until: Instant) -> Result<String, ClientError> {
        loop {
            if let Some(line) = self.poll_line(asked, until)? {
                return Ok(line);
            }
        }
    }

    /// Returns the next line, if it comes soon; an error after the deadline or an interruption.
    fn poll_line(&mut self, asked: &str, until: Instant) -> Result<Option<String>, ClientError> {
        let interrupt = self.interrupt.as_ref();
        if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(ClientError::Interrupted);
        }
        let left = until.saturating_duration_since(Instant::now());
        // Checked first, so that an engine that never stops talking times out, too.
        if left.is_zero() {
            return Err(ClientError::Timeout(asked.to_owned()));
        }
        match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Returns the error for an engine that has ended.
    fn ended(&mut self) -> ClientError {
        let status = self.has_ended(QUIT_TIMEOUT).then(|| self.kill()).flatten();
        ClientError::Exited {
            how: status.map_or_else(String::new, |status| format!(" ({status})")),
        }
    }

    /// Waits for the program to end, but does not ask for its exit status: until then no other process group can get
    /// its number, and [`kill`](Self::kill) can end its child processes.
    fn has_ended(&mut self, timeout: Duration) -> bool {
        let until = Instant::now() + timeout;
        loop {
            if self.status.is_some() {
                return true;
            }
            #[cfg(unix)]
            let runs = {
                use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
                matches!(
                    waitid(WaitId::Pid(Pid::from_child(&self.child)), options),
                    Ok(None)
                )
            };
            #[cfg(not(unix))]
            let runs = matches!(self.child.try_wait(), Ok(None));
            if !runs || Instant::now() >= until {
                return !runs;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Kills the program, and on Unix all its child processes, also those that it left behind. Returns how it ended.
    fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            #[cfg(unix)]
            {
                use rustix::process::{Pid, Signal, kill_process_group};
                // Fails if there are none left.
                let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            }
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
        self.status
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Fails if the engine has ended already.
        let _ = self.send("quit");
        self.stdin = None;
        self.has_ended(QUIT_TIMEOUT);
        self.kill();
    }
}

/// Returns the report about the best line after another `info` line; `None` if that says nothing about it.
fn updated(last: Option<&SearchInfo>, line: &str, board: &Board) -> Option<SearchInfo> {
    let mut info = last.cloned().unwrap_or_default();
    let has_score = info.update(line, board) || last.is_some();
    (has_score && info.multipv == 1).then_some(info)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_notation::Score;

    #[test]
    fn reports_about_the_best_line_are_kept() {
        let board = Board::start();
        let first = updated(
            None,
            "info depth 12 seldepth 20 multipv 1 score cp -35 nodes 4711 pv e2e4 depth",
            &board,
        );
        let first = first.unwrap();
        assert_eq!((first.depth, first.nodes), (12, 4711));
        assert_eq!(first.score, Score::Cp(-35));
        let second_best = "info depth 13 multipv 2 score mate 3 nodes 1";
        assert_eq!(updated(Some(&first), second_best, &board), None);
        assert_eq!(updated(None, "info string score cp 5", &board), None);
        let next = updated(Some(&first), "info depth 13 score mate -3", &board).unwrap();
        assert_eq!((next.depth, next.nodes), (13, 4711));
        assert_eq!(next.score, Score::Mate(-3));
    }

    #[test]
    fn limits_are_written_as_commands() {
        let second = Duration::from_secs(1);
        let goal = GoLimits {
            clocks: Some([second, 2 * second]),
            increments: [Duration::from_millis(20); 2],
            nodes: Some(7),
            ..GoLimits::default()
        };
        assert_eq!(
            goal.command(),
            "go wtime 1000 btime 2000 winc 20 binc 20 nodes 7"
        );
        assert_eq!(GoLimits::default().command(), "go");
    }
}
