//! What all screens share: what the user prefers, and what only the program around them can do.

use std::cell::RefCell;
use std::error::Error;
use std::path::Path;
use std::rc::Rc;

use tabiya_board::Color;
use tabiya_play::{Game, Level, Player, TimeControl};

use crate::game::Manners;
use crate::replay::Source;

/// Which colour a person plays against the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seat {
    /// White, who begins.
    #[default]
    White,
    /// Black.
    Black,
    /// One or the other by chance.
    Random,
}

impl Seat {
    pub(crate) const ALL: [Self; 3] = [Self::White, Self::Black, Self::Random];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
            Self::Random => "by chance",
        }
    }

    fn color(self) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
            Self::Random if chance().is_multiple_of(2) => Color::White,
            Self::Random => Color::Black,
        }
    }
}

/// What the user prefers.
#[derive(Clone, Debug)]
pub struct Preferences {
    /// What the user is called.
    pub name: String,
    /// How strong the computer is.
    pub level: Level,
    /// Which colour the user plays.
    pub seat: Seat,
    /// The clock.
    pub control: TimeControl,
    /// How games go on.
    pub manners: Manners,
}

impl Preferences {
    /// A game against the computer.
    pub fn game(&self) -> Game {
        let person = Player::person(&self.name);
        let computer = Player::Computer(self.level);
        let players = match self.seat.color() {
            Color::White => [person, computer],
            Color::Black => [computer, person],
        };
        Game::new(tabiya_board::Line::default(), players, self.control)
    }

    /// A game of two persons at one board.
    pub fn game_of_two(&self) -> Game {
        let players = [Player::person("White"), Player::person("Black")];
        Game::new(tabiya_board::Line::default(), players, self.control)
    }
}

/// Opens a file of games.
pub type Open = dyn Fn(&Path) -> Result<Box<dyn Source>, Box<dyn Error>>;
/// Keeps what the user prefers, and the theme, for the next time.
pub type Keep = dyn Fn(&Preferences, &crate::Look) -> Result<(), Box<dyn Error>>;

/// What all screens share.
pub struct Home {
    /// What the user prefers.
    pub preferences: Preferences,
    /// Opens a file of games.
    pub open: Box<Open>,
    /// Keeps the preferences.
    pub keep: Box<Keep>,
}

pub(crate) type Shared = Rc<RefCell<Home>>;

/// A number that nobody can foresee.
pub(crate) fn chance() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // The standard library seeds its hash maps by chance.
    RandomState::new().hash_one(0)
}
