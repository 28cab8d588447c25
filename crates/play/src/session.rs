//! A game with its computer players and its store: what a user interface works with.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabiya_board::{Color, Move};
use tabiya_engine::Level;
use tabiya_notation::Score;
use tabiya_notation::uci::SearchInfo;

use crate::action_error::ActionError;
use crate::computer::{ComputerPlayer, PlayerUpdate};
use crate::event::GameEvent;
use crate::game::Game;
use crate::player::Player;
use crate::resign_draw::{ScoreTrend, accepts_draw, is_short_of_time};
use crate::store::Store;

/// A game in progress, with its computer players and the store that saves it.
///
/// Each action of a person is a method that returns the resulting events. Between actions, call [`tick`](Self::tick) or
/// [`wait`](Self::wait) so that the computer can move and flags can fall.
#[derive(Debug)]
pub struct Session {
    game: Game,
    store: Store,
    options: SessionOptions,
    /// White's and Black's recent scores, if they are computers.
    trends: [ScoreTrend; 2],
    /// The engines that play White and Black.
    computers: [Option<ComputerPlayer>; 2],
    /// The engine that plays one move for a person.
    substitute: Option<ComputerPlayer>,
    /// The computer's latest search info.
    search_info: Option<SearchInfo>,
    /// Whether the engine to move has failed. It is not asked again until the players or the position change.
    failed: bool,
    end_reported: bool,
    /// Whether the game that ended last was added to the collection.
    is_in_collection: bool,
}

/// How the computer behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionOptions {
    /// The seed of the computer's random choices. The same seed gives the same game.
    pub seed: u64,
    /// Whether the weaker levels take as long for a move as a person would.
    pub paced: bool,
    /// Whether the computer resigns lost positions.
    pub resigns: bool,
    /// Whether the computer offers and claims draws. It always answers offers.
    pub offers_draws: bool,
}

/// Something for a user interface to show.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum SessionEvent {
    /// Something happened in the game.
    Game(GameEvent),
    /// The computer's search has made progress.
    SearchInfo(SearchInfo),
    /// The finished game was added to this collection.
    AddedToCollection(PathBuf),
    /// Something went wrong, but the game continues.
    Warning(String),
}

impl Session {
    /// Starts a session. The game gets a record in the store unless it has one.
    pub fn new(mut game: Game, store: Store, options: SessionOptions) -> Self {
        if game.record().is_none() {
            game.set_record(store.new_record());
        }
        let trend = ScoreTrend::new(&game);
        Self {
            game,
            store,
            options,
            trends: [trend.clone(), trend],
            computers: [None, None],
            substitute: None,
            search_info: None,
            failed: false,
            end_reported: false,
            is_in_collection: false,
        }
    }

    /// The game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The store that saves the game.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// The computer's latest search info.
    pub const fn search_info(&self) -> Option<&SearchInfo> {
        self.search_info.as_ref()
    }

    /// Whether something can happen without user input: the computer is thinking or a clock is running.
    pub fn is_busy(&self) -> bool {
        let is_going_on = self.game.termination().is_none();
        is_going_on && (self.is_computers_turn() || self.game.clock().deadline().is_some())
    }

    /// Whether the computer is to move, for itself or for a person.
    pub fn is_computers_turn(&self) -> bool {
        let plays = |player: &Player| !player.is_person() || self.substitute.is_some();
        self.game.player_to_move().is_some_and(plays) && !self.failed
    }

    /// Starts another game. The current one stays saved.
    pub fn start_game(&mut self, game: Game, now: Instant) {
        self.close(now);
        let seed = self.options.seed.wrapping_add(1);
        let options = SessionOptions {
            seed,
            ..self.options
        };
        *self = Self::new(game, self.store.clone(), options);
    }

    /// Stops the clock and the engines. Returns the record of an unfinished game, which can be resumed from there.
    pub fn close(&mut self, now: Instant) -> Option<&Path> {
        self.stop_thinking();
        self.game.pause(now);
        let record = self.game.record()?;
        let is_kept =
            record.is_started() && !record.is_failing() && self.game.termination().is_none();
        is_kept.then(|| record.path())
    }

    /// Advances the game: starts the clock and the computer, and collects what has happened. Never blocks; call it
    /// often.
    pub fn tick(&mut self, now: Instant) -> Vec<SessionEvent> {
        self.advance(now, Duration::ZERO)
    }

