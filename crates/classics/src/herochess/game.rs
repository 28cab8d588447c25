//! A game of `tabiya_play`, with the player names and the ends of this program.

use std::fmt;
use std::ops::Deref;
use std::time::Instant;

use tabiya_board::{Board, Color, DrawClaim, GameHistory, Move, Outcome};
use tabiya_notation::GameResult;
use tabiya_play::{ActionError, Termination, TimeControl};

use super::players::Seats;

/// A game in progress and its players. It dereferences to a [`tabiya_play::Game`].
///
/// Threefold repetition and the fifty-move rule end the game without a claim.
#[derive(Clone, Debug)]
pub struct ConsoleGame {
    game: tabiya_play::Game,
    seats: Seats,
}

impl ConsoleGame {
    /// Starts a game between two people from a position.
    pub fn new(board: Board) -> Self {
        Self::start(board, Seats::default())
    }

    /// Starts a game from the initial position.
    pub(super) fn between(seats: Seats) -> Self {
        Self::start(Board::start(), seats)
    }

    fn start(board: Board, seats: Seats) -> Self {
        let game =
            tabiya_play::Game::new(GameHistory::new(board), seats.players(), TimeControl::None);
        let mut game = Self { game, seats };
        game.claim_draw();
        game
    }

    /// Returns the players.
    pub const fn seats(&self) -> &Seats {
        &self.seats
    }

    /// Returns the name of the player with a colour.
    pub(super) fn label(&self, color: Color) -> String {
        self.seats.label(color)
    }

    /// Plays a move for the side to move.
    pub fn play(&mut self, mv: Move) -> Result<(), ActionError> {
        self.game.play(mv, Instant::now())?;
        self.claim_draw();
        Ok(())
    }

    /// Ends the game if a draw can be claimed.
    fn claim_draw(&mut self) {
        // If there is nothing to claim, this is refused and changes nothing.
        let _ = self.game.claim_draw(Instant::now());
    }

    /// Returns whether the player to move can take back a move and the computer's reply.
    pub(super) fn can_take_back(&self) -> bool {
        !self.player(!self.turn()).is_person() && self.plies_to_take_back() > 0
    }

    /// Takes back the computer's last move and the move before it.
    pub(super) fn take_back(&mut self) -> Result<(), ActionError> {
        self.game.take_back(Instant::now()).map(drop)
    }

    /// Returns how the game ended, if it is over.
    pub fn end(&self) -> Option<HerochessEnd> {
        self.termination().map(HerochessEnd)
    }
}

/// A game between two people from the initial position.
impl Default for ConsoleGame {
    fn default() -> Self {
        Self::new(Board::start())
    }
}

/// There is no `DerefMut`: every change goes through the methods above, so that no draw is missed.
impl Deref for ConsoleGame {
    type Target = tabiya_play::Game;

    fn deref(&self) -> &Self::Target {
        &self.game
    }
}

/// Two games are equal if they have the same moves and players.
impl PartialEq for ConsoleGame {
    fn eq(&self, other: &Self) -> bool {
        self.history() == other.history() && self.seats == other.seats
    }
}

impl Eq for ConsoleGame {}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HerochessEnd(Termination);

impl HerochessEnd {
    /// Returns the winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        self.0.winner()
    }

    /// Returns the result: a win or a draw.
    pub fn result(self) -> GameResult {
        GameResult::from_winner(self.winner())
    }
}

/// Prints the reason alone, such as `checkmate` or `stalemate`.
impl fmt::Display for HerochessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Termination::Outcome(Outcome::Checkmate { .. }) => "checkmate",
            Termination::Outcome(Outcome::Stalemate) => "stalemate",
            Termination::Outcome(Outcome::InsufficientMaterial) => {
                "neither side has enough pieces to give mate"
            }
            Termination::Outcome(Outcome::SeventyFiveMoves) => {
                "seventy-five moves without a capture or a pawn move"
            }
            Termination::Outcome(Outcome::FivefoldRepetition) => {
                "the same position for the fifth time"
            }
            Termination::Claimed(DrawClaim::ThreefoldRepetition) => {
                "the same position for the third time"
            }
            Termination::Claimed(DrawClaim::FiftyMoves) => {
                "fifty moves without a capture or a pawn move"
            }
            // A console game has no other ends.
            other => return other.fmt(f),
        })
    }
}
