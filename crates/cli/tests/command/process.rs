//! A running program that a test talks to line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Generous, for busy machines.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A running program.
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("it has an output"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Self {
            child,
            stdin,
            lines,
        }
    }

    pub(crate) fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        writeln!(stdin, "{line}").expect("the program listens");
    }

    /// Returns all lines up to the first that starts with `beginning`, including it.
    #[track_caller]
    pub(crate) fn wait_for(&self, beginning: &str) -> Vec<String> {
        let until = Instant::now() + TIMEOUT;
        let mut lines = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no {beginning:?} in {lines:#?}");
            };
            let found = line.starts_with(beginning);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Returns the lines that have not been read yet.
    pub(crate) fn pending_lines(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// Returns the next line that starts with `beginning`.
    #[track_caller]
    pub(crate) fn wait_for_line(&self, beginning: &str) -> String {
        self.wait_for(beginning).pop().expect("that line at least")
    }

    /// Closes the input, waits for a successful end, and returns the remaining lines.
    #[track_caller]
    pub(crate) fn end(mut self) -> Vec<String> {
        self.stdin = None;
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(TIMEOUT) {
            rest.push(line);
        }
        let status = self.child.wait().expect("the program ends");
        assert_eq!(status.code(), Some(0), "{rest:?}");
        rest
    }

    /// Kills the program.
    pub(crate) fn kill(&mut self) {
        // Fails if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
