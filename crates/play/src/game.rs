//! The game itself.

mod act;
mod restore;
mod write;

use std::time::{Duration, SystemTime};

use tabiya_board::{Board, Color, DrawClaim, GameHistory, Move};
use tabiya_notation::{Opening, opening_of_game};

use tabiya_notation::TimeControl;

use crate::clock::Clock;
use crate::date_time::UtcDateTime;
use crate::material::Material;
use crate::player::Player;
use crate::record::GameRecord;
use crate::termination::Termination;

pub(crate) use write::{ID_TAG, PLAYER_TAGS, is_chess960};

/// A game in progress: the moves, the players, the clock and the record.
#[derive(Debug)]
pub struct Game {
    history: GameHistory,
    /// The time each move took.
    move_times: Vec<MoveTime>,
    players: [Player; 2],
    clock: Clock,
    /// The side whose draw offer is open.
    draw_offer: Option<Color>,
    termination: Option<Termination>,
    /// What was taken back, the latest last, for [`redo`](Self::redo).
    undone: Vec<Undone>,
    started_at: UtcDateTime,
    record: Option<GameRecord>,
    /// A problem with the record that has not been reported yet.
    warning: Option<String>,
}

/// The time a move took, and what the clock showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveTime {
    /// How long it took; `None` for moves played before this game started.
    pub spent: Option<Duration>,
    /// The player's remaining time after the move.
    pub left: Option<Duration>,
    /// Both players' remaining time before the move.
    before: [Duration; 2],
}

/// What a takeback removed.
#[derive(Clone, Debug)]
struct Undone {
    moves: Vec<(Move, MoveTime)>,
    /// Both players' remaining time before the takeback.
    clocks: [Duration; 2],
    /// The end of the game, if it had ended.
    termination: Option<Termination>,
}

impl Game {
    /// Creates a game that continues a history: the initial position, any other position, or some moves.
    /// The clock stands still until [`start`](Self::start).
    pub fn new(line: GameHistory, players: [Player; 2], control: TimeControl) -> Self {
        let clock = Clock::new(control);
        let turn = MoveTime {
            before: clock.at_turn_start(line.board().turn()),
            ..MoveTime::default()
        };
        Self {
            move_times: vec![turn; line.played().len()],
            termination: line.outcome().map(Termination::Outcome),
            history: line,
            players,
            clock,
            draw_offer: None,
            undone: Vec::new(),
            started_at: UtcDateTime::of(SystemTime::now()),
            record: None,
            warning: None,
        }
    }

    /// The moves and positions so far.
    pub const fn history(&self) -> &GameHistory {
        &self.history
    }

    /// The current position.
    pub const fn board(&self) -> &Board {
        self.history.board()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.board().turn()
    }

    /// The time each move took.
    pub fn move_times(&self) -> &[MoveTime] {
        &self.move_times
    }

    /// The last move.
    pub fn last_move(&self) -> Option<Move> {
        self.history.moves().next_back()
    }

    /// White and Black.
    pub const fn players(&self) -> &[Player; 2] {
        &self.players
    }

    /// The player of a colour.
    pub const fn player(&self, color: Color) -> &Player {
        &self.players[color.index()]
    }

    /// The player to move; `None` when the game is over.
    pub fn player_to_move(&self) -> Option<&Player> {
        match self.termination {
            Some(_) => None,
            None => Some(self.player(self.turn())),
        }
    }

    /// The clocks.
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Why the game ended; `None` while it is in progress.
    pub const fn termination(&self) -> Option<Termination> {
        self.termination
    }

    /// The side whose draw offer is open.
    pub const fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// The draw that the side to move may claim.
    pub fn claimable_draw(&self) -> Option<DrawClaim> {
        self.history.claim().filter(|_| self.termination.is_none())
    }

    /// The side that a person's command applies to: the side to move if a person plays it, otherwise the other side if
    /// a person plays that.
    pub fn person_to_act(&self) -> Option<Color> {
        let turn = self.turn();
        [turn, !turn]
            .into_iter()
            .find(|&color| self.player(color).is_person())
    }

    /// The side at the bottom of the board: Black if only Black is a person, otherwise White.
    pub fn viewpoint(&self) -> Color {
        match &self.players {
            [white, black] if black.is_person() && !white.is_person() => Color::Black,
            _ => Color::White,
        }
    }

    /// Whether a takeback undoes the end of the game and no move: a person resigned or agreed to a draw.
    pub(crate) fn takes_back_end_only(&self) -> bool {
        match self.termination {
            Some(Termination::Resigned(color)) => self.player(color).is_person(),
            Some(Termination::Agreed | Termination::Abandoned) => true,
            _ => false,
        }
    }

    /// How many plies a takeback undoes: against a computer, back to the person's last turn; otherwise one. Zero if
    /// there is nothing to take back, or only a resignation or an agreed draw.
    pub fn plies_to_take_back(&self) -> usize {
        let played = self.history.moves().len();
        if self.takes_back_end_only() {
            return 0;
        }
        match self.person_to_act() {
            Some(person) if person == self.turn() && !self.player(!person).is_person() => {
                // If only the computer has moved, it would just move again.
                if played >= 2 { 2 } else { 0 }
            }
            _ => played.min(1),
        }
    }

    /// Whether there are moves to play again after a takeback.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The opening played, if it has a name.
    pub fn opening(&self) -> Option<Opening> {
        let boards = self.history.played().iter().map(|(board, _)| board);
        opening_of_game(boards.chain([self.board()]))
    }

    /// The captured pieces and the material balance.
    pub fn material(&self) -> Material {
        Material::of(&self.history)
    }

    /// When the game started.
    pub const fn started_at(&self) -> UtcDateTime {
        self.started_at
    }

    /// The record on disk, if the game has one.
    pub const fn record(&self) -> Option<&GameRecord> {
        self.record.as_ref()
    }

    /// Takes the warning about the record that is pending, if any. The game continues. A lasting problem is reported
    /// once.
    pub fn take_warning(&mut self) -> Option<String> {
        self.warning.take()
    }
}

/// The clone has no record.
impl Clone for Game {
    fn clone(&self) -> Self {
        Self {
            history: self.history.clone(),
            move_times: self.move_times.clone(),
            players: self.players.clone(),
            clock: self.clock.clone(),
            draw_offer: self.draw_offer,
            termination: self.termination,
            undone: self.undone.clone(),
            started_at: self.started_at,
            record: None,
            warning: None,
        }
    }
}
