//! What a person types during a game: the same words in every view.

use std::path::PathBuf;

use tabiya_engine::Level;
use thiserror::Error;

/// Something that a person wants.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// To play this move, in SAN or by its squares.
    Move(String),
    /// To take back the last move.
    Undo,
    /// To be told a good move.
    Hint,
    /// To give up.
    Resign,
    /// A draw: to claim one, to take the one that is offered, or to offer one.
    Draw,
    /// Not to take the draw that is offered.
    Decline,
    /// To look from the other side.
    Flip,
    /// To see the board.
    Board,
    /// To see the moves so far.
    Moves,
    /// To write the game to a file.
    Save(PathBuf),
    /// To begin another game.
    New,
    /// To play against another level, or to see them all.
    Level(Option<Level>),
    /// To change sides with the other player.
    Swap,
    /// To have the computer play a move in one's place.
    Go,
    /// To know what the position is worth.
    Eval,
    /// To see what the computer thinks, or not to.
    Think(bool),
    /// To know why a move is not legal, or what it does.
    Why(String),
    /// To see the clocks.
    Clock,
    /// To see what can be typed.
    Help,
    /// To leave. An unfinished game is kept.
    Quit,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// A word is missing behind the command.
    #[error("{command} needs {needed}, as in \"{command} {example}\"")]
    Missing {
        /// The command.
        command: &'static str,
        /// What is missing.
        needed: &'static str,
        /// What could stand there.
        example: &'static str,
    },
    /// There is something behind a command that stands alone.
    #[error("{0} stands alone: {1:?} cannot be read")]
    TooMuch(&'static str, String),
    /// There is no such level.
    #[error("there is no level {0:?}: the levels are the numbers from 1 to {max}", max = Level::FULL.number())]
    NoSuchLevel(String),
}

/// The commands with what they do, for a page of help: the words to type, and the sentence.
pub const COMMANDS: [(&str, &str); 19] = [
    ("e4, Nf3, O-O, e2e4", "play a move"),
    (
        "undo",
        "take back your last move, and with it the computer's answer",
    ),
    ("hint", "be told a good move and why it is good"),
    (
        "draw",
        "claim a draw, take the one that is offered, or offer one",
    ),
    ("decline", "do not take the draw that is offered"),
    ("resign", "give up"),
    ("board", "show the board"),
    ("flip", "look from the other side"),
    ("moves", "show the moves so far"),
    ("clock", "show the clocks"),
    ("eval", "say what the position is worth"),
    (
        "think on, think off",
        "show what the computer thinks, or do not",
    ),
    ("why e2e5", "say why a move is not legal, or what it does"),
    (
        "level, level 5",
        "show the levels, or play against another one",
    ),
    ("swap", "change sides with the computer"),
    ("go", "let the computer play a move for you"),
    ("save game.pgn", "write the game to a file"),
    ("new", "begin another game"),
    ("quit", "leave; tabiya play --resume goes on"),
];

impl Command {
    /// Reads a line. What is no command is taken for a move; nothing comes of an empty line.
    ///
    /// ```
    /// use tabiya_play::Command;
    /// assert_eq!(Command::read(" UNDO "), Ok(Some(Command::Undo)));
    /// assert_eq!(Command::read("Nf3"), Ok(Some(Command::Move("Nf3".to_owned()))));
    /// assert_eq!(Command::read(""), Ok(None));
    /// assert!(Command::read("level 99").is_err());
    /// ```
    pub fn read(line: &str) -> Result<Option<Self>, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let missing = |command, needed, example| CommandError::Missing {
            command,
            needed,
            example,
        };
        let alone: &[(&[&'static str], Self)] = &[
            (&["undo", "takeback", "back"], Self::Undo),
            (&["hint"], Self::Hint),
            (&["resign"], Self::Resign),
            (&["draw", "accept", "claim", "offer"], Self::Draw),
            (&["decline"], Self::Decline),
            (&["flip"], Self::Flip),
            (&["board"], Self::Board),
            (&["moves"], Self::Moves),
            (&["new"], Self::New),
            (&["swap"], Self::Swap),
            (&["go"], Self::Go),
            (&["eval"], Self::Eval),
            (&["clock", "time"], Self::Clock),
            (&["help", "?"], Self::Help),
            (&["quit", "exit", "q"], Self::Quit),
        ];
        let lower = word.to_lowercase();
        for (names, command) in alone {
            if let Some(name) = names.iter().find(|name| **name == lower) {
                return if rest.is_empty() {
                    Ok(Some(command.clone()))
                } else {
                    Err(CommandError::TooMuch(name, rest.to_owned()))
                };
            }
        }
        Ok(Some(match lower.as_str() {
            "" => return Ok(None),
            "save" if rest.is_empty() => return Err(missing("save", "a file", "game.pgn")),
            "save" => Self::Save(rest.into()),
            "why" if rest.is_empty() => return Err(missing("why", "a move", "e2e5")),
            "why" => Self::Why(rest.to_owned()),
            "level" if rest.is_empty() => Self::Level(None),
            "level" => {
                let level = rest.parse().ok().and_then(Level::new);
                let unknown = || CommandError::NoSuchLevel(rest.to_owned());
                Self::Level(Some(level.ok_or_else(unknown)?))
            }
            "think" => match rest.to_lowercase().as_str() {
                "on" => Self::Think(true),
                "off" => Self::Think(false),
                _ => return Err(missing("think", "on or off", "on")),
            },
            _ => Self::Move(line.to_owned()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_help_can_be_typed() {
        for (words, _) in COMMANDS {
            for line in words.split(", ") {
                let read = Command::read(line).unwrap();
                let is_move = words.starts_with("e4");
                let found = matches!(read, Some(Command::Move(_)));
                assert_eq!(found, is_move, "{line}");
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_line() {
        for (line, sentence) in [
            ("undo 3", "undo stands alone: \"3\" cannot be read"),
            ("save", "save needs a file, as in \"save game.pgn\""),
            (
                "level 0",
                "there is no level \"0\": the levels are the numbers from 1 to 10",
            ),
            ("level high", "there is no level \"high\""),
            ("think hard", "think needs on or off"),
            ("why", "why needs a move"),
        ] {
            let error = Command::read(line).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{line}: {error}");
        }
        let file = Command::Save("my games.pgn".into());
        assert_eq!(Command::read("save  my games.pgn"), Ok(Some(file)));
    }
}
