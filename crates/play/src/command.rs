//! The commands that a player types during a game. They are the same in every view.

use std::path::PathBuf;

use tabiya_board::{Color, File, Rank, Role, Square};
use tabiya_engine::Level;
use thiserror::Error;

/// A command of the player.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameCommand {
    /// Play this move, in SAN or as two squares.
    Move(String),
    /// Take back the last move.
    Undo,
    /// Play again what was taken back.
    Redo,
    /// Show a good move.
    Hint,
    /// Resign; of two people, this one, or the one to move.
    Resign(Option<Color>),
    /// Claim a draw, accept the opponent's offer, or offer one.
    Draw,
    /// Decline the opponent's draw offer.
    Decline,
    /// Turn the board around.
    Flip,
    /// Show the board.
    Board,
    /// Say what stands on a rank.
    Rank(Rank),
    /// Say what stands on a file.
    File(File),
    /// Say what stands on a square.
    Square(Square),
    /// Say where pieces of a colour and a role are.
    Where(Option<Color>, Option<Role>),
    /// Show the moves.
    Moves,
    /// Save the game to a file.
    Save(PathBuf),
    /// Start a new game.
    New,
    /// Change the level, or list all levels.
    Level(Option<Level>),
    /// Swap sides with the opponent.
    Swap,
    /// Let the computer play this move.
    Go,
    /// Evaluate the position.
    Eval,
    /// Show or hide what the computer is thinking.
    Think(bool),
    /// Explain why a move is illegal, or what it does.
    Why(String),
    /// Show the clocks.
    Clock,
    /// List the commands.
    Help,
    /// Quit. An unfinished game is saved.
    Quit,
}

/// A command that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameCommandError {
    /// The argument is missing.
    #[error("{command} needs {needed}, for example: {command} {example}")]
    MissingArgument {
        /// The command.
        command: &'static str,
        /// The missing argument.
        needed: &'static str,
        /// An example of the argument.
        example: &'static str,
    },
    /// The command takes no argument.
    #[error("{0} takes no argument; remove \"{1}\"")]
    ExtraArgument(&'static str, String),
    /// There is no such level.
    #[error("there is no level {0}; choose 1 to {max}", max = Level::FULL.number())]
    UnknownLevel(String),
}

/// The commands and what they do, for help pages.
pub const COMMANDS: [(&str, &str); 22] = [
    ("e4, Nf3, O-O, e2e4", "play a move"),
    ("undo", "take back your last move and the computer's reply"),
    ("redo", "play again what you took back"),
    ("hint", "show a good move and why it is good"),
    ("draw", "offer, accept or claim a draw"),
    ("decline", "decline a draw offer"),
    (
        "resign, resign white",
        "resign; between two people, say who resigns",
    ),
    ("board", "show the board"),
    (
        "rank 4, file e, square e4",
        "say what stands on a rank, a file or a square",
    ),
    (
        "where knights",
        "say where pieces are; also: where white, where black pawns",
    ),
    ("flip", "turn the board around"),
    ("moves", "list the moves"),
    ("clock", "show the clocks"),
    ("eval", "evaluate the position"),
    (
        "think on, think off",
        "show or hide what the computer is thinking",
    ),
    ("why e2e5", "explain why a move is illegal, or what it does"),
    ("level, level 5", "list the levels, or change the level"),
    ("swap", "swap sides with the computer"),
    ("go", "let the computer play this move for you"),
    ("save game.pgn", "add the game to a file"),
    ("new", "start a new game"),
    ("quit", "quit; continue later with tabiya play --resume"),
];

/// The words of all commands, for suggestions.
const WORDS: [&str; 31] = [
    "undo", "takeback", "redo", "hint", "resign", "draw", "accept", "claim", "offer", "decline",
    "flip", "board", "moves", "new", "swap", "go", "eval", "clock", "help", "quit", "save",
    "level", "think", "why", "theme", "analyse", "menu", "rank", "file", "square", "where",
];

/// The command that someone probably meant to type.
pub(crate) fn similar_command(text: &str) -> Option<&'static str> {
    let word = text.split_whitespace().next()?.to_lowercase();
    if word.len() > 20 {
        return None;
    }
    // Two typing errors in a word of four letters could be anything.
    let most = if word.chars().count() < 5 { 1 } else { 2 };
    let distances = WORDS.map(|command| (edit_distance(&word, command), command));
    let (distance, command) = distances
        .into_iter()
        .min_by_key(|&(distance, _)| distance)?;
    // Two letters could be a square.
    (distance <= most && word.len() > 2).then_some(command)
}

/// Letters to insert, delete or replace, or neighbours to swap, to turn one word into the other (the restricted
/// Damerau-Levenshtein distance).
fn edit_distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

