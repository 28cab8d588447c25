//! The game at the console: one of `tabiya_play`, with the names and the ends that this program gives it.

use std::fmt;
use std::ops::Deref;
use std::time::Instant;

use tabiya_board::{Board, Claim, Color, Line, Move, Outcome};
use tabiya_play::{Ending, Refused, TimeControl};

use super::players::Seats;

/// A game in progress and who plays it. What can be asked about a [`tabiya_play::Game`] can be asked about this one.
///
/// Nobody has to claim a draw: the third time of a position and fifty moves without progress end the game by themselves.
#[derive(Clone, Debug)]
pub struct Game {
    game: tabiya_play::Game,
    seats: Seats,
}

impl Game {
    /// A game of two people that starts here.
    pub fn new(board: Board) -> Self {
        Self::start(board, Seats::default())
    }

    /// A game from the first move.
    pub(super) fn between(seats: Seats) -> Self {
        Self::start(Board::start(), seats)
    }

    fn start(board: Board, seats: Seats) -> Self {
        let game = tabiya_play::Game::new(Line::new(board), seats.players(), TimeControl::None);
        let mut game = Self { game, seats };
        game.claim_draw();
        game
    }

    /// Who plays it.
    pub const fn seats(&self) -> &Seats {
        &self.seats
    }

    /// How the player who has a colour is spoken to.
    pub(super) fn label(&self, color: Color) -> String {
        self.seats.label(color)
    }

    /// Plays a move of the player to move.
    pub fn play(&mut self, mv: Move) -> Result<(), Refused> {
        self.game.play(mv, Instant::now())?;
        self.claim_draw();
        Ok(())
    }

    /// Ends the game if a draw can be claimed.
    fn claim_draw(&mut self) {
        // Where there is none it is refused, and the game goes on.
        let _ = self.game.claim_draw(Instant::now());
    }

    /// Whether the player to move can take back a move together with the computer's answer.
    pub(super) fn can_take_back(&self) -> bool {
        !self.player(!self.turn()).is_person() && self.plies_to_take_back() > 0
    }

    /// Takes back the last move of the computer and the one before it.
    pub(super) fn take_back(&mut self) -> Result<(), Refused> {
        self.game.take_back(Instant::now()).map(drop)
    }

    /// How the game has ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.ending().map(End)
    }
}

/// A game of two people from the first move.
impl Default for Game {
    fn default() -> Self {
        Self::new(Board::start())
    }
}

/// To ask only: what is done to the game is done here, so that no end is missed.
impl Deref for Game {
    type Target = tabiya_play::Game;

    fn deref(&self) -> &Self::Target {
        &self.game
    }
}

/// The same moves by the same players: all else follows.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.line() == other.line() && self.seats == other.seats
    }
}

impl Eq for Game {}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End(Ending);

impl End {
    /// Who has won; nobody in a draw.
    pub const fn winner(self) -> Option<Color> {
        self.0.winner()
    }
}

/// The reason alone: `checkmate`, `stalemate`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Ending::Rules(Outcome::Checkmate { .. }) => "checkmate",
            Ending::Rules(Outcome::Stalemate) => "stalemate",
            Ending::Rules(Outcome::DeadPosition) => "neither side has enough pieces to give mate",
            Ending::Rules(Outcome::SeventyFiveMoves) => {
                "seventy-five moves without a capture or a pawn move"
            }
            Ending::Rules(Outcome::FivefoldRepetition) => "the same position for the fifth time",
            Ending::Claimed(Claim::ThreefoldRepetition) => "the same position for the third time",
            Ending::Claimed(Claim::FiftyMoves) => "fifty moves without a capture or a pawn move",
            // Games at the console do not end in other ways.
            other => return other.fmt(f),
        })
    }
}
