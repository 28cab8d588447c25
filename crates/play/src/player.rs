//! The players of a game.

use std::fmt;

use tabiya_engine::Level;
use tabiya_uci::EngineCommand;

/// One of the two players of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// A person at the keyboard, by name.
    Person(String),
    /// Tabiya's engine at a level.
    Computer(Level),
    /// Tabiya's engine at full strength and without its book, limited by depth and nodes.
    Limited {
        /// The depth limit, in plies.
        depth: u32,
        /// The node limit.
        nodes: u64,
    },
    /// Another UCI engine.
    Engine(EngineCommand),
}

impl Player {
    /// Creates a person with this name.
    pub fn person(name: &str) -> Self {
        Self::Person(name.to_owned())
    }

    /// Whether it is a person.
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Person(_))
    }

    /// The code in a record: `person`, `level 3`, `depth 2 nodes 5000` or `engine stockfish Hash=64`. A person's name
    /// has its own tag.
    pub(crate) fn code(&self) -> String {
        match self {
            Self::Person(_) => "person".to_owned(),
            Self::Computer(level) => format!("level {}", level.number()),
            Self::Limited { depth, nodes } => format!("depth {depth} nodes {nodes}"),
            Self::Engine(program) => format!("engine {program}"),
        }
    }

    /// Parses a [`code`](Self::code).
    pub(crate) fn from_code(code: &str, name: &str) -> Option<Self> {
        if code == "person" {
            return Some(Self::person(name));
        }
        if let Some(number) = code.strip_prefix("level ") {
            return Level::new(number.parse().ok()?).map(Self::Computer);
        }
        if let Some(bounds) = code.strip_prefix("depth ") {
            let (depth, nodes) = bounds.split_once(" nodes ")?;
            return Some(Self::Limited {
                depth: depth.parse().ok()?,
                nodes: nodes.parse().ok()?,
            });
        }
        EngineCommand::parse(code.strip_prefix("engine ")?).map(Self::Engine)
    }
}

/// The player's name.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(name) => f.write_str(name),
            Self::Computer(level) => write!(f, "Tabiya, {level}"),
            Self::Limited { depth, nodes } => {
                write!(f, "Tabiya (depth {depth}, {nodes} nodes)")
            }
            Self::Engine(program) => f.write_str(program.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        let engine = EngineCommand::parse("/usr/games/stockfish --quiet Hash=64").unwrap();
        for player in [
            Player::person("Ann"),
            Player::Computer(Level::FULL),
            Player::Computer(Level::ALL[0]),
            Player::Limited {
                depth: 2,
                nodes: 5_000,
            },
            Player::Engine(engine),
        ] {
            let name = player.to_string();
            assert_eq!(Player::from_code(&player.code(), &name), Some(player));
        }
        for wrong in ["", "level 11", "level x", "depth 2", "engine ", "robot"] {
            assert_eq!(Player::from_code(wrong, "?"), None, "{wrong}");
        }
    }
}
