//! The record of a game: a readable text file that can be loaded again.

use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};

use tabiya_board::{Color, GameHistory, Move, Role, Square};
use tabiya_play::UtcDateTime;
use thiserror::Error;

use super::game::ConsoleGame;
use super::picture;
use super::players::{AiLevel, ConsolePlayer, PlayerKind, Seats};
use super::turn::find_move;

/// The start of the first line.
const PROGRAM: &str = "HeroChess, Tabiya ";
/// How many file names to try before giving up.
const MAX_NAMES: usize = 1000;

/// A game and its players, as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HerochessRecord {
    version: String,
    file: String,
    date: String,
    game: ConsoleGame,
}

/// Why a record cannot be loaded.
#[derive(Debug, Error)]
pub enum HerochessRecordError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// A line is wrong.
    #[error("line {line}: {problem}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// The reason.
        problem: String,
    },
    /// The file ends too early.
    #[error("the file ends too early: line {line} should be {expected:?}")]
    Truncated {
        /// The number of the missing line.
        line: usize,
        /// The expected line.
        expected: String,
    },
}

impl HerochessRecord {
    /// Loads a file.
    pub fn read(path: &Path) -> Result<Self, HerochessRecordError> {
        Self::parse(&tabiya_files::read_text(&tabiya_files::open(path)?)?)
    }

    /// Parses the text of a file. Every line must be exactly as we would write it.
    pub fn parse(text: &str) -> Result<Self, HerochessRecordError> {
        let lines: Vec<&str> = text.lines().collect();
        let field = |line: usize, name: &str| {
            let content = lines
                .get(line - 1)
                .ok_or_else(|| HerochessRecordError::Truncated {
                    line,
                    expected: format!("{name}…"),
                })?;
            let value = content.strip_prefix(name);
            value.ok_or_else(|| HerochessRecordError::Line {
                line,
                problem: match line {
                    1 => format!("this is not the record of a game, which starts with {name:?}"),
                    _ => format!("it should start with {name:?}"),
                },
            })
        };
        let version = field(1, PROGRAM)?.to_owned();
        let file = field(2, "File: ")?.to_owned();
        let date = field(3, "Date: ")?.to_owned();
        let (first, one) = parse_player(field(4, "Player 1: ")?, 4)?;
        let (second, two) = parse_player(field(5, "Player 2: ")?, 5)?;
        if first == second {
            return Err(HerochessRecordError::Line {
                line: 5,
                problem: format!("both players have {first}"),
            });
        }
        let mut record = Self {
            version,
            file,
            date,
            game: ConsoleGame::between(Seats {
                players: [one, two],
                first,
            }),
        };
        for (number, line) in (1..).zip(&lines).skip(5) {
            if line.contains(" moved from ") {
                let played = record.replay_line(line);
                played.map_err(|problem| HerochessRecordError::Line {
                    line: number,
                    problem,
                })?;
            }
        }
        // Everything else follows from the moves.
        let written = record.to_string();
        for (number, expected) in (1..).zip(written.lines()) {
            match lines.get(number - 1) {
                None => {
                    return Err(HerochessRecordError::Truncated {
                        line: number,
                        expected: expected.to_owned(),
                    });
                }
                Some(line) if *line != expected => {
                    return Err(HerochessRecordError::Line {
                        line: number,
                        problem: format!("it should be {expected:?}, not {line:?}"),
                    });
                }
                Some(_) => {}
            }
        }
        let count = written.lines().count();
        if lines.len() > count {
            return Err(HerochessRecordError::Line {
                line: count + 1,
                problem: "the record should have ended before this line".to_owned(),
            });
        }
        Ok(record)
    }

    /// Plays the move that a line describes.
    fn replay_line(&mut self, line: &str) -> Result<(), String> {
        let unreadable =
            || format!("{line:?} is not a move as in \"Player 1 moved from e2 to e4.\"");
        let (from, to, promotion) = parse_move(line).ok_or_else(unreadable)?;
        if self.game.end().is_some() {
            return Err("the game ended before this move".to_owned());
        }
        let found = find_move(self.game.board(), from, to, promotion);
        let mv = found.map_err(|refusal| format!("the move is not legal: {refusal}"))?;
        let expected = self.describe_move(self.game.turn(), mv);
        if line != expected {
            return Err(format!("it should be {expected:?}, not {line:?}"));
        }
        self.game
            .play(mv)
            .map_err(|error| format!("the move cannot be played: {error}"))
    }

