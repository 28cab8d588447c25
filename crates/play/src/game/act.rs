//! What can be done in a game.

use std::time::Instant;

use tabiya_board::{Color, Move};
use tabiya_notation::write_move;

use super::{Game, Turn};
use crate::ending::Ending;
use crate::event::Event;
use crate::player::Player;
use crate::record::Record;
use crate::refused::{MoveError, Refused, read_text};

/// Everything here returns what has happened, the record of it already written.
impl Game {
    /// Writes what happens from now on to a record. Nothing is written before something happens.
    pub fn keep(&mut self, record: Record) {
        self.record = Some(record);
    }

    /// Removes the record, because the game is somewhere else or not worth keeping.
    pub fn forget_record(&mut self) {
        if let Some(record) = self.record.take()
            && let Err(error) = record.remove()
        {
            self.trouble = Some(error.to_string());
        }
    }

    /// Lets the clock of the player to move run.
    pub fn start(&mut self, now: Instant) {
        if self.ending.is_none() {
            self.clock.start(self.turn(), now);
        }
    }

    /// Stops the clock, as at the end of a sitting. Where time counts, what has been used of it is recorded.
    pub fn pause(&mut self, now: Instant) {
        if self.clock.running().is_none() {
            return;
        }
        self.clock.stop(now);
        let used = self.clock.used(now);
        let is_timed = self.clock.control().at_start().is_some();
        // A game in which nothing has happened is not worth a record.
        if is_timed && self.record.as_ref().is_some_and(Record::is_begun) {
            self.write(&Event::Paused { used });
        }
    }

    /// Ends the game if the time of the player to move is up. It is for the caller to ask often enough;
    /// [`Clock::deadline`](crate::Clock::deadline) says when it will be worth it.
    pub fn check_flag(&mut self, now: Instant) -> Option<Event> {
        if self.ending.is_some() {
            return None;
        }
        let color = self.clock.fallen(now)?;
        let drawn = !self.board().can_mate_by_material(!color);
        Some(self.end(Ending::Flag { color, drawn }, now))
    }

    /// Plays a move of the player to move. What follows from it, such as the end of the game, comes with it.
    pub fn play(&mut self, mv: Move, now: Instant) -> Result<Vec<Event>, Refused> {
        self.require_going_on(now)?;
        self.board()
            .check(mv)
            .map_err(|refusal| Refused::Move(MoveError::Illegal(refusal)))?;
        let mover = self.turn();
        let san = write_move(self.board(), mv).to_string();
        let before = self.clock.at_turn_start(mover);
        let spent = self.clock.press(mover, now);
        let left = self.clock.left(mover, now);
        self.line.play(mv);
        self.turns.push(Turn {
            spent: Some(spent),
            left,
            before,
        });
        // Whoever moves does not want the draw that the other one offers.
        if self.offer == Some(!mover) {
            self.offer = None;
        }
        let moved = Event::Moved {
            mv,
            san,
            spent,
            left,
        };
        self.write(&moved);
        let mut events = vec![moved];
        if let Some(outcome) = self.line.outcome() {
            events.push(self.end(Ending::Rules(outcome), now));
        }
        Ok(events)
    }

    /// Plays a move that is written in SAN or by its squares.
    pub fn play_text(&mut self, text: &str, now: Instant) -> Result<Vec<Event>, Refused> {
        self.require_going_on(now)?;
        let mv = read_text(text, self.board())?;
        self.play(mv, now)
    }

    /// Takes back the last move of a person, and with it the answer of a computer. The clocks show again what they
    /// showed then.
    pub fn take_back(&mut self, now: Instant) -> Result<Event, Refused> {
        self.require_going_on(now)?;
        let plies = self.plies_to_take_back();
        if plies == 0 {
            return Err(Refused::NothingToTakeBack);
        }
        let mut shown = self.clock.at_turn_start(self.turn());
        for _ in 0..plies {
            self.line.undo();
            if let Some(turn) = self.turns.pop() {
                shown = turn.before;
            }
        }
        self.clock.set(shown, self.line.board().turn(), now);
        self.offer = None;
        let event = Event::TookBack { plies };
        self.write(&event);
        Ok(event)
    }

