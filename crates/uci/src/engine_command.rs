//! The command line of an engine.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::client::{Client, ClientError};

/// A program that speaks UCI, its arguments, and the options to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Names and values of its options.
    pub options: Vec<(String, String)>,
}

impl EngineCommand {
    /// Parses a command line: words separated by spaces, with single or double quotes around words that contain spaces.
    /// Words such as `Hash=64` after the program are UCI options.
    ///
    /// ```
    /// use tabiya_uci::EngineCommand;
    /// let program = EngineCommand::parse("\"my engines/fish\" --quiet UCI_Elo=2000").unwrap();
    /// assert_eq!((program.program.as_str(), program.name()), ("my engines/fish", "fish"));
    /// assert_eq!(program.arguments, ["--quiet"]);
    /// assert_eq!(program.options, [("UCI_Elo".to_owned(), "2000".to_owned())]);
    /// assert_eq!(EngineCommand::parse("  "), None);
    /// ```
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = words(line).into_iter();
        let mut read = Self {
            program: words.next()?,
            arguments: Vec::new(),
            options: Vec::new(),
        };
        for word in words {
            match word.split_once('=') {
                Some((name, value)) if !word.starts_with('-') => {
                    read.options.push((name.to_owned(), value.to_owned()));
                }
                _ => read.arguments.push(word),
            }
        }
        Some(read)
    }

    /// Returns the name of the program without its directory.
    pub fn name(&self) -> &str {
        let name = Path::new(&self.program).file_stem();
        name.and_then(|name| name.to_str()).unwrap_or(&self.program)
    }

    /// Starts the engine, sets its options and waits until it is ready. The timeout applies to each step.
    pub fn start(&self, timeout: Duration) -> Result<Client, ClientError> {
        let mut client = Client::start(&self.program, &self.arguments, timeout)?;
        for (name, value) in &self.options {
            // An underscore stands for a space, unless the engine has an option with that underscore.
            let spaced = name.replace('_', " ");
            let name = [name, &spaced]
                .into_iter()
                .find(|name| client.has_option(name));
            let Some(name) = name else {
                return Err(ClientError::UnknownOption(spaced));
            };
            client.set_option(name, value)?;
        }
        client.wait_until_ready(timeout)?;
        Ok(client)
    }
}

/// Writes the command line so that it can be parsed again.
impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |letter: char| !letter.is_whitespace() && !QUOTES.contains(&letter);
        let quoted = |word: &str| {
            if !word.is_empty() && word.chars().all(is_plain) {
                word.to_owned()
            } else {
                // A double quote goes into single quotes.
                format!("\"{}\"", word.replace('"', r#""'"'""#))
            }
        };
        f.write_str(&quoted(&self.program))?;
        for argument in &self.arguments {
            write!(f, " {}", quoted(argument))?;
        }
        for (name, value) in &self.options {
            write!(f, " {}", quoted(&format!("{name}={value}")))?;
        }
        Ok(())
    }
}

const QUOTES: [char; 2] = ['"', '\''];

/// Splits a line into words; words in quotes may contain spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if QUOTES.contains(&letter) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_survive_a_round_trip() {
        for line in [
            "stockfish",
            "\"C:\\Program Files\\fish.exe\" Hash=64",
            "java -jar \"my engine.jar\" \"Move Overhead=10\"",
            "fish \"\" \"it's\" \"'\"",
            r#"fish "a "'"'"b"'"'"""#,
        ] {
            let program = EngineCommand::parse(line).unwrap();
            assert_eq!(program.to_string(), line);
            assert_eq!(EngineCommand::parse(&program.to_string()), Some(program));
        }
    }

    #[test]
    fn quoted_words_may_contain_spaces() {
        let program =
            EngineCommand::parse("'/opt/my engine' 'say \"hello\"' Net='a b.nn'").unwrap();
        assert_eq!(program.program, "/opt/my engine");
        assert_eq!(program.arguments, ["say \"hello\""]);
        assert_eq!(program.options, [("Net".to_owned(), "a b.nn".to_owned())]);
        assert_eq!(EngineCommand::parse(&program.to_string()), Some(program));
    }
}
