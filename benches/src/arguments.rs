//! The command lines of the benchmarks.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// How long a race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// The number of rounds.
    pub rounds: usize,
    /// Whether this is a smoke test.
    pub quick: bool,
}

/// The parsed command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// How long the race is.
    pub length: Length,
    /// The file to read.
    pub file: Option<PathBuf>,
}

/// Whether a benchmark accepts a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOption {
    /// It accepts `--file PATH`.
    Chosen,
    /// It does not.
    None,
}

/// The `main` of a benchmark: parses the command line, runs the race and reports errors.
pub fn main(
    usage: &str,
    files: FileOption,
    race: impl FnOnce(Arguments) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    run(usage, parse(env::args().skip(1), files), race)
}

/// Runs a program with its parsed command line, of which `None` is a request for help.
pub fn run<T>(
    usage: &str,
    parsed: Result<Option<T>, String>,
    work: impl FnOnce(T) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    let arguments = match parsed {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{usage}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("{message}\n\n{usage}");
            return ExitCode::from(2);
        }
    };
    match work(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Parses the value of an option that needs a number above zero.
pub fn positive<T: TryFrom<u64>>(option: &str, value: &str) -> Result<T, String> {
    let number: Option<u64> = value.parse().ok().filter(|number| *number > 0);
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("{option} needs a number, 1 or more"))
}

/// Parses the command line. `None` is a request for help.
fn parse(
    mut arguments: impl Iterator<Item = String>,
    files: FileOption,
) -> Result<Option<Arguments>, String> {
    let mut rounds = None;
    let mut quick = false;
    let mut file = None;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--rounds" => {
                let number = arguments.next().ok_or("--rounds needs a number")?;
                let number = number.parse().ok().filter(|number| *number > 0);
                rounds = Some(number.ok_or("--rounds needs a number, 1 or more")?);
            }
            "--file" if files == FileOption::Chosen => {
                let path = arguments.next().ok_or("--file needs a path")?;
                file = Some(PathBuf::from(path));
            }
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("unknown argument: {argument}")),
        }
    }
    let rounds = rounds.unwrap_or(if quick { 1 } else { 5 });
    let length = Length { rounds, quick };
    Ok(Some(Arguments { length, file }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &str, files: FileOption) -> Result<Option<Arguments>, String> {
        super::parse(arguments.split_whitespace().map(str::to_owned), files)
    }

    fn read(rounds: usize, quick: bool, file: Option<&str>) -> Arguments {
        Arguments {
            length: Length { rounds, quick },
            file: file.map(PathBuf::from),
        }
    }

    #[test]
    fn rounds_and_quick() {
        assert_eq!(parse("", FileOption::None), Ok(Some(read(5, false, None))));
        assert_eq!(
            parse("--quick", FileOption::None),
            Ok(Some(read(1, true, None)))
        );
        assert_eq!(
            parse("--rounds 3 --quick", FileOption::None),
            Ok(Some(read(3, true, None)))
        );
        assert_eq!(parse("--quick --help", FileOption::None), Ok(None));
        for wrong in ["--rounds", "--rounds 0", "--rounds x", "--quik", "5"] {
            assert!(parse(wrong, FileOption::None).is_err(), "{wrong}");
        }
    }

    #[test]
    fn file_is_accepted_only_by_benchmarks_that_read_one() {
        assert_eq!(
            parse("--file a.pgn --rounds 2", FileOption::Chosen),
            Ok(Some(read(2, false, Some("a.pgn"))))
        );
        assert!(parse("--file", FileOption::Chosen).is_err());
        assert!(parse("--file a.pgn", FileOption::None).is_err());
    }
}