    /// Like [`tick`](Self::tick), but waits for the computer to move, up to a time limit.
    pub fn wait(&mut self, most: Duration) -> Vec<SessionEvent> {
        let until = Instant::now() + most;
        loop {
            let now = Instant::now();
            let next = self
                .game
                .clock()
                .deadline()
                .map_or(until, |at| at.min(until));
            // A flag falls just after its deadline.
            let pause = next.saturating_duration_since(now) + Duration::from_millis(1);
            let events = self.advance(now, pause);
            if !events.is_empty() || Instant::now() >= until || !self.is_computers_turn() {
                return events;
            }
        }
    }

    fn advance(&mut self, now: Instant, most: Duration) -> Vec<SessionEvent> {
        let mut events = self.take_warnings();
        self.game.start(now);
        self.game.check_flag(now);
        self.report_end(&mut events);
        if let Some(report) = self.poll_computer(now, most) {
            let then = if most.is_zero() { now } else { Instant::now() };
            self.handle_update(report, then, &mut events);
        }
        events
    }

    /// Asks the computer to move for an update, if it is the computer's turn.
    fn poll_computer(&mut self, now: Instant, most: Duration) -> Option<PlayerUpdate> {
        if !self.is_computers_turn() {
            return None;
        }
        let turn = self.game.turn();
        let computer = if let Some(substitute) = &mut self.substitute {
            substitute
        } else {
            let player = self.game.player(turn);
            let seat = &mut self.computers[turn.index()];
            if seat
                .as_ref()
                .is_none_or(|computer| computer.player() != player)
            {
                let SessionOptions { seed, paced, .. } = self.options;
                *seat = ComputerPlayer::new(player, seed ^ turn.index() as u64, paced);
            }
            seat.as_mut()?
        };
        if !computer.is_thinking() {
            computer.start(&self.game, now);
        }
        if most.is_zero() {
            computer.poll(now)
        } else {
            computer.wait(most)
        }
    }

    fn handle_update(
        &mut self,
        report: PlayerUpdate,
        now: Instant,
        events: &mut Vec<SessionEvent>,
    ) {
        match report {
            PlayerUpdate::SearchInfo(thinks) => {
                self.search_info = Some(thinks.clone());
                events.push(SessionEvent::SearchInfo(thinks));
            }
            PlayerUpdate::Move {
                mv,
                search_info: thinks,
            } => {
                // An engine that plays for a person never resigns or offers draws for them.
                let is_own = self.substitute.take().is_none();
                let score = thinks.as_ref().map(|thinks| thinks.score);
                self.search_info = thinks;
                let done = if is_own {
                    self.move_or_end(mv, score, now)
                } else {
                    self.game.play(mv, now)
                };
                match done {
                    Ok(done) => self.report(done, events),
                    // The computer ran out of time.
                    Err(ActionError::GameOver(_)) => self.report_end(events),
                    Err(error) => events.push(SessionEvent::Warning(error.to_string())),
                }
            }
            PlayerUpdate::Failed(reason) => {
                self.substitute = None;
                self.failed = true;
                let turn = self.game.turn();
                self.computers[turn.index()] = None;
                events.push(SessionEvent::Warning(format!(
                    "{} cannot move: {reason}; choose a level to play against Tabiya, or take back a move to try again",
                    self.game.player(turn)
                )));
            }
        }
    }

    /// Plays the computer's move, possibly with a draw offer, or resigns or claims a draw instead.
    fn move_or_end(
        &mut self,
        mv: Move,
        score: Option<Score>,
        now: Instant,
    ) -> Result<Vec<GameEvent>, ActionError> {
        let mover = self.game.turn();
        let trend = &mut self.trends[mover.index()];
        trend.update(score);
        if self.options.resigns && trend.resigns(&self.game, now) {
            return Ok(vec![self.game.resign(mover, now)?]);
        }
        if self.options.offers_draws && trend.claims(&self.game) {
            return Ok(vec![self.game.claim_draw(now)?]);
        }
        let mut events = self.game.play(mv, now)?;
        if self.options.offers_draws && trend.offers(&self.game, now) {
            events.push(self.game.offer_draw(mover, now)?);
            events.extend(self.answer_offer(!mover, now)?);
        }
        Ok(events)
    }

    /// Answers a draw offer for a computer. A person answers for themselves.
    fn answer_offer(
        &mut self,
        color: Color,
        now: Instant,
    ) -> Result<Option<GameEvent>, ActionError> {
        if self.game.player(color).is_person() {
            return Ok(None);
        }
        // No draw for an opponent who is about to lose on time.
        let accepts =
            !is_short_of_time(&self.game, !color, now) && accepts_draw(self.game.history(), color);
        let answer = if accepts {
            self.game.accept_draw(color, now)
        } else {
            self.game.decline_draw(color, now)
        };
        answer.map(Some)
    }

