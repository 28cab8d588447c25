//! The players and their colours.

use std::fmt;

use tabiya_board::Color;

/// The computer's level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AiLevel(u8);

impl AiLevel {
    /// The number of levels.
    pub const COUNT: u8 = Self::LIMITS.len() as u8;

    /// The depth in plies and the number of nodes that a level may search per move. Level 2 searches as deep as the
    /// original program did.
    const LIMITS: [(u32, u64); 6] = [
        (1, 1_000),
        (2, 5_000),
        (3, 20_000),
        (5, 100_000),
        (8, 500_000),
        (12, 2_000_000),
    ];

    /// Returns the level with a number. 1 is the weakest.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Parses the number of a level.
    pub(super) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().and_then(Self::new)
    }

    /// Returns this level as a player of `tabiya_play`.
    const fn player(self) -> tabiya_play::Player {
        let (depth, nodes) = Self::LIMITS[self.0 as usize - 1];
        tabiya_play::Player::Limited { depth, nodes }
    }
}

/// Level 3, a little stronger than the original program.
impl Default for AiLevel {
    fn default() -> Self {
        Self(3)
    }
}

impl fmt::Display for AiLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A person or the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// A person at the console.
    Person,
    /// The engine.
    Computer(AiLevel),
}

/// One of the two players of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConsolePlayer {
    /// A person or the computer.
    pub kind: PlayerKind,
    /// The name, in tournaments.
    pub name: Option<String>,
}

impl ConsolePlayer {
    /// Returns a player without a name.
    pub const fn unnamed(kind: PlayerKind) -> Self {
        Self { kind, name: None }
    }
}

/// The two players of a game and their colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seats {
    /// Player 1 and Player 2.
    pub players: [ConsolePlayer; 2],
    /// The colour of Player 1.
    pub first: Color,
}

impl Seats {
    /// Returns the number of the player with a colour, 1 or 2.
    pub fn number(&self, color: Color) -> usize {
        if color == self.first { 1 } else { 2 }
    }

    /// Returns the colour of player 1 or 2.
    pub fn color(&self, number: usize) -> Color {
        if number == 1 { self.first } else { !self.first }
    }

    /// Returns the player with a colour.
    pub fn player(&self, color: Color) -> &ConsolePlayer {
        &self.players[self.number(color) - 1]
    }

    /// Returns White and Black as players of `tabiya_play`.
    pub(super) fn players(&self) -> [tabiya_play::Player; 2] {
        Color::ALL.map(|color| match self.player(color).kind {
            PlayerKind::Person => tabiya_play::Player::Person(self.label(color)),
            PlayerKind::Computer(level) => level.player(),
        })
    }

    /// Returns the name of a player, or `Player 1` or `Player 2`.
    pub fn label(&self, color: Color) -> String {
        match &self.player(color).name {
            Some(name) => name.clone(),
            None => format!("Player {}", self.number(color)),
        }
    }
}

/// Two people. Player 1 has White.
impl Default for Seats {
    fn default() -> Self {
        Self {
            players: [PlayerKind::Person; 2].map(ConsolePlayer::unnamed),
            first: Color::White,
        }
    }
}
