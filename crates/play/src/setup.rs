//! The setup of a new game: who plays which side, from which position, with which clock.

use std::str::FromStr;
use std::time::Duration;

use tabiya_board::{Board, Color, GameHistory};
use tabiya_display::text::printable;
use tabiya_engine::Level;
use tabiya_notation::TimeControl;
use tabiya_uci::{ClientError, EngineCommand};
use thiserror::Error;

use crate::game::Game;
use crate::player::Player;

/// The side that a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SideChoice {
    /// White.
    #[default]
    White,
    /// Black.
    Black,
    /// White or Black at random.
    Random,
}

impl SideChoice {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::White, Self::Black, Self::Random];

    /// The name in the settings and on the command line.
    pub const fn code(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Random => "random",
        }
    }

    const fn color(self, seed: u64) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
            // Not one of the low bits, which choose the Chess960 position.
            Self::Random => Color::ALL[(seed >> 40 & 1) as usize],
        }
    }
}

/// A text that is not one of the choices. Prints the choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SetupChoiceError(&'static str);

impl FromStr for SideChoice {
    type Err = SetupChoiceError;

    fn from_str(text: &str) -> Result<Self, SetupChoiceError> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|side| text.trim().eq_ignore_ascii_case(side.code()));
        found.ok_or(SetupChoiceError("use white, black or random"))
    }
}

/// A Chess960 starting position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chess960Start {
    /// By its number, 0 to 959.
    Number(u16),
    /// At random.
    Random,
}

impl FromStr for Chess960Start {
    type Err = SetupChoiceError;

    fn from_str(text: &str) -> Result<Self, SetupChoiceError> {
        if text.eq_ignore_ascii_case("random") {
            return Ok(Self::Random);
        }
        let number = text.parse().ok().filter(|number| *number < 960);
        let error = SetupChoiceError("use a number from 0 to 959, or random");
        number.map(Self::Number).ok_or(error)
    }
}

/// The opponent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Opponent {
    /// Tabiya at a level.
    #[default]
    Computer,
    /// Another person at the same keyboard.
    Person,
    /// Another UCI engine.
    Engine(EngineCommand),
}

impl Opponent {
    /// Starts the opponent if it is an engine, to see whether it answers and has the options.
    pub fn check(&self) -> Result<(), OpponentError> {
        let Self::Engine(engine) = self else {
            return Ok(());
        };
        engine
            .start(HANDSHAKE)
            .map(drop)
            .map_err(|error| OpponentError {
                name: printable(engine.name()),
                error,
            })
    }
}

/// How long an engine may take to answer before the game begins.
const HANDSHAKE: Duration = Duration::from_secs(20);

/// An engine that cannot play.
#[derive(Debug, Error)]
#[error("cannot play against {name}: {error}")]
pub struct OpponentError {
    /// The name of the engine.
    pub name: String,
    /// The cause.
    pub error: ClientError,
}

impl FromStr for Opponent {
    type Err = SetupChoiceError;

    fn from_str(text: &str) -> Result<Self, SetupChoiceError> {
        match text.trim() {
            "computer" => Ok(Self::Computer),
            "person" | "human" => Ok(Self::Person),
            line => {
                let engine = EngineCommand::parse(line).map(Self::Engine);
                engine.ok_or(SetupChoiceError(
                    "use computer, person, or the command line of an engine",
                ))
            }
        }
    }
}

/// The setup of a new game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The starting position, possibly with moves already played.
    pub start: GameHistory,
    /// A Chess960 position to start from instead.
    pub chess960: Option<Chess960Start>,
    /// The side of the first player.
    pub side: SideChoice,
    /// The computer's level.
    pub level: Level,
    /// The time control.
    pub clock: TimeControl,
    /// The name of the person; `None` if the computer is the first player.
    pub person: Option<String>,
    /// The second player.
    pub opponent: Opponent,
}

impl GameSetup {
    /// Creates a game. The seed decides what is left to chance.
    pub fn game(&self, seed: u64) -> Game {
        let start = match self.chess960 {
            None => self.start.clone(),
            Some(Chess960Start::Number(number)) => Board::chess960_start(number).into(),
            Some(Chess960Start::Random) => Board::chess960_start((seed % 960) as u16).into(),
        };
        let computer = Player::Computer(self.level);
        let first = match &self.person {
            Some(name) => Player::person(name),
            None => computer.clone(),
        };
        let second = match &self.opponent {
            Opponent::Computer => computer,
            Opponent::Person => Player::person("Player 2"),
            Opponent::Engine(engine) => Player::Engine(engine.clone()),
        };
        let players = match self.side.color(seed) {
            Color::White => [first, second],
            Color::Black => [second, first],
        };
        Game::new(start, players, self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_parsed() {
        assert_eq!("Black".parse(), Ok(SideChoice::Black));
        assert_eq!("518".parse(), Ok(Chess960Start::Number(518)));
        assert_eq!("human".parse(), Ok(Opponent::Person));
        let error = "960".parse::<Chess960Start>().unwrap_err();
        assert_eq!(error.to_string(), "use a number from 0 to 959, or random");
        assert!("green".parse::<SideChoice>().is_err());
    }

    #[test]
    fn random_sides_depend_on_the_seed_only() {
        let colors: Vec<Color> = (0..4)
            .map(|seed| SideChoice::Random.color(seed << 40))
            .collect();
        assert_eq!(colors[..2], [Color::White, Color::Black]);
        assert_eq!(colors[..2], colors[2..]);
    }
}
