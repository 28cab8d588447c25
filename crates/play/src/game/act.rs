//! The actions of a game.

use std::time::Instant;

use tabiya_board::{Color, Move};
use tabiya_notation::write_san;

use super::{Game, MoveTime, Undone};
use crate::action_error::ActionError;
use crate::event::GameEvent;
use crate::parse_move::{ParseMoveError, parse_move};
use crate::player::Player;
use crate::record::GameRecord;
use crate::termination::Termination;

/// Each action returns what happened, after writing it to the record.
impl Game {
    /// Sets the record that events are written to, starting with the next event.
    pub fn set_record(&mut self, record: GameRecord) {
        self.record = Some(record);
    }

    /// Deletes the record.
    pub fn remove_record(&mut self) {
        if let Some(record) = self.record.take()
            && let Err(error) = record.remove()
        {
            self.warning = Some(error.to_string());
        }
    }

    /// Starts the clock of the side to move.
    pub fn start(&mut self, now: Instant) {
        if self.termination.is_none() {
            self.clock.start(self.turn(), now);
        }
    }

    /// Stops the clock, and records the time used for the current move.
    pub fn pause(&mut self, now: Instant) {
        if self.clock.running().is_none() {
            return;
        }
        self.clock.stop(now);
        let used = self.clock.used(now);
        let is_timed = self.clock.control().base().is_some();
        // A game without moves needs no record.
        if is_timed && self.record.as_ref().is_some_and(GameRecord::is_started) {
            self.write(&GameEvent::Paused { used });
        }
    }

    /// Ends the game if the side to move has run out of time. Callers ask at or after
    /// [`Clock::deadline`](crate::Clock::deadline).
    pub fn check_flag(&mut self, now: Instant) -> Option<GameEvent> {
        if self.termination.is_some() {
            return None;
        }
        let color = self.clock.flagged(now)?;
        let drawn = !self.board().has_mating_material(!color);
        Some(self.end(Termination::TimeForfeit { color, drawn }, now))
    }

    /// Plays a move. The events include the end of the game if the move ends it.
    pub fn play(&mut self, mv: Move, now: Instant) -> Result<Vec<GameEvent>, ActionError> {
        self.require_in_progress(now)?;
        self.board()
            .validate(mv)
            .map_err(|refusal| ActionError::Move(ParseMoveError::Illegal(refusal)))?;
        let mover = self.turn();
        let san = write_san(self.board(), mv).to_string();
        let before = self.clock.at_turn_start(mover);
        let spent = self.clock.press(mover, now);
        let left = self.clock.remaining(mover, now);
        self.history.play(mv);
        self.undone.clear();
        self.move_times.push(MoveTime {
            spent: Some(spent),
            left,
            before,
        });
        // Making a move declines the opponent's draw offer.
        if self.draw_offer == Some(!mover) {
            self.draw_offer = None;
        }
        let moved = GameEvent::Moved {
            mv,
            san,
            spent,
            left,
        };
        self.write(&moved);
        let mut events = vec![moved];
        if let Some(outcome) = self.history.outcome() {
            events.push(self.end(Termination::Outcome(outcome), now));
        }
        Ok(events)
    }

    /// Plays a move given in SAN or as two squares.
    pub fn play_text(&mut self, text: &str, now: Instant) -> Result<Vec<GameEvent>, ActionError> {
        self.require_in_progress(now)?;
        let mv = parse_move(text, self.board())?;
        self.play(mv, now)
    }

    /// Takes back a person's last move, together with the computer's reply, and resets the clocks to that point. Also
    /// after the game has ended: then it goes on.
    pub fn take_back(&mut self, now: Instant) -> Result<GameEvent, ActionError> {
        if let Some(GameEvent::Ended(ending)) = self.check_flag(now) {
            return Err(ActionError::GameOver(ending));
        }
        let plies = self.plies_to_take_back();
        if plies == 0 && !self.takes_back_end_only() {
            return Err(ActionError::NothingToTakeBack);
        }
        let clocks = self.clock.at_turn_start(self.turn());
        let mut shown = clocks;
        let mut moves = Vec::new();
        for _ in 0..plies {
            let undone = self.history.undo().zip(self.move_times.pop());
            if let Some((mv, turn)) = undone {
                shown = turn.before;
                moves.push((mv, turn));
            }
        }
        moves.reverse();
        self.undone.push(Undone {
            moves,
            clocks,
            termination: self.termination.take(),
        });
        self.clock.set(shown, self.turn(), now);
        self.draw_offer = None;
        let event = GameEvent::TakenBack { plies };
        self.write(&event);
        Ok(event)
    }

