//! The record of a game: a text file that people can read and that can be read back.

use std::fmt::{self, Write};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tabiya_board::{Color, Line, Move, Role, Square};
use tabiya_play::{Moment, whole_file};
use thiserror::Error;

use super::game::Game;
use super::picture;
use super::players::{Kind, Level, Player, Seats};
use super::turn::find;

/// What the first line starts with.
const PROGRAM: &str = "HeroChess, Tabiya ";
/// So many names are tried for a file before it is given up.
const MOST_NAMES: usize = 1000;

/// A game with its players, as it is in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    version: String,
    file: String,
    date: String,
    game: Game,
}

/// Why a file is not a record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// A line is not what it should be.
    #[error("line {line}: {problem}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The file ends too early.
    #[error("the file breaks off: there should be a line {line}, {expected:?}")]
    BrokenOff {
        /// The number of the line that is missing.
        line: usize,
        /// What it should be.
        expected: String,
    },
}

impl Record {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        Self::parse(&whole_file::read_text(&File::open(path)?)?)
    }

    /// Reads the text of a file. Every line has to be what it is when it is written.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let lines: Vec<&str> = text.lines().collect();
        let field = |line: usize, name: &str| {
            let content = lines.get(line - 1).ok_or_else(|| RecordError::BrokenOff {
                line,
                expected: format!("{name}…"),
            })?;
            let value = content.strip_prefix(name);
            value.ok_or_else(|| RecordError::Line {
                line,
                problem: match line {
                    1 => format!("this is not a record of a game: it would start with {name:?}"),
                    _ => format!("it should start with {name:?}"),
                },
            })
        };
        let version = field(1, PROGRAM)?.to_owned();
        let file = field(2, "File: ")?.to_owned();
        let date = field(3, "Date: ")?.to_owned();
        let (first, one) = read_player(field(4, "Player 1: ")?, 4)?;
        let (second, two) = read_player(field(5, "Player 2: ")?, 5)?;
        if first == second {
            return Err(RecordError::Line {
                line: 5,
                problem: format!("both players have {first}"),
            });
        }
        let mut record = Self {
            version,
            file,
            date,
            game: Game::between(Seats {
                players: [one, two],
                first,
            }),
        };
        for (number, line) in (1..).zip(&lines).skip(5) {
            if line.contains(" moved from ") {
                let played = record.replay_line(line);
                played.map_err(|problem| RecordError::Line {
                    line: number,
                    problem,
                })?;
            }
        }
        // What is not a move follows from the moves.
        let written = record.to_string();
        for (number, expected) in (1..).zip(written.lines()) {
            match lines.get(number - 1) {
                None => {
                    return Err(RecordError::BrokenOff {
                        line: number,
                        expected: expected.to_owned(),
                    });
                }
                Some(line) if *line != expected => {
                    return Err(RecordError::Line {
                        line: number,
                        problem: format!("it should be {expected:?}, not {line:?}"),
                    });
                }
                Some(_) => {}
            }
        }
        let count = written.lines().count();
        if lines.len() > count {
            return Err(RecordError::Line {
                line: count + 1,
                problem: "the record should end before it".to_owned(),
            });
        }
        Ok(record)
    }

    /// Plays the move that a line tells of.
    fn replay_line(&mut self, line: &str) -> Result<(), String> {
        let unreadable =
            || format!("{line:?} is not a move as in \"Player 1 moved from e2 to e4.\"");
        let (from, to, promotion) = read_sentence(line).ok_or_else(unreadable)?;
        if self.game.end().is_some() {
            return Err("the game has ended before this move".to_owned());
        }
        let found = find(self.game.board(), from, to, promotion);
        let mv = found.map_err(|refusal| format!("the move is not legal: {refusal}"))?;
        let expected = self.sentence(self.game.turn(), mv);
        if line != expected {
            return Err(format!("it should be {expected:?}, not {line:?}"));
        }
        self.game
            .play(mv)
            .map_err(|refused| format!("the move cannot be played: {refused}"))
    }

    /// Writes the record of a game to a new file, whose path it gives. No file is ever written over.
    pub(super) fn save(folder: &Path, moment: Moment, game: &Game) -> io::Result<PathBuf> {
        let stem = format!("herochess-{}", moment.compact());
        let numbered = (2..=MOST_NAMES).map(|number| format!("{stem}-{number}.txt"));
        for name in std::iter::once(format!("{stem}.txt")).chain(numbered) {
            let path = folder.join(&name);
            let record = Self {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                file: name,
                date: moment.to_string(),
                game: game.clone(),
            };
            match whole_file::create(&path, &record.to_string()) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                written => return written.map(|()| path),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Who plays it.
    pub const fn seats(&self) -> &Seats {
        self.game.seats()
    }

    /// What is written about a move: players are numbers here, even where they have names.
    fn sentence(&self, mover: Color, mv: Move) -> String {
        sentence(&format!("Player {}", self.seats().number(mover)), mv)
    }

    /// What is written about each move, and the board after it.
    pub(super) fn moves(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let mut line = Line::new(*self.game.line().start());
        let played = self.game.line().played().iter();
        played.map(move |&(board, mv)| {
            line.play(mv);
            (self.sentence(board.turn(), mv), picture::draw(&line))
        })
    }

    /// The lines before the moves.
    pub(super) fn heading(&self) -> String {
        let players = (1..).zip(&self.seats().players).map(|(number, player)| {
            let color = self.seats().color(number);
            format!("Player {number}: {color}, {}", describe(player))
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

    /// The last line: the winner.
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

/// The whole text of the file.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.heading())?;
        for (moved, board) in self.moves() {
            writeln!(f, "{moved}\n{board}\n")?;
        }
        writeln!(f, "{}", self.result())
    }
}

/// What is said of a move: `Player 1 moved from e2 to e4.`
pub(super) fn sentence(player: &str, mv: Move) -> String {
    let mut text = format!("{player} moved from {} to {}", mv.from(), mv.to());
    if let Some(role) = mv.promotion() {
        // Writing to memory does not fail.
        let _ = write!(text, " and promoted to {}", role.upper_char());
    }
    text.push('.');
    text
}

/// The squares of a sentence, and what a pawn becomes.
fn read_sentence(line: &str) -> Option<(Square, Square, Option<Role>)> {
    let (_, squares) = line.split_once(" moved from ")?;
    let (from, to) = squares.strip_suffix('.')?.split_once(" to ")?;
    let (to, promotion) = match to.split_once(" and promoted to ") {
        Some((to, letter)) => (to, Some(Role::from_char(letter.chars().next()?)?)),
        None => (to, None),
    };
    Some((from.parse().ok()?, to.parse().ok()?, promotion))
}

/// What plays, and its name: `person`, `AI level 3`, `person, Ann`.
fn describe(player: &Player) -> String {
    let kind = match player.kind {
        Kind::Person => "person".to_owned(),
        Kind::Computer(level) => format!("AI level {level}"),
    };
    match &player.name {
        Some(name) => format!("{kind}, {name}"),
        None => kind,
    }
}

/// Reads what comes behind `Player 1: `.
fn read_player(text: &str, line: usize) -> Result<(Color, Player), RecordError> {
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
            Some(level) => Kind::Computer(Level::read(level)?),
            None if kind == "person" => Kind::Person,
            None => return None,
        };
        Some((color, Player { kind, name }))
    };
    read().ok_or_else(|| RecordError::Line {
        line,
        problem: format!(
            "{text:?} is not a player as in \"White, person\" or \"Black, AI level {}\"",
            Level::default()
        ),
    })
}