    /// Plays a person's move.
    pub fn play(&mut self, mv: Move, now: Instant) -> Result<Vec<SessionEvent>, ActionError> {
        self.require_persons_turn()?;
        let events = self.game.play(mv, now);
        self.finish_board_action(events)
    }

    /// Plays a person's move, given in SAN or as two squares.
    pub fn play_text(
        &mut self,
        text: &str,
        now: Instant,
    ) -> Result<Vec<SessionEvent>, ActionError> {
        self.require_persons_turn()?;
        let events = self.game.play_text(text, now);
        self.finish_board_action(events)
    }

    /// Takes back the person's last move and the computer's reply.
    pub fn take_back(&mut self, now: Instant) -> Result<Vec<SessionEvent>, ActionError> {
        // A finished game is in the collection. What follows is another game.
        if self.game.record().is_none() {
            self.game.set_record(self.store.new_record());
        }
        let event = self.game.take_back(now);
        if event.is_ok() {
            self.end_reported = false;
        }
        self.finish_setup_action(event.map(|event| vec![event]))
    }

    /// Plays again what was taken back last.
    pub fn redo(&mut self, now: Instant) -> Result<Vec<SessionEvent>, ActionError> {
        let event = self.game.redo(now);
        if let (Ok(_), Some(ending)) = (&event, self.game.termination())
            && self.is_in_collection
        {
            // Don't add it again.
            self.end_reported = true;
            self.game.remove_record();
            let mut events = self.finish_setup_action(event.map(|event| vec![event]))?;
            events.push(SessionEvent::Game(GameEvent::Ended(ending)));
            return Ok(events);
        }
        self.finish_setup_action(event.map(|event| vec![event]))
    }

    /// Resigns for the person; of two people, for this one, or for the one to move.
    pub fn resign(
        &mut self,
        color: Option<Color>,
        now: Instant,
    ) -> Result<Vec<SessionEvent>, ActionError> {
        let person = match color {
            Some(color) if !self.game.player(color).is_person() => {
                return Err(ActionError::NotAPerson(color));
            }
            Some(color) => color,
            None => self.person()?,
        };
        let event = self.game.resign(person, now);
        self.finish_board_action(event.map(|event| vec![event]))
    }

    /// Claims a draw, accepts the opponent's offer, or offers one, for the person. A computer answers an offer at once;
    /// between two people, the next call accepts it.
    pub fn draw(&mut self, now: Instant) -> Result<Vec<SessionEvent>, ActionError> {
        let person = self.person_to_answer()?;
        let mut events = self.game.draw(person, now).map(|event| vec![event]);
        let is_offered = self.game.draw_offer() == Some(person);
        if let Ok(events) = &mut events
            && is_offered
        {
            events.extend(self.answer_offer(!person, now)?);
        }
        self.finish_action(events)
    }

    /// Declines the opponent's draw offer for the person.
    pub fn decline(&mut self, now: Instant) -> Result<Vec<SessionEvent>, ActionError> {
        let person = self.person_to_answer()?;
        let event = self.game.decline_draw(person, now);
        self.finish_action(event.map(|event| vec![event]))
    }

    /// Swaps the players' colours.
    pub fn swap_sides(&mut self, now: Instant) -> Result<Vec<SessionEvent>, ActionError> {
        let events = self.game.swap_sides(now);
        self.finish_setup_action(events.map(Vec::from))
    }

    /// Changes the opponent to a level. Without a person in the game, both sides change.
    pub fn set_level(
        &mut self,
        level: Level,
        now: Instant,
    ) -> Result<Vec<SessionEvent>, ActionError> {
        let colors = match self.game.person_to_act() {
            Some(person) => vec![!person],
            None => Color::ALL.to_vec(),
        };
        let seat = |color| self.game.set_player(color, Player::Computer(level), now);
        let events = colors.into_iter().map(seat).collect();
        self.finish_setup_action(events)
    }

    /// Lets the computer play the next move for the person.
    pub fn play_for_me(&mut self, now: Instant) -> Result<Vec<SessionEvent>, ActionError> {
        self.require_persons_turn()?;
        let other = self.game.player(!self.game.turn()).clone();
        let player = match other {
            Player::Person(_) => Player::Computer(Level::FULL),
            other => other,
        };
        self.substitute = ComputerPlayer::new(&player, self.options.seed, self.options.paced);
        Ok(self.tick(now))
    }

