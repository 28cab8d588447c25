//! Who plays, and with which colour.

use std::fmt;

use tabiya_board::Color;

/// How strong the computer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(u8);

impl Level {
    /// The number of levels.
    pub const COUNT: u8 = Self::LIMITS.len() as u8;

    /// Plies and positions that a level looks at, for each move: whichever is reached first. Level 2 looks as far as the
    /// original program did.
    const LIMITS: [(u32, u64); 6] = [
        (1, 1_000),
        (2, 5_000),
        (3, 20_000),
        (5, 100_000),
        (8, 500_000),
        (12, 2_000_000),
    ];

    /// The level of a number from 1, the weakest.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The level of a digit.
    pub(super) fn read(text: &str) -> Option<Self> {
        text.parse().ok().and_then(Self::new)
    }

    /// The computer at this level, as a game knows it.
    const fn player(self) -> tabiya_play::Player {
        let (depth, nodes) = Self::LIMITS[self.0 as usize - 1];
        tabiya_play::Player::Bounded { depth, nodes }
    }
}

/// The third: a little stronger than the original program.
impl Default for Level {
    fn default() -> Self {
        Self(3)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A person or the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Someone at the console.
    Person,
    /// The engine.
    Computer(Level),
}

/// One of the two players of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// What plays.
    pub kind: Kind,
    /// A name, where players have one, as in a tournament.
    pub name: Option<String>,
}

impl Player {
    /// A player without a name.
    pub const fn unnamed(kind: Kind) -> Self {
        Self { kind, name: None }
    }
}

/// The two players of a game and their colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seats {
    /// Player 1 and Player 2.
    pub players: [Player; 2],
    /// The colour of Player 1.
    pub first: Color,
}

impl Seats {
    /// The number of the player who has a colour, 1 or 2.
    pub fn number(&self, color: Color) -> usize {
        if color == self.first { 1 } else { 2 }
    }

    /// The colour of the player of a number.
    pub fn color(&self, number: usize) -> Color {
        if number == 1 { self.first } else { !self.first }
    }

    /// The player who has a colour.
    pub fn player(&self, color: Color) -> &Player {
        &self.players[self.number(color) - 1]
    }

    /// White and Black, as a game knows them.
    pub(super) fn players(&self) -> [tabiya_play::Player; 2] {
        Color::ALL.map(|color| match self.player(color).kind {
            Kind::Person => tabiya_play::Player::Person(self.label(color)),
            Kind::Computer(level) => level.player(),
        })
    }

    /// How a player is spoken to: by name, or as Player 1 or 2.
    pub fn label(&self, color: Color) -> String {
        match &self.player(color).name {
            Some(name) => name.clone(),
            None => format!("Player {}", self.number(color)),
        }
    }
}

/// Two people, the first of whom has White.
impl Default for Seats {
    fn default() -> Self {
        Self {
            players: [Kind::Person; 2].map(Player::unnamed),
            first: Color::White,
        }
    }
}
