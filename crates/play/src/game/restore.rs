//! A game as it was before the program ended.

use std::time::Duration;

use tabiya_board::{Color, Move};

use super::{Game, Turn};
use crate::clock::LONGEST;
use crate::ending::Ending;
use crate::moment::Moment;

/// What is read from a record, one thing after the other.
impl Game {
    pub(crate) fn set_began(&mut self, began: Moment) {
        self.began = began;
    }

    /// A legal move that was played.
    pub(crate) fn restore_move(&mut self, mv: Move) {
        let before = self.clock.at_turn_start(self.turn());
        self.line.play(mv);
        self.turns.push(Turn {
            before,
            ..Turn::default()
        });
        self.offer = self.offer.filter(|&color| color != self.turn());
        self.clock.begin_turn();
    }

    /// What the last move took, and what the clock showed afterwards.
    pub(crate) fn restore_times(&mut self, spent: Option<Duration>, left: Option<Duration>) {
        let mover = !self.turn();
        let [spent, left] = [spent, left].map(|time| time.filter(|time| *time <= LONGEST));
        let Some(turn) = self.turns.last_mut() else {
            return;
        };
        turn.spent = spent.or(turn.spent);
        turn.left = left.or(turn.left);
        if let Some(left) = left {
            self.clock.set_left(mover, left);
        }
    }

    pub(crate) fn restore_offer(&mut self, offer: Option<Color>) {
        self.offer = offer;
    }

    /// What the player to move had used of the turn.
    pub(crate) fn restore_pause(&mut self, used: Duration) {
        let used = used.min(LONGEST);
        let turn = self.turn();
        let before = self.clock.at_turn_start(turn);
        self.clock.set_left(turn, before[turn.index()]);
        self.clock.begin_turn();
        self.clock.charge(turn, used);
    }

    pub(crate) fn restore_ending(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.offer = None;
    }

    pub(crate) fn set_trouble(&mut self, trouble: String) {
        self.trouble = Some(trouble);
    }
}
