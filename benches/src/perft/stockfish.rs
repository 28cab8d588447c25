//! Stockfish as a rival, if it is installed. Its `go perft` counts the moves of the last ply, like
//! bulk mode.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::Rival;
use super::cases::{Case, Mode};
use crate::clock::BenchClock;
use crate::race::Lap;

/// A running Stockfish.
pub struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    clock: BenchClock,
    version: String,
}

impl Stockfish {
    /// Starts the program and waits until it is ready.
    ///
    /// # Errors
    ///
    /// If the program cannot be started or does not answer like Stockfish.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("Stockfish has no pipes"))?;
        let output = BufReader::new(output);
        let clock = BenchClock::of_process(process.id());
        let mut stockfish = Self {
            process,
            input,
            output,
            clock,
            version: String::new(),
        };

        stockfish.send("uci")?;
        let name = stockfish.wait_for("id name Stockfish ")?;
        stockfish.version = format!("{name}, {} of its process", stockfish.clock.kind());
        stockfish.wait_for("uciok")?;
        stockfish.send("isready")?;
        stockfish.wait_for("readyok")?;
        stockfish.send("go perft 1")?;
        stockfish.wait_for("Nodes searched: ")?;
        Ok(stockfish)
    }

    fn send(&mut self, command: &str) -> io::Result<()> {
        writeln!(self.input, "{command}")?;
        self.input.flush()
    }

    /// Reads up to a line that starts like this, and returns the rest of that line.
    fn wait_for(&mut self, beginning: &str) -> io::Result<String> {
        let mut line = String::new();
        while self.output.read_line(&mut line)? > 0 {
            if let Some(rest) = line.trim_end().strip_prefix(beginning) {
                return Ok(rest.to_owned());
            }
            line.clear();
        }
        Err(io::Error::other(format!(
            "Stockfish ended without writing {beginning:?}"
        )))
    }
}

impl Rival for Stockfish {
    fn name(&self) -> &'static str {
        "Stockfish"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn position_size(&self) -> Option<usize> {
        None
    }

    fn takes_part(&self, mode: Mode) -> bool {
        mode == Mode::Bulk
    }

    fn run(&mut self, case: &Case, _mode: Mode, depth: usize) -> Result<Lap<u64>, Box<dyn Error>> {
        self.send(&format!("position fen {}", case.fen))?;
        let start = self.clock.now()?;
        self.send(&format!("go perft {depth}"))?;
        let counts = self.wait_for("Nodes searched: ")?.parse()?;
        let time = self.clock.now()?.saturating_sub(start);
        Ok(Lap { counts, time })
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // Stockfish ends on `quit`. If it no longer listens, it has ended or must be killed.
        if self.send("quit").is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}