    /// A side gives up.
    pub fn resign(&mut self, color: Color, now: Instant) -> Result<Event, Refused> {
        self.require_going_on(now)?;
        Ok(self.end(Ending::Resigned(color), now))
    }

    /// Nobody wants to go on.
    pub fn abandon(&mut self, now: Instant) -> Result<Event, Refused> {
        self.require_going_on(now)?;
        Ok(self.end(Ending::Abandoned, now))
    }

    /// A side offers a draw. The offer stands until the other side answers it or moves.
    pub fn offer_draw(&mut self, color: Color, now: Instant) -> Result<Event, Refused> {
        self.require_going_on(now)?;
        match self.offer {
            Some(offered) if offered == color => Err(Refused::AlreadyOffered(color)),
            // Both want it.
            Some(_) => Ok(self.end(Ending::Agreed, now)),
            None => {
                self.offer = Some(color);
                let event = Event::Offered(color);
                self.write(&event);
                Ok(event)
            }
        }
    }

    /// A side takes the draw that the other one offers.
    pub fn accept_draw(&mut self, color: Color, now: Instant) -> Result<Event, Refused> {
        self.require_offer_to(color, now)?;
        Ok(self.end(Ending::Agreed, now))
    }

    /// A side does not want the draw that the other one offers.
    pub fn decline_draw(&mut self, color: Color, now: Instant) -> Result<Event, Refused> {
        self.require_offer_to(color, now)?;
        self.offer = None;
        let event = Event::Declined(color);
        self.write(&event);
        Ok(event)
    }

    /// The player to move claims a draw, by threefold repetition or after fifty moves.
    pub fn claim_draw(&mut self, now: Instant) -> Result<Event, Refused> {
        self.require_going_on(now)?;
        match self.claim() {
            Some(claim) => Ok(self.end(Ending::Claimed(claim), now)),
            None => Err(Refused::NothingToClaim {
                repetitions: self.line.repetitions(),
                halfmoves: self.board().halfmove_clock(),
            }),
        }
    }

    /// Whatever is meant by `draw`: the player to move claims it if that is possible; else the side takes the one that is
    /// offered, or offers one.
    pub fn draw(&mut self, color: Color, now: Instant) -> Result<Event, Refused> {
        if self.turn() == color && self.claim().is_some() {
            return self.claim_draw(now);
        }
        self.offer_draw(color, now)
    }

    /// Gives a colour to another player.
    pub fn seat(&mut self, color: Color, player: Player, now: Instant) -> Result<Event, Refused> {
        self.require_going_on(now)?;
        self.players[color.index()] = player.clone();
        self.offer = None;
        let event = Event::Seated { color, player };
        self.write(&event);
        Ok(event)
    }

    /// Lets the players change their colours.
    pub fn swap(&mut self, now: Instant) -> Result<[Event; 2], Refused> {
        let [white, black] = self.players.clone();
        let first = self.seat(Color::White, black, now)?;
        let second = self.seat(Color::Black, white, now)?;
        Ok([first, second])
    }

    /// Nothing happens in a game that is over, or in which the time is up.
    fn require_going_on(&mut self, now: Instant) -> Result<(), Refused> {
        self.check_flag(now);
        match self.ending {
            Some(ending) => Err(Refused::Over(ending)),
            None => Ok(()),
        }
    }

    fn require_offer_to(&mut self, color: Color, now: Instant) -> Result<(), Refused> {
        self.require_going_on(now)?;
        match self.offer {
            Some(offered) if offered != color => Ok(()),
            _ => Err(Refused::NoOffer),
        }
    }

    fn end(&mut self, ending: Ending, now: Instant) -> Event {
        self.clock.stop(now);
        self.ending = Some(ending);
        self.offer = None;
        let event = Event::Ended(ending);
        self.write(&event);
        event
    }

    /// Writes an event that has happened to the record.
    fn write(&mut self, event: &Event) {
        let Some(mut record) = self.record.take() else {
            return;
        };
        if let Err(error) = record.write(self, event) {
            self.trouble = Some(error.to_string());
        }
        self.record = Some(record);
    }
}