    /// Plays again what was taken back last, and sets the clocks as they were. A game that had ended has ended again.
    pub fn redo(&mut self, now: Instant) -> Result<GameEvent, ActionError> {
        self.require_in_progress(now)?;
        let Some(undone) = self.undone.pop() else {
            return Err(ActionError::NothingToRedo);
        };
        let plies = undone.moves.len();
        for (mv, turn) in undone.moves {
            self.history.play(mv);
            self.move_times.push(turn);
        }
        self.clock.set(undone.clocks, self.turn(), now);
        self.draw_offer = None;
        let event = GameEvent::Redone { plies };
        if let Some(ending) = undone.termination {
            self.clock.stop(now);
            self.termination = Some(ending);
        }
        self.write(&event);
        Ok(event)
    }

    /// Resigns for a side.
    pub fn resign(&mut self, color: Color, now: Instant) -> Result<GameEvent, ActionError> {
        self.require_in_progress(now)?;
        Ok(self.end(Termination::Resigned(color), now))
    }

    /// Ends the game without a result.
    pub fn abandon(&mut self, now: Instant) -> Result<GameEvent, ActionError> {
        self.require_in_progress(now)?;
        Ok(self.end(Termination::Abandoned, now))
    }

    /// Offers a draw. The offer stays open until the opponent answers or moves.
    pub fn offer_draw(&mut self, color: Color, now: Instant) -> Result<GameEvent, ActionError> {
        self.require_in_progress(now)?;
        match self.draw_offer {
            Some(offered) if offered == color => Err(ActionError::AlreadyOffered(color)),
            // Both sides want a draw.
            Some(_) => Ok(self.end(Termination::Agreed, now)),
            None => {
                self.draw_offer = Some(color);
                let event = GameEvent::DrawOffered(color);
                self.write(&event);
                Ok(event)
            }
        }
    }

    /// Accepts the opponent's draw offer.
    pub fn accept_draw(&mut self, color: Color, now: Instant) -> Result<GameEvent, ActionError> {
        self.require_offer_to(color, now)?;
        Ok(self.end(Termination::Agreed, now))
    }

    /// Declines the opponent's draw offer.
    pub fn decline_draw(&mut self, color: Color, now: Instant) -> Result<GameEvent, ActionError> {
        self.require_offer_to(color, now)?;
        self.draw_offer = None;
        let event = GameEvent::DrawDeclined(color);
        self.write(&event);
        Ok(event)
    }

    /// Claims a draw by threefold repetition or the fifty-move rule for the side to move.
    pub fn claim_draw(&mut self, now: Instant) -> Result<GameEvent, ActionError> {
        self.require_in_progress(now)?;
        match self.claimable_draw() {
            Some(claim) => Ok(self.end(Termination::Claimed(claim), now)),
            None => Err(ActionError::NoDrawToClaim {
                repetitions: self.history.repetitions(),
                halfmoves: self.board().halfmove_clock(),
            }),
        }
    }

    /// Claims a draw if possible, otherwise accepts the opponent's offer, otherwise offers a draw.
    pub fn draw(&mut self, color: Color, now: Instant) -> Result<GameEvent, ActionError> {
        if self.turn() == color && self.claimable_draw().is_some() {
            return self.claim_draw(now);
        }
        self.offer_draw(color, now)
    }

    /// Changes the player of a colour.
    pub fn set_player(
        &mut self,
        color: Color,
        player: Player,
        now: Instant,
    ) -> Result<GameEvent, ActionError> {
        self.require_in_progress(now)?;
        self.players[color.index()] = player.clone();
        self.draw_offer = None;
        let event = GameEvent::PlayerChanged { color, player };
        self.write(&event);
        Ok(event)
    }

    /// Swaps the players' colours.
    pub fn swap_sides(&mut self, now: Instant) -> Result<[GameEvent; 2], ActionError> {
        let [white, black] = self.players.clone();
        let first = self.set_player(Color::White, black, now)?;
        let second = self.set_player(Color::Black, white, now)?;
        Ok([first, second])
    }

    /// Fails if the game is over or the side to move has run out of time.
    fn require_in_progress(&mut self, now: Instant) -> Result<(), ActionError> {
        self.check_flag(now);
        match self.termination {
            Some(ending) => Err(ActionError::GameOver(ending)),
            None => Ok(()),
        }
    }

    fn require_offer_to(&mut self, color: Color, now: Instant) -> Result<(), ActionError> {
        self.require_in_progress(now)?;
        match self.draw_offer {
            Some(offered) if offered != color => Ok(()),
            _ => Err(ActionError::NoDrawOffered),
        }
    }

    fn end(&mut self, ending: Termination, now: Instant) -> GameEvent {
        self.clock.stop(now);
        self.termination = Some(ending);
        self.draw_offer = None;
        let event = GameEvent::Ended(ending);
        self.write(&event);
        event
    }

    /// Writes an event to the record.
    fn write(&mut self, event: &GameEvent) {
        let Some(mut record) = self.record.take() else {
            return;
        };
        if let Err(error) = record.write(self, event) {
            self.warning = Some(error.to_string());
        }
        self.record = Some(record);
    }
}
