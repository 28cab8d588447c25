//! What happens in a game.

use std::time::Duration;

use tabiya_board::{Color, Move};

use crate::ending::Ending;
use crate::player::Player;

/// Something that has happened in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A move was played.
    Moved {
        /// The move.
        mv: Move,
        /// The move in SAN.
        san: String,
        /// How long it took.
        spent: Duration,
        /// What the clock of the player shows now; nothing without a clock.
        left: Option<Duration>,
    },
    /// Moves were taken back.
    TookBack {
        /// How many, of both sides together.
        plies: usize,
    },
    /// This side offers a draw.
    Offered(Color),
    /// This side does not want the draw that the other one offers.
    Declined(Color),
    /// Somebody else plays a colour from now on.
    Seated {
        /// The colour.
        color: Color,
        /// Who plays it.
        player: Player,
    },
    /// The game is interrupted, and its clock with it.
    Paused {
        /// What the player to move has used of this turn.
        used: Duration,
    },
    /// The game is over.
    Ended(Ending),
}