    /// Makes the computer move at once with the best move found so far.
    pub fn move_now(&mut self) {
        let seat = self.computers[self.game.turn().index()].as_mut();
        if let Some(computer) = self.substitute.as_mut().or(seat) {
            computer.move_now();
        }
    }

    /// The side of the person who acts.
    fn person(&self) -> Result<Color, ActionError> {
        match self.game.termination() {
            Some(ending) => Err(ActionError::GameOver(ending)),
            None => self.game.person_to_act().ok_or(ActionError::NoPerson),
        }
    }

    /// The side of the person who answers a draw offer, or else acts. Of two people, the offer is for the other one.
    fn person_to_answer(&self) -> Result<Color, ActionError> {
        let person = self.person()?;
        let answers = |offerer: &Color| self.game.player(!*offerer).is_person();
        Ok(match self.game.draw_offer().filter(answers) {
            Some(offerer) => !offerer,
            None => person,
        })
    }

    /// Fails if the computer is to move.
    fn require_persons_turn(&self) -> Result<(), ActionError> {
        match self.game.player_to_move() {
            Some(player) if !player.is_person() => Err(ActionError::NotYourTurn(self.game.turn())),
            _ => Ok(()),
        }
    }

    /// Follows up on a takeback or a change of players, after which earlier scores no longer count.
    fn finish_setup_action(
        &mut self,
        events: Result<Vec<GameEvent>, ActionError>,
    ) -> Result<Vec<SessionEvent>, ActionError> {
        if events.is_ok() {
            self.trends.fill(ScoreTrend::new(&self.game));
        }
        self.finish_board_action(events)
    }

    /// Follows up on an action that changes the position or the players.
    fn finish_board_action(
        &mut self,
        events: Result<Vec<GameEvent>, ActionError>,
    ) -> Result<Vec<SessionEvent>, ActionError> {
        if events.is_ok() {
            self.stop_thinking();
        }
        self.finish_action(events)
    }

    /// Follows up on an action. If it failed because time ran out, reports the end of the game instead.
    fn finish_action(
        &mut self,
        action: Result<Vec<GameEvent>, ActionError>,
    ) -> Result<Vec<SessionEvent>, ActionError> {
        let mut events = Vec::new();
        match action {
            Ok(done) => self.report(done, &mut events),
            Err(ActionError::GameOver(_)) if !self.end_reported => self.report_end(&mut events),
            Err(error) => return Err(error),
        }
        Ok(events)
    }

    /// Stops all engines.
    fn stop_thinking(&mut self) {
        self.substitute = None;
        self.failed = false;
        for computer in self.computers.iter_mut().flatten() {
            computer.stop();
        }
    }

    /// Adds events, the end of the game and warnings to the list.
    fn report(&mut self, done: Vec<GameEvent>, events: &mut Vec<SessionEvent>) {
        let without_end = done
            .into_iter()
            .filter(|event| !matches!(event, GameEvent::Ended(_)));
        events.extend(without_end.map(SessionEvent::Game));
        self.report_end(events);
        events.extend(self.take_warnings());
    }

    /// Reports the end of the game once, and adds the game to the collection.
    fn report_end(&mut self, events: &mut Vec<SessionEvent>) {
        let Some(ending) = self.game.termination().filter(|_| !self.end_reported) else {
            return;
        };
        self.end_reported = true;
        self.stop_thinking();
        events.push(SessionEvent::Game(GameEvent::Ended(ending)));
        let added = self.store.finish(&mut self.game);
        self.is_in_collection = added.is_ok();
        match added {
            Ok(()) if self.game.history().moves().len() > 0 => {
                let path = self.store.collection().path().to_owned();
                events.push(SessionEvent::AddedToCollection(path));
            }
            Ok(()) => {}
            Err(error) => {
                let record = self.game.record();
                let is_kept =
                    record.is_some_and(|record| record.is_started() && !record.is_failing());
                let remedy = if is_kept {
                    "; it is saved, and will be added when the next game starts"
                } else {
                    "; save it to another file"
                };
                events.push(SessionEvent::Warning(format!("{error}{remedy}")));
            }
        }
    }

    fn take_warnings(&mut self) -> Vec<SessionEvent> {
        self.game
            .take_warning()
            .map(SessionEvent::Warning)
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests;
