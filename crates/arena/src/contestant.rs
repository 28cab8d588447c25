//! Who plays.

use std::time::Duration;

use tabiya_uci::{Client, ClientError};

/// How long an engine may take to start and to get ready.
const TIMEOUT: Duration = Duration::from_secs(20);

/// An engine: a program, its arguments and options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Names and values of its options.
    pub options: Vec<(String, String)>,
}

impl Contestant {
    /// Reads a command line: words apart by spaces; those like `Hash=64` behind the program are options.
    ///
    /// ```
    /// use tabiya_arena::Contestant;
    /// let contestant = Contestant::read("stockfish UCI_LimitStrength=true UCI_Elo=2000").unwrap();
    /// assert_eq!(contestant.program, "stockfish");
    /// assert_eq!(contestant.options[1], ("UCI_Elo".to_owned(), "2000".to_owned()));
    /// ```
    pub fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let mut contestant = Self {
            program: words.next()?.to_owned(),
            arguments: Vec::new(),
            options: Vec::new(),
        };
        for word in words {
            match word.split_once('=') {
                Some((name, value)) if !word.starts_with('-') => {
                    contestant.options.push((name.to_owned(), value.to_owned()));
                }
                _ => contestant.arguments.push(word.to_owned()),
            }
        }
        Some(contestant)
    }

    /// Starts the engine and sets its options.
    pub(crate) fn start(&self) -> Result<Client, ClientError> {
        let mut client = Client::start(&self.program, &self.arguments, TIMEOUT)?;
        for (name, value) in &self.options {
            // An underscore stands for a space, unless the engine has an option with the underscore.
            let spaced = name.replace('_', " ");
            let name = if client.has_option(name) {
                name
            } else {
                &spaced
            };
            client.set_option(name, value)?;
        }
        client.wait_until_ready(TIMEOUT)?;
        Ok(client)
    }
}
