//! The command lines of the benchmarks, which are alike.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// How long a race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// The number of rounds.
    pub rounds: usize,
    /// Whether the rounds are those of a smoke test.
    pub quick: bool,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// How long the race is.
    pub length: Length,
    /// The file to read.
    pub file: Option<PathBuf>,
}

/// Whether a benchmark reads a file that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// There is `--file PATH`.
    Chosen,
    /// There is not.
    None,
}

/// The whole of a benchmark's `main`: reads the command line, races, and reports what failed.
pub fn main(
    usage: &str,
    files: Files,
    race: impl FnOnce(Arguments) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    let arguments = match parse(env::args().skip(1), files) {
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
    match race(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the command line; nothing means that help is asked for.
fn parse(
    mut arguments: impl Iterator<Item = String>,
    files: Files,
) -> Result<Option<Arguments>, String> {
    let mut rounds = None;
    let mut quick = false;
    let mut file = None;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--rounds" => {
                let number = arguments.next().ok_or("--rounds is followed by a number")?;
                let number = number.parse().ok().filter(|number| *number > 0);
                rounds = Some(number.ok_or("--rounds is followed by a number, 1 or more")?);
            }
            "--file" if files == Files::Chosen => {
                let path = arguments.next().ok_or("--file is followed by a path")?;
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

    fn parse(arguments: &str, files: Files) -> Result<Option<Arguments>, String> {
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
        assert_eq!(parse("", Files::None), Ok(Some(read(5, false, None))));
        assert_eq!(parse("--quick", Files::None), Ok(Some(read(1, true, None))));
        assert_eq!(
            parse("--rounds 3 --quick", Files::None),
            Ok(Some(read(3, true, None)))
        );
        assert_eq!(parse("--quick --help", Files::None), Ok(None));
        for wrong in ["--rounds", "--rounds 0", "--rounds x", "--quik", "5"] {
            assert!(parse(wrong, Files::None).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_where_there_is_one() {
        assert_eq!(
            parse("--file a.pgn --rounds 2", Files::Chosen),
            Ok(Some(read(2, false, Some("a.pgn"))))
        );
        assert!(parse("--file", Files::Chosen).is_err());
        assert!(parse("--file a.pgn", Files::None).is_err());
    }
}
