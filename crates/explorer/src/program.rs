//! The program at work.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::ExplorerError;

/// The longest answer that is read. Two hundred moves and sixteen games are far shorter.
const LONGEST_ANSWER: u64 = 4 << 20;
/// The most that is read of what the program says about its end.
const LONGEST_REASON: u64 = 4096;

/// The program at work. It ends when its input does, so also when this process is killed.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
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
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => Ok(Self {
                child,
                questions,
                answers: BufReader::new(answers),
            }),
            _ => Err(ExplorerError::Ended),
        }
    }

    /// Asks for a position, and waits for the line with the answer.
    pub(crate) fn ask(&mut self, fen: &str) -> io::Result<String> {
        self.questions.write_all(format!("{fen}\n").as_bytes())?;
        let mut line = String::new();
        (&mut self.answers)
            .take(LONGEST_ANSWER)
            .read_line(&mut line)?;
        if line.ends_with('\n') {
            Ok(line)
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    /// Ends the program, and returns why it did not answer.
    pub(crate) fn failure(mut self) -> ExplorerError {
        self.end();
        let mut reason = Vec::new();
        if let Some(errors) = &mut self.child.stderr {
            // What was read before an error counts as well.
            let _ = errors.take(LONGEST_REASON).read_to_end(&mut reason);
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

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}
