//! The speed of the classic checker, with one thread and with several.

mod lines;

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use tabiya_classics::checker;

use crate::clock::BenchClock;
use crate::race::{self, Contestant, Lap};
use crate::table::{self, TableLayout, Unit};
use crate::versions;

pub use self::lines::generate;

/// The number of verdicts of each kind, and a hash of all of them.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct VerdictCounts {
    /// The lines whose moves are all legal.
    pub legal: u64,
    /// The lines with an illegal move.
    pub illegal: u64,
    /// The malformed lines.
    pub errors: u64,
    /// A hash of all verdicts in order.
    pub hash: u64,
}

impl VerdictCounts {
    /// Counts the verdicts in a file.
    fn of_file(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut counts = Self {
            hash: 0xcbf2_9ce4_8422_2325,
            ..Self::default()
        };
        for line in fs::read_to_string(path)?.lines() {
            if line == "Legal" {
                counts.legal += 1;
            } else if line.ends_with(" illegal") {
                counts.illegal += 1;
            } else if line.starts_with("error: ") {
                counts.errors += 1;
            } else {
                return Err(format!("not a verdict: {line}").into());
            }
            // FNV-1a.
            for byte in line.bytes().chain([b'\n']) {
                counts.hash = (counts.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Ok(counts)
    }

    const fn lines(&self) -> u64 {
        self.legal + self.illegal + self.errors
    }
}

impl fmt::Display for VerdictCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} legal, {} illegal, {} errors, answers {:#x}",
            self.legal, self.illegal, self.errors, self.hash
        )
    }
}

/// The input and output files of a run.
#[derive(Clone, Debug)]
pub struct CheckerFiles {
    /// The lines to check.
    pub lines: PathBuf,
    /// The verdicts. Each run overwrites them.
    pub answers: PathBuf,
}

/// Checks the lines of a file with one thread and with `threads`, by wall time, and returns the table. Calls `progress`
/// with the number of each round.
///
/// # Errors
///
/// If a run fails, or if the verdicts depend on the number of threads.
pub fn run(
    files: &CheckerFiles,
    threads: usize,
    rounds: usize,
    progress: impl FnMut(usize),
) -> Result<String, Box<dyn Error>> {
    let mut contestants = vec![contestant(files, 1)];
    if threads > 1 {
        contestants.push(contestant(files, threads));
    }
    let standings = race::run(contestants, rounds, progress)?;
    let layout = TableLayout {
        units: &[Unit {
            name: "million lines/s",
            decimals: 3,
            amount: &|counts: &VerdictCounts| counts.lines() as f64 / 1e6,
        }],
        baselines: &["1 thread"],
        last: None,
    };
    Ok(table::render(&standings, &layout))
}

fn contestant(files: &CheckerFiles, threads: usize) -> Contestant<'_, VerdictCounts> {
    let plural = if threads == 1 { "" } else { "s" };
    Contestant {
        name: format!("{threads} thread{plural}"),
        version: format!("(tabiya {})", versions::TABIYA),
        run: Box::new(move || {
            let (checked, time) =
                BenchClock::Wall(Instant::now()).time(|| check(files, threads))?;
            checked?;
            let counts = VerdictCounts::of_file(&files.answers)?;
            Ok(Lap { counts, time })
        }),
    }
}

fn check(files: &CheckerFiles, threads: usize) -> Result<(), Box<dyn Error>> {
    let lines = File::open(&files.lines)?;
    let mut answers = File::create(&files.answers)?;
    checker::check(lines, &mut answers, threads, || {})?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::process;

    use super::*;

    const ODD: &str = "\
k 4 4 r 8 2 B 1 1 K 4 7: 8 2 2 2 1 1 3 3\n\
\n\
q 1 1\n\
q 1 1:\r\n\
:\n\
q 1 1: 1 1 1\n\
q 1 1: 1 1 1 9\n\
q 1: 1 1 1 2\n\
x 1 1: 1 1 1 2\n\
q 1 1: 1 1 1 2: 3\n\
k 1 1 k 8 8 R 8 1: 1 1 1 2\n\
p 1 7: 1 7 1 8\n\
p 1 2: 1 2 1 4\n\
p 1 3: 1 3 1 5\n\
r 1 1 K 1 8 R 2 2: 1 1 1 8 2 2 2 8 1 8 2 8\n\
q 1 1:\t1 1 8  8";

    /// Files that are removed after the test.
    struct Temporary(CheckerFiles);

    impl Temporary {
        fn new(name: &str, lines: &[u8]) -> Self {
            let path = |end| {
                env::temp_dir().join(format!("tabiya-benches-{name}-{}.{end}", process::id()))
            };
            let files = CheckerFiles {
                lines: path("lines"),
                answers: path("answers"),
            };
            fs::write(&files.lines, lines).unwrap();
            Self(files)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0.lines);
            let _ = fs::remove_file(&self.0.answers);
        }
    }

    #[test]
    fn verdicts_do_not_depend_on_the_number_of_threads() {
        for (name, lines) in [("odd", ODD.as_bytes().to_vec()), ("many", generate(3_000))] {
            let files = Temporary::new(name, &lines);
            let table = run(&files.0, 2, 1, |_| {}).unwrap();
            assert!(table.contains("| 2 threads "), "{table}");
        }
    }

    #[test]
    fn counts_verdicts() {
        let files = Temporary::new("counted", ODD.as_bytes());
        let counts = (contestant(&files.0, 1).run)().unwrap().counts;
        assert_eq!((counts.legal, counts.illegal, counts.errors), (6, 3, 7));
        fs::write(&files.0.answers, "Legal\nperhaps\n").unwrap();
        assert!(VerdictCounts::of_file(&files.0.answers).is_err());
    }

    #[test]
    fn generated_lines_are_of_all_kinds() {
        let lines = generate(5_000);
        assert_eq!(lines, generate(5_000));
        let files = Temporary::new("kinds", &lines);
        let counts = (contestant(&files.0, 1).run)().unwrap().counts;
        assert_eq!(counts.lines(), 5_000);
        assert!(counts.legal > 2_000, "{counts}");
        assert!(counts.illegal > 500, "{counts}");
        assert!(counts.errors > 10, "{counts}");
    }
}
