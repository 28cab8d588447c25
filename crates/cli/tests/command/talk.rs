//! A conversation with the program, line by line, while it runs.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Longer than anything here takes on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that runs while the test talks to it.
pub(crate) struct Talk {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
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

    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        writeln!(stdin, "{line}").expect("the program listens");
    }

    /// All lines up to and with one that begins with a text.
    #[track_caller]
    pub(crate) fn hear(&self, beginning: &str) -> Vec<String> {
        let until = Instant::now() + PATIENCE;
        let mut heard = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no {beginning:?} but {heard:#?}");
            };
            let found = line.starts_with(beginning);
            heard.push(line);
            if found {
                return heard;
            }
        }
    }

    /// All lines that have been said and not heard yet.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// The next line that begins with a text.
    #[track_caller]
    pub(crate) fn hear_line(&self, beginning: &str) -> String {
        self.hear(beginning).pop().expect("that line at least")
    }

    /// Closes the input and waits for the end: what else was said, and whether all went well.
    #[track_caller]
    pub(crate) fn end(mut self) -> Vec<String> {
        self.stdin = None;
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.push(line);
        }
        let status = self.child.wait().expect("the program ends");
        assert_eq!(status.code(), Some(0), "{rest:?}");
        rest
    }

    /// Ends the program at once.
    pub(crate) fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.kill();
    }
}
