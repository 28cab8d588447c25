//! Who plays.

use std::fmt;

use tabiya_engine::Level;
use tabiya_uci::Program;

/// One of the two players of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// Someone in front of the screen, with a name.
    Person(String),
    /// Our engine at a level.
    Computer(Level),
    /// Our engine without a book or a handicap, bounded for each move by what it looks at.
    Bounded {
        /// Plies to look ahead at the most.
        depth: u32,
        /// Positions to look at, at the most.
        nodes: u64,
    },
    /// Another program that speaks UCI.
    Engine(Program),
}

impl Player {
    /// A person of this name.
    pub fn person(name: &str) -> Self {
        Self::Person(name.to_owned())
    }

    /// Whether it is a person.
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Person(_))
    }

    /// The player as a record tells it: `person`, `level 3`, `depth 2 nodes 5000` or `engine stockfish Hash=64`. The name
    /// of a person stands elsewhere.
    pub(crate) fn code(&self) -> String {
        match self {
            Self::Person(_) => "person".to_owned(),
            Self::Computer(level) => format!("level {}", level.number()),
            Self::Bounded { depth, nodes } => format!("depth {depth} nodes {nodes}"),
            Self::Engine(program) => format!("engine {program}"),
        }
    }

    /// Reads what [`code`](Self::code) writes.
    pub(crate) fn of_code(code: &str, name: &str) -> Option<Self> {
        if code == "person" {
            return Some(Self::person(name));
        }
        if let Some(number) = code.strip_prefix("level ") {
            return Level::new(number.parse().ok()?).map(Self::Computer);
        }
        if let Some(bounds) = code.strip_prefix("depth ") {
            let (depth, nodes) = bounds.split_once(" nodes ")?;
            return Some(Self::Bounded {
                depth: depth.parse().ok()?,
                nodes: nodes.parse().ok()?,
            });
        }
        Program::read(code.strip_prefix("engine ")?).map(Self::Engine)
    }
}

/// The name: of a person, of a level, of a program.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(name) => f.write_str(name),
            Self::Computer(level) => write!(f, "Tabiya, {level}"),
            Self::Bounded { depth, nodes } => {
                write!(f, "Tabiya, {depth} plies or {nodes} positions ahead")
            }
            Self::Engine(program) => f.write_str(program.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_as_they_are_written() {
        let engine = Program::read("/usr/games/stockfish --quiet Hash=64").unwrap();
        for player in [
            Player::person("Ann"),
            Player::Computer(Level::FULL),
            Player::Computer(Level::ALL[0]),
            Player::Bounded {
                depth: 2,
                nodes: 5_000,
            },
            Player::Engine(engine),
        ] {
            let name = player.to_string();
            assert_eq!(Player::of_code(&player.code(), &name), Some(player));
        }
        for wrong in ["", "level 11", "level x", "depth 2", "engine ", "robot"] {
            assert_eq!(Player::of_code(wrong, "?"), None, "{wrong}");
        }
    }
}
