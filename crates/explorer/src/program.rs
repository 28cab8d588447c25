//! The program at work.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::ExplorerError;

/// The longest answer that is read. Two hundred moves and sixteen games are far shorter.
const MAX_ANSWER: u64 = 4 << 20;
/// The most that is read of what the program says about its end.
const MAX_REASON: u64 = 4096;

/// The running program. It ends when its input does, so also when this process is killed.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    questions: ChildStdin,
    /// Lines from a thread that ends with the program. A pipe has no time limit, a channel has.
    answers: Receiver<String>,
}

impl Program {
    pub(crate) fn start(program: &Path, folder: &Path) -> Result<Self, ExplorerError> {
        let mut child = Command::new(program)
            .arg("explore")
            .arg("--stream")
            // A folder may be named like an option.
            .arg("--")
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => ExplorerError::NotInstalled,
                _ => ExplorerError::Start(error),
            })?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ExplorerError::Ended);
        };
        // A program that talks unasked waits.
        let (sender, answers) = mpsc::sync_channel(1);
        let program = Self {
            child,
            questions,
            answers,
        };
        thread::Builder::new()
            .name("explorer answers".to_owned())
            .spawn(move || {
                let mut output = BufReader::new(output);
                while let Some(line) = read_answer(&mut output)
                    && sender.send(line).is_ok()
                {}
            })
            .map_err(ExplorerError::Start)?;
        Ok(program)
    }

    /// Asks for a position, and waits for the line with the answer. After a failure the program cannot be used again.
    pub(crate) fn ask(&mut self, fen: &str, limit: Duration) -> Result<String, ExplorerError> {
        // One question at a time fits into the pipe, so writing never waits.
        let written = self.questions.write_all(format!("{fen}\n").as_bytes());
        if written.is_err() {
            return Err(self.failure());
        }
        self.answers
            .recv_timeout(limit)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => {
                    self.end();
                    ExplorerError::TooSlow(limit)
                }
                RecvTimeoutError::Disconnected => self.failure(),
            })
    }

    /// Ends the program, and returns why it did not answer.
    fn failure(&mut self) -> ExplorerError {
        self.end();
        let mut reason = Vec::new();
        if let Some(errors) = &mut self.child.stderr {
            // What was read before an error counts as well.
            let _ = errors.take(MAX_REASON).read_to_end(&mut reason);
        }
        let reason = String::from_utf8_lossy(&reason);
        let line = reason.lines().find(|line| !line.trim().is_empty());
        match line {
            Some(line) => {
                let line = line.strip_prefix("error: ").unwrap_or(line);
                ExplorerError::Archive(line.trim().to_owned())
            }
            None => ExplorerError::Ended,
        }
    }

    fn end(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a line, if there is one that is whole and not too long.
fn read_answer(output: &mut BufReader<ChildStdout>) -> Option<String> {
    let mut line = String::new();
    output.take(MAX_ANSWER).read_line(&mut line).ok()?;
    line.ends_with('\n').then_some(line)
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}
