//! Events of a game.

use std::time::Duration;

use tabiya_board::{Color, Move};

use crate::player::Player;
use crate::termination::Termination;

/// Something that happened in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameEvent {
    /// A move was played.
    Moved {
        /// The move.
        mv: Move,
        /// The move in SAN.
        san: String,
        /// How long it took.
        spent: Duration,
        /// The player's remaining time; `None` without a clock.
        left: Option<Duration>,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many half-moves; none if only the end of the game was.
        plies: usize,
    },
    /// Moves that were taken back are played again.
    Redone {
        /// How many half-moves.
        plies: usize,
    },
    /// This side offers a draw.
    DrawOffered(Color),
    /// This side declines the draw offer.
    DrawDeclined(Color),
    /// Another player takes over a colour.
    PlayerChanged {
        /// The colour.
        color: Color,
        /// The new player.
        player: Player,
    },
    /// The clock was stopped.
    Paused {
        /// The time used for the current move.
        used: Duration,
    },
    /// The game is over.
    Ended(Termination),
}