impl GameCommand {
    /// Parses a line. Anything that is not a command counts as a move; an empty line is `None`.
    ///
    /// ```
    /// use tabiya_play::GameCommand;
    /// assert_eq!(GameCommand::parse(" UNDO "), Ok(Some(GameCommand::Undo)));
    /// assert_eq!(GameCommand::parse("Nf3"), Ok(Some(GameCommand::Move("Nf3".to_owned()))));
    /// assert_eq!(GameCommand::parse(""), Ok(None));
    /// assert!(GameCommand::parse("level 99").is_err());
    /// ```
    pub fn parse(line: &str) -> Result<Option<Self>, GameCommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let missing = |command, needed, example| GameCommandError::MissingArgument {
            command,
            needed,
            example,
        };
        let alone: &[(&[&'static str], Self)] = &[
            (&["undo", "takeback", "back"], Self::Undo),
            (&["redo"], Self::Redo),
            (&["hint"], Self::Hint),
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
                    Err(GameCommandError::ExtraArgument(name, rest.to_owned()))
                };
            }
        }
        Ok(Some(match lower.as_str() {
            "" => return Ok(None),
            "save" if rest.is_empty() => return Err(missing("save", "a file name", "game.pgn")),
            "save" => Self::Save(rest.into()),
            "resign" => match rest.to_lowercase().as_str() {
                "" => Self::Resign(None),
                "white" => Self::Resign(Some(Color::White)),
                "black" => Self::Resign(Some(Color::Black)),
                _ => return Err(missing("resign", "white or black", "white")),
            },
            "rank" => {
                let rank = one_char(rest).and_then(Rank::from_char);
                Self::Rank(rank.ok_or_else(|| missing("rank", "a number from 1 to 8", "4"))?)
            }
            "file" => {
                let file = one_char(&rest.to_lowercase()).and_then(File::from_char);
                Self::File(file.ok_or_else(|| missing("file", "a letter from a to h", "e"))?)
            }
            "square" => {
                let square = rest.to_lowercase().parse();
                Self::Square(square.map_err(|_| missing("square", "a square", "e4"))?)
            }
            "where" => pieces(rest)
                .ok_or_else(|| missing("where", "a piece, a colour or both", "knights"))?,
            "why" if rest.is_empty() => return Err(missing("why", "a move", "e2e5")),
            "why" => Self::Why(rest.to_owned()),
            "level" if rest.is_empty() => Self::Level(None),
            "level" => {
                let level = rest.parse().ok().and_then(Level::new);
                let unknown = || GameCommandError::UnknownLevel(rest.to_owned());
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

fn one_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// Parses the pieces to look for: `knights`, `white`, `black pawns`, `all`.
fn pieces(text: &str) -> Option<GameCommand> {
    let (mut color, mut role) = (None, None);
    let mut words = text.split_whitespace().peekable();
    words.peek()?;
    for word in words {
        let word = word.to_lowercase();
        let singular = word.strip_suffix('s').unwrap_or(&word);
        match singular {
            "white" => color = Some(Color::White),
            "black" => color = Some(Color::Black),
            "all" | "piece" => {}
            name => role = Some(Role::ALL.into_iter().find(|role| role.name() == name)?),
        }
    }
    Some(GameCommand::Where(color, role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_in_help_is_understood() {
        for (words, _) in COMMANDS {
            for line in words.split(", ") {
                let read = GameCommand::parse(line).unwrap();
                let is_move = words.starts_with("e4");
                let found = matches!(read, Some(GameCommand::Move(_)));
                assert_eq!(found, is_move, "{line}");
            }
        }
    }

    #[test]
    fn commands_are_suggested_for_typing_errors() {
        for (typed, meant) in [
            ("hnt", Some("hint")),
            ("hnit", Some("hint")),
            ("hitn", Some("hint")),
            ("hints", Some("hint")),
            ("udno", Some("undo")),
            ("reod", Some("redo")),
            ("reisgn", Some("resign")),
            ("analyze", Some("analyse")),
            ("xyzzy", None),
            ("e9", None),
        ] {
            assert_eq!(similar_command(typed), meant, "{typed}");
        }
        // A long line is not compared letter by letter.
        assert_eq!(similar_command(&"x".repeat(60_000)), None);
    }

    #[test]
    fn wrong_arguments_are_errors() {
        for (line, sentence) in [
            ("undo 3", "undo takes no argument; remove \"3\""),
            ("save", "save needs a file name, for example: save game.pgn"),
            ("level 0", "there is no level 0; choose 1 to 10"),
            ("level high", "there is no level high"),
            ("think hard", "think needs on or off"),
            ("why", "why needs a move"),
        ] {
            let error = GameCommand::parse(line).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{line}: {error}");
        }
        let file = GameCommand::Save("my games.pgn".into());
        assert_eq!(GameCommand::parse("save  my games.pgn"), Ok(Some(file)));
    }
}
