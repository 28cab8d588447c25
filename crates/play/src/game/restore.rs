//! Rebuilding a game from its record.

use std::time::Duration;

use tabiya_board::{Color, Move};

use super::{Game, MoveTime};
use crate::date_time::UtcDateTime;
use crate::termination::Termination;
use tabiya_notation::TimeControl;

/// Called for each item of a record, in order.
impl Game {
    pub(crate) fn set_started_at(&mut self, began: UtcDateTime) {
        self.started_at = began;
    }

    /// Replays a legal move.
    pub(crate) fn restore_move(&mut self, mv: Move) {
        let before = self.clock.at_turn_start(self.turn());
        self.history.play(mv);
        self.move_times.push(MoveTime {
            before,
            ..MoveTime::default()
        });
        self.draw_offer = self.draw_offer.filter(|&color| color != self.turn());
        self.clock.begin_turn();
    }

    /// Sets the time that the last move took, and the clock after it.
    pub(crate) fn restore_times(&mut self, spent: Option<Duration>, left: Option<Duration>) {
        let mover = !self.turn();
        let [spent, left] = [spent, left].map(|time| time.filter(|time| *time <= TimeControl::MAX));
        let Some(turn) = self.move_times.last_mut() else {
            return;
        };
        turn.spent = spent.or(turn.spent);
        turn.left = left.or(turn.left);
        if let Some(left) = left {
            self.clock.set_remaining(mover, left);
        }
    }

    pub(crate) fn restore_offer(&mut self, offer: Option<Color>) {
        self.draw_offer = offer;
    }

    /// Sets the time already used for the current move.
    pub(crate) fn restore_pause(&mut self, used: Duration) {
        let used = used.min(TimeControl::MAX);
        let turn = self.turn();
        let before = self.clock.at_turn_start(turn);
        self.clock.set_remaining(turn, before[turn.index()]);
        self.clock.begin_turn();
        self.clock.charge(turn, used);
    }

    pub(crate) fn restore_termination(&mut self, ending: Termination) {
        self.termination = Some(ending);
        self.draw_offer = None;
    }

    pub(crate) fn set_warning(&mut self, warning: String) {
        self.warning = Some(warning);
    }
}