    /// Saves a game to a new file and returns its path. Never overwrites a file.
    pub(super) fn save(
        folder: &Path,
        moment: UtcDateTime,
        game: &ConsoleGame,
    ) -> io::Result<PathBuf> {
        let stem = format!("herochess-{}", moment.file_stem());
        let numbered = (2..=MAX_NAMES).map(|number| format!("{stem}-{number}.txt"));
        for name in std::iter::once(format!("{stem}.txt")).chain(numbered) {
            let path = folder.join(&name);
            let record = Self {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                file: name,
                date: moment.to_string(),
                game: game.clone(),
            };
            match tabiya_files::create_new(&path, &record.to_string()) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                written => return written.map(|()| path),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Returns the game.
    pub const fn game(&self) -> &ConsoleGame {
        &self.game
    }

    /// Returns the players.
    pub const fn seats(&self) -> &Seats {
        self.game.seats()
    }

    /// Describes a move. Records call the players by number, even if they have names.
    fn describe_move(&self, mover: Color, mv: Move) -> String {
        describe_move(&format!("Player {}", self.seats().number(mover)), mv)
    }

    /// Returns the description of each move and the board after it.
    pub(super) fn moves(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let mut line = GameHistory::new(*self.game.history().start());
        let played = self.game.history().played().iter();
        played.map(move |&(board, mv)| {
            line.play(mv);
            (self.describe_move(board.turn(), mv), picture::draw(&line))
        })
    }

    /// Returns the lines before the moves.
    pub(super) fn heading(&self) -> String {
        let players = (1..).zip(&self.seats().players).map(|(number, player)| {
            let color = self.seats().color(number);
            format!("Player {number}: {color}, {}", describe_player(player))
        });
        let lines = [
            format!("{PROGRAM}{}", self.version),
            format!("File: {}", self.file),
            format!("Date: {}", self.date),
        ];
        lines
            .into_iter()
            .chain(players)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Returns the last line: the winner.
    pub(super) fn result(&self) -> String {
        match self.game.end().map(|end| (end, end.winner())) {
            Some((end, Some(winner))) => {
                let number = self.seats().number(winner);
                format!("Winner: Player {number} ({winner}), by {end}")
            }
            Some((end, None)) => format!("Winner: nobody, a draw ({end})"),
            None => "Winner: nobody yet, the game is not finished".to_owned(),
        }
    }
}

/// Prints the whole file.
impl fmt::Display for HerochessRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.heading())?;
        for (moved, board) in self.moves() {
            writeln!(f, "{moved}\n{board}\n")?;
        }
        writeln!(f, "{}", self.result())
    }
}

/// Describes a move: `Player 1 moved from e2 to e4.`
pub(super) fn describe_move(player: &str, mv: Move) -> String {
    let mut text = format!("{player} moved from {} to {}", mv.from(), mv.to());
    if let Some(role) = mv.promotion() {
        // Writing to a String cannot fail.
        let _ = write!(text, " and promoted to {}", role.upper_char());
    }
    text.push('.');
    text
}

/// Parses the description of a move: the squares, and what a pawn promotes to.
fn parse_move(line: &str) -> Option<(Square, Square, Option<Role>)> {
    let (_, squares) = line.split_once(" moved from ")?;
    let (from, to) = squares.strip_suffix('.')?.split_once(" to ")?;
    let (to, promotion) = match to.split_once(" and promoted to ") {
        Some((to, letter)) => (to, Some(Role::from_char(letter.chars().next()?)?)),
        None => (to, None),
    };
    Some((from.parse().ok()?, to.parse().ok()?, promotion))
}

/// Describes a player: `person`, `AI level 3` or `person, Ann`.
fn describe_player(player: &ConsolePlayer) -> String {
    let kind = match player.kind {
        PlayerKind::Person => "person".to_owned(),
        PlayerKind::Computer(level) => format!("AI level {level}"),
    };
    match &player.name {
        Some(name) => format!("{kind}, {name}"),
        None => kind,
    }
}

/// Parses the text after `Player 1: `.
fn parse_player(text: &str, line: usize) -> Result<(Color, ConsolePlayer), HerochessRecordError> {
    let read = || {
        let (color, rest) = text.split_once(", ")?;
        let color = Color::ALL
            .into_iter()
            .find(|known| known.to_string() == color)?;
        let (kind, name) = match rest.split_once(", ") {
            Some((kind, name)) => (kind, Some(name.to_owned())),
            None => (rest, None),
        };
        let kind = match kind.strip_prefix("AI level ") {
            Some(level) => PlayerKind::Computer(AiLevel::parse(level)?),
            None if kind == "person" => PlayerKind::Person,
            None => return None,
        };
        Some((color, ConsolePlayer { kind, name }))
    };
    read().ok_or_else(|| HerochessRecordError::Line {
        line,
        problem: format!(
            "{text:?} is not a player as in \"White, person\" or \"Black, AI level {}\"",
            AiLevel::default()
        ),
    })
}
