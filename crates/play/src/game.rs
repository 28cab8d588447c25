//! The game itself.

mod act;
mod restore;
mod write;

use std::time::{Duration, SystemTime};

use tabiya_board::{Board, Claim, Color, Line, Move};
use tabiya_notation::{Opening, opening_of};

use crate::clock::{Clock, TimeControl};
use crate::ending::Ending;
use crate::material::Material;
use crate::moment::Moment;
use crate::player::Player;
use crate::record::Record;

pub(crate) use write::{ID, SEATS, is_chess960};

/// A game in progress: the moves, the players, the clock and the record.
#[derive(Debug)]
pub struct Game {
    line: Line,
    /// What is known about each move.
    turns: Vec<Turn>,
    players: [Player; 2],
    clock: Clock,
    /// Who has offered a draw that is not answered yet.
    offer: Option<Color>,
    ending: Option<Ending>,
    /// When the game began.
    began: Moment,
    record: Option<Record>,
    /// What the record has to complain about, until somebody asks.
    trouble: Option<String>,
}

/// What is known about a move besides the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// How long it took; nothing for moves that were there before the game began.
    pub spent: Option<Duration>,
    /// What the clock of the player showed afterwards.
    pub left: Option<Duration>,
    /// What both clocks showed when the turn began.
    before: [Duration; 2],
}

impl Game {
    /// A game that goes on from the end of a line: the usual start, another position, or moves that were played already.
    /// The clock does not run before [`start`](Self::start).
    pub fn new(line: Line, players: [Player; 2], control: TimeControl) -> Self {
        let clock = Clock::new(control);
        let turn = Turn {
            before: clock.at_turn_start(line.board().turn()),
            ..Turn::default()
        };
        Self {
            turns: vec![turn; line.played().len()],
            ending: line.outcome().map(Ending::Rules),
            line,
            players,
            clock,
            offer: None,
            began: Moment::of(SystemTime::now()),
            record: None,
            trouble: None,
        }
    }

    /// The moves.
    pub const fn line(&self) -> &Line {
        &self.line
    }

    /// The board now.
    pub const fn board(&self) -> &Board {
        self.line.board()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.board().turn()
    }

    /// What is known about each move besides the move.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The last move.
    pub fn last_move(&self) -> Option<Move> {
        self.line.moves().next_back()
    }

    /// White and Black.
    pub const fn players(&self) -> &[Player; 2] {
        &self.players
    }

    /// Who plays a colour.
    pub const fn player(&self, color: Color) -> &Player {
        &self.players[color.index()]
    }

    /// Who is to move; nobody when the game is over.
    pub fn to_move(&self) -> Option<&Player> {
        match self.ending {
            Some(_) => None,
            None => Some(self.player(self.turn())),
        }
    }

    /// The clocks.
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// How the game has ended, if it has.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Who has offered a draw that is not answered yet.
    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// The draw that the player to move may claim.
    pub fn claim(&self) -> Option<Claim> {
        self.line.claim().filter(|_| self.ending.is_none())
    }

    /// For whom somebody in front of the screen speaks: the player to move if that is a person, else the other one if
    /// that is a person, else nobody.
    pub fn speaker(&self) -> Option<Color> {
        let turn = self.turn();
        [turn, !turn]
            .into_iter()
            .find(|&color| self.player(color).is_person())
    }

    /// How many plies a takeback takes back now: against a computer as many as lead to the last turn of the person,
    /// else one; none where there is nothing to take back.
    pub fn plies_to_take_back(&self) -> usize {
        let played = self.line.moves().len();
        if self.ending.is_some() {
            return 0;
        }
        match self.speaker() {
            Some(person) if person == self.turn() && !self.player(!person).is_person() => {
                // With one ply played it was the computer's, who would only play again.
                if played >= 2 { 2 } else { 0 }
            }
            _ => played.min(1),
        }
    }

    /// The opening that has been played, if it has a name.
    pub fn opening(&self) -> Option<Opening> {
        let boards = self.line.played().iter().map(|(board, _)| board);
        opening_of(boards.chain([self.board()]))
    }

    /// What has been captured, and who has more.
    pub fn material(&self) -> Material {
        Material::of(&self.line)
    }

    /// When the game began.
    pub const fn began(&self) -> Moment {
        self.began
    }

    /// The record on disk, if the game has one.
    pub const fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// What went wrong with the record since this was last asked: the game goes on, but somebody should know. A trouble
    /// that lasts is told once.
    pub fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }
}

/// A game that is not recorded yet, and does not know of the record that the other one has.
impl Clone for Game {
    fn clone(&self) -> Self {
        Self {
            line: self.line.clone(),
            turns: self.turns.clone(),
            players: self.players.clone(),
            clock: self.clock.clone(),
            offer: self.offer,
            ending: self.ending,
            began: self.began,
            record: None,
            trouble: None,
        }
    }
}
