//! `pgn-extract`, if it is installed: with `-r` it checks that all moves are legal and writes no
//! games.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::PgnCounts;
use crate::clock::BenchClock;
use crate::race::{Contestant, Lap};

/// An installed pgn-extract.
pub struct PgnExtract {
    program: PathBuf,
    version: String,
}

impl PgnExtract {
    /// Asks the program for its version.
    ///
    /// # Errors
    ///
    /// If the program cannot be run.
    pub fn new(program: PathBuf) -> io::Result<Self> {
        let output = Command::new(&program)
            .arg("--version")
            .stdin(Stdio::null())
            .output()?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let version = text.split_whitespace().last().unwrap_or("?");
        Ok(Self {
            program,
            version: version.trim_start_matches('v').to_owned(),
        })
    }

    /// Checks a file with known counts.
    pub(super) fn contestant<'a>(
        &'a self,
        file: &'a Path,
        known: PgnCounts,
    ) -> Contestant<'a, PgnCounts> {
        let clock = BenchClock::of_children();
        Contestant {
            name: "pgn-extract".to_owned(),
            version: format!("{}, {} of its process", self.version, clock.kind()),
            run: Box::new(move || {
                let (found, time) = clock.time(|| self.check(file))?;
                let found = found?;
                // It does not report the number of moves.
                let counts = if found == (known.legal_games, known.games) {
                    known
                } else {
                    PgnCounts {
                        legal_games: found.0,
                        games: found.1,
                        ..PgnCounts::default()
                    }
                };
                Ok(Lap { counts, time })
            }),
        }
    }

    /// Returns the number of legal games, and of all games.
    fn check(&self, file: &Path) -> Result<(u64, u64), Box<dyn Error>> {
        let output = Command::new(&self.program)
            .arg("-r")
            .arg(file)
            .stdin(Stdio::null())
            .output()?;
        let report = String::from_utf8_lossy(&output.stderr);
        matched(&report).ok_or_else(|| "pgn-extract does not say how many games it read".into())
    }
}

/// Returns the numbers in the last line of its report, `3 games matched out of 4.`
fn matched(report: &str) -> Option<(u64, u64)> {
    let line = report.lines().last()?.strip_suffix('.')?;
    let (matched, all) = line
        .split_once(" games matched out of ")
        .or_else(|| line.split_once(" game matched out of "))?;
    Some((matched.parse().ok()?, all.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_report() {
        let report = "Processing a.pgn\nA - B\n3 games matched out of 4.\n";
        assert_eq!(matched(report), Some((3, 4)));
        assert_eq!(matched("1 game matched out of 1.\n"), Some((1, 1)));
        assert_eq!(matched("Processing a.pgn\n"), None);
        assert_eq!(matched(""), None);
    }
}
