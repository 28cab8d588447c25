//! Checking boards and move sequences.

mod lines;
mod python;
mod tabiya;

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::race;
use crate::table::{self, Layout, Unit};

pub use self::lines::generate;
pub use self::python::Python;

/// What is counted: the kinds of answers, and all answers as one number.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The lines whose moves are all legal.
    pub legal: u64,
    /// The lines with a move that is not.
    pub illegal: u64,
    /// The lines that are not in the format.
    pub errors: u64,
    /// A hash of all answers, the reasons of the errors left out, which everyone words in his own way.
    pub hash: u64,
}

impl Counts {
    /// Counts what is in a file of answers.
    fn of_file(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut counts = Self {
            hash: 0xcbf2_9ce4_8422_2325,
            ..Self::default()
        };
        for line in fs::read_to_string(path)?.lines() {
            let kind = if line == "Legal" {
                counts.legal += 1;
                line
            } else if line.ends_with(" illegal") {
                counts.illegal += 1;
                line
            } else if line.starts_with("error: ") {
                counts.errors += 1;
                "error"
            } else {
                return Err(format!("no answer: {line}").into());
            };
            // FNV-1a.
            for byte in kind.bytes().chain([b'\n']) {
                counts.hash = (counts.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Ok(counts)
    }

    const fn lines(&self) -> u64 {
        self.legal + self.illegal + self.errors
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} legal, {} illegal, {} errors, answers {:#x}",
            self.legal, self.illegal, self.errors, self.hash
        )
    }
}

/// The files of a race: the lines to check, and where the answers go.
#[derive(Clone, Debug)]
pub struct Files {
    /// The lines.
    pub lines: PathBuf,
    /// The answers, written anew by each.
    pub answers: PathBuf,
}

/// On how much of the machine it is raced, and by which clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// On one core, by CPU time.
    OneCore,
    /// On so many threads, by wall time. Python has one.
    Threads(usize),
}

/// Runs the race over the lines of a file, tells `progress` the number of each round that begins, and returns the table.
///
/// # Errors
///
/// When someone fails, or does not answer what the others do.
pub fn run(
    files: &Files,
    mode: Mode,
    python: Option<&Python>,
    rounds: usize,
    progress: impl FnMut(usize),
) -> Result<String, Box<dyn Error>> {
    let mut contestants = vec![tabiya::contestant(files, mode)];
    contestants.extend(python.map(|python| python.contestant(files, mode)));
    let standings = race::run(contestants, rounds, progress)?;
    let layout = Layout {
        units: &[Unit {
            name: "million lines/s",
            decimals: 3,
            amount: &|counts: &Counts| counts.lines() as f64 / 1e6,
        }],
        baselines: &[python::NAME],
        last: None,
    };
    Ok(table::render(&standings, &layout))
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::process;

    use super::*;
    use crate::programs;

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

    /// Files that are gone after the test.
    struct Temporary(Files);

    impl Temporary {
        fn new(name: &str, lines: &[u8]) -> Self {
            let path = |end| {
                env::temp_dir().join(format!("tabiya-benches-{name}-{}.{end}", process::id()))
            };
            let files = Files {
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
    fn all_answer_the_same() {
        let python = programs::find("python3").map(|path| Python::new(path).unwrap());
        if python.is_none() {
            eprintln!("python3 is not installed: it is left out");
        }
        for (name, lines) in [("odd", ODD.as_bytes().to_vec()), ("many", generate(3_000))] {
            let files = Temporary::new(name, &lines);
            for mode in [Mode::OneCore, Mode::Threads(2)] {
                let table = run(&files.0, mode, python.as_ref(), 1, |_| {}).unwrap();
                assert!(table.contains("| tabiya "), "{table}");
            }
        }
    }

    #[test]
    fn answers_are_counted() {
        let files = Temporary::new("counted", ODD.as_bytes());
        let counts = (tabiya::contestant(&files.0, Mode::OneCore).run)()
            .unwrap()
            .counts;
        assert_eq!((counts.legal, counts.illegal, counts.errors), (6, 3, 7));
        fs::write(&files.0.answers, "Legal\nperhaps\n").unwrap();
        assert!(Counts::of_file(&files.0.answers).is_err());
    }

    #[test]
    fn the_lines_are_of_all_kinds() {
        let lines = generate(5_000);
        assert_eq!(lines, generate(5_000));
        let files = Temporary::new("kinds", &lines);
        let counts = (tabiya::contestant(&files.0, Mode::OneCore).run)()
            .unwrap()
            .counts;
        assert_eq!(counts.lines(), 5_000);
        assert!(counts.legal > 2_000, "{counts}");
        assert!(counts.illegal > 500, "{counts}");
        assert!(counts.errors > 10, "{counts}");
    }
}
