//! Races PGN readers. See the README of this crate.

use std::env;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use tabiya_benches::arguments::{self, Arguments, FileOption};
use tabiya_benches::games::{self, Games};
use tabiya_benches::pgn::{self, PgnExtract, PgnTask};
use tabiya_benches::{programs, race};

const USAGE: &str = "\
Races PGN readers against each other.

Usage: pgn [--file PATH] [--rounds N] [--quick]

  --file PATH  read this file instead of 200 MB of generated games
  --rounds N   run N rounds and keep the fastest of each library (5; 1 with --quick)
  --quick      read 2 MB; a smoke test, so the speeds mean little
  --help       print this";

fn main() -> ExitCode {
    arguments::main(USAGE, FileOption::Chosen, race_all)
}

/// Runs all tasks on all games and prints their tables.
fn race_all(Arguments { length, file }: Arguments) -> Result<(), Box<dyn Error>> {
    let program = programs::find("pgn-extract")
        .map(PgnExtract::new)
        .transpose()?;
    if program.is_none() {
        println!("pgn-extract is not installed, so it does not take part.");
    }
    println!("{}", race::conditions(length, ", on a small file"));

    if let Some(path) = file {
        let text =
            fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let title = path.display().to_string();
        let extra = program.as_ref().map(|program| (program, path.as_path()));
        return race_one(&Games { title, text }, extra, length.rounds);
    }
    let bytes = if length.quick { 2_000_000 } else { 200_000_000 };
    for Games { title, text } in games::samples()? {
        let text = games::repeat(&text, bytes);
        let file = match program {
            Some(_) => Some(TemporaryFile::new(&text)?),
            None => None,
        };
        let extra = program.as_ref().zip(file.as_ref().map(TemporaryFile::path));
        race_one(&Games { title, text }, extra, length.rounds)?;
    }
    Ok(())
}

fn race_one(
    Games { title, text }: &Games,
    extra: Option<(&PgnExtract, &Path)>,
    rounds: usize,
) -> Result<(), Box<dyn Error>> {
    println!("\n# {title}, {:.1} MB", text.len() as f64 / 1e6);
    for (task, heading) in [
        (PgnTask::Tags, "Tags: skips the moves"),
        (PgnTask::Tokens, "Tokens: reads everything"),
        (PgnTask::Replay, "Replay: plays the main lines"),
        (
            PgnTask::Keys,
            "Keys: plays the main lines and computes the key of every position",
        ),
    ] {
        let progress = |round| eprintln!("{title}, {task:?}: round {round} of {rounds}");
        let table = pgn::run(task, text, extra, rounds, progress)?;
        print!("\n{heading}\n\n{table}");
    }
    Ok(())
}

/// A file that is deleted when dropped.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(text: &[u8]) -> io::Result<Self> {
        let file = Self(env::temp_dir().join(format!("tabiya-benches-{}.pgn", process::id())));
        fs::write(&file.0, text)?;
        Ok(file)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // A leftover file in the temporary folder does no harm.
        let _ = fs::remove_file(&self.0);
    }
}
