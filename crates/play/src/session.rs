//! A game with everything around it: who thinks, where it is kept, what follows from what. Views are made of this.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabiya_board::{Color, Move};
use tabiya_engine::{Level, Score};

use crate::event::Event;
use crate::game::Game;
use crate::manners::{Manners, Mood, accepts_draw, is_short_of_time};
use crate::player::Player;
use crate::refused::Refused;
use crate::store::Store;
use crate::thinker::{Report, Thinker, Thinks};

/// A game that is being played, with the computers that play in it and the store that keeps it.
///
/// A person's actions are methods; each returns what came of it. In between, [`tick`](Self::tick) or
/// [`wait`](Self::wait) lets the computer move and the flag fall.
#[derive(Debug)]
pub struct Session {
    game: Game,
    store: Store,
    options: Options,
    manners: Manners,
    /// What White and Black make of the game, where they are computers.
    moods: [Mood; 2],
    /// Those who think for White and Black.
    thinkers: [Option<Thinker>; 2],
    /// Who thinks in place of the person to move.
    substitute: Option<Thinker>,
    /// What the computer expected when it was last asked.
    thinks: Option<Thinks>,
    /// Whether the player to move has failed: asking again would fail again.
    failed: bool,
    /// Whether the end of the game has been told.
    told: bool,
}

/// How the computer behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Decides what the computer chooses where it has a choice: the same game for the same seed.
    pub seed: u64,
    /// Whether a weak computer takes about as long for a move as a person.
    pub paced: bool,
}

/// Something that a view has to show.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum News {
    /// Something has happened in the game.
    Happened(Event),
    /// What the computer expects so far.
    Thinks(Thinks),
    /// The game has ended, and is in this collection now.
    Kept(PathBuf),
    /// A sentence about something that went wrong. The game goes on.
    Trouble(String),
}

impl Session {
    /// Plays a game. It gets a record in the store, unless it has one.
    pub fn new(mut game: Game, store: Store, options: Options) -> Self {
        if game.record().is_none() {
            game.keep(store.new_record());
        }
        let mood = Mood::new(&game);
        Self {
            game,
            store,
            options,
            manners: Manners::default(),
            moods: [mood.clone(), mood],
            thinkers: [None, None],
            substitute: None,
            thinks: None,
            failed: false,
            told: false,
        }
    }

    /// The same with computers that do more than move.
    #[must_use]
    pub const fn with_manners(mut self, manners: Manners) -> Self {
        self.manners = manners;
        self
    }

    /// The game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Where games are kept.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// What the computer expected last.
    pub const fn thinks(&self) -> Option<&Thinks> {
        self.thinks.as_ref()
    }

    /// Whether something can happen without the person: a computer thinks, or the time of somebody runs out.
    pub fn is_busy(&self) -> bool {
        let is_going_on = self.game.ending().is_none();
        is_going_on && (self.is_computers_turn() || self.game.clock().deadline().is_some())
    }

    /// Whether the computer is to move, for itself or in place of a person.
    pub fn is_computers_turn(&self) -> bool {
        let plays = |player: &Player| !player.is_person() || self.substitute.is_some();
        self.game.to_move().is_some_and(plays) && !self.failed
    }

    /// Begins another game. The one before is kept where it is.
    pub fn begin(&mut self, game: Game, now: Instant) {
        self.close(now);
        let seed = self.options.seed.wrapping_add(1);
        let options = Options {
            seed,
            ..self.options
        };
        *self = Self::new(game, self.store.clone(), options).with_manners(self.manners);
    }

    /// Ends the sitting: the clock stops. Says where an unfinished game is kept, from where it can be resumed.
    pub fn close(&mut self, now: Instant) -> Option<&Path> {
        self.rest();
        self.game.pause(now);
        let record = self.game.record()?;
        let is_kept = record.is_begun() && !record.is_failing() && self.game.ending().is_none();
        is_kept.then(|| record.path())
    }

    /// Lets the clock run, the computer begin to think, and what is due happen. A view calls this often.
    pub fn tick(&mut self, now: Instant) -> Vec<News> {
        self.proceed(now, Duration::ZERO)
    }

    /// The same, waiting so long for the computer where it is to move.
    pub fn wait(&mut self, most: Duration) -> Vec<News> {
        let until = Instant::now() + most;
        loop {
            let now = Instant::now();
            let next = self
                .game
                .clock()
                .deadline()
                .map_or(until, |at| at.min(until));
            // A moment more, because a flag falls behind its deadline and not on it.
            let pause = next.saturating_duration_since(now) + Duration::from_millis(1);
            let news = self.proceed(now, pause);
            if !news.is_empty() || Instant::now() >= until || !self.is_computers_turn() {
                return news;
            }
        }
    }

    fn proceed(&mut self, now: Instant, most: Duration) -> Vec<News> {
        let mut news = self.troubles();
        self.game.start(now);
        self.game.check_flag(now);
        self.tell_end(&mut news);
        if let Some(report) = self.ask(now, most) {
            let then = if most.is_zero() { now } else { Instant::now() };
            self.hear(report, then, &mut news);
        }
        news
    }

    /// What the computer says whose turn it is, if it is one's.
    fn ask(&mut self, now: Instant, most: Duration) -> Option<Report> {
        if !self.is_computers_turn() {
            return None;
        }
        let turn = self.game.turn();
        let thinker = if let Some(substitute) = &mut self.substitute {
            substitute
        } else {
            let player = self.game.player(turn);
            let seat = &mut self.thinkers[turn.index()];
            if seat
                .as_ref()
                .is_none_or(|thinker| thinker.player() != player)
            {
                let Options { seed, paced } = self.options;
                *seat = Thinker::new(player, seed ^ turn.index() as u64, paced);
            }
            seat.as_mut()?
        };
        if !thinker.is_thinking() {
            thinker.start(&self.game, now);
        }
        if most.is_zero() {
            thinker.poll(now)
        } else {
            thinker.wait(most)
        }
    }

    fn hear(&mut self, report: Report, now: Instant, news: &mut Vec<News>) {
        match report {
            Report::Thinks(thinks) => {
                self.thinks = Some(thinks.clone());
                news.push(News::Thinks(thinks));
            }
            Report::Move { mv, thinks } => {
                // Who plays in place of a person only moves.
                let is_own = self.substitute.take().is_none();
                let score = thinks.as_ref().map(|thinks| thinks.score);
                self.thinks = thinks;
                let done = if is_own {
                    self.move_or_end(mv, score, now)
                } else {
                    self.game.play(mv, now)
                };
                match done {
                    Ok(events) => self.tell(events, news),
                    // Its time was up.
                    Err(Refused::Over(_)) => self.tell_end(news),
                    Err(refused) => news.push(News::Trouble(refused.to_string())),
                }
            }
            Report::Failed(reason) => {
                self.substitute = None;
                self.failed = true;
                let turn = self.game.turn();
                self.thinkers[turn.index()] = None;
                news.push(News::Trouble(format!(
                    "{} cannot play: {reason}; choose a level to play against, or take back a move to try again",
                    self.game.player(turn)
                )));
            }
        }
    }

    /// Has the computer to move do what a person would, with what it thinks of the position: play the move, perhaps
    /// with an offer of a draw, or else resign or claim a draw.
    fn move_or_end(
        &mut self,
        mv: Move,
        score: Option<Score>,
        now: Instant,
    ) -> Result<Vec<Event>, Refused> {
        let mover = self.game.turn();
        let mood = &mut self.moods[mover.index()];
        mood.feel(score);
        if self.manners.resigns && mood.resigns(&self.game, now) {
            return Ok(vec![self.game.resign(mover, now)?]);
        }
        if self.manners.draws && mood.claims(&self.game) {
            return Ok(vec![self.game.claim_draw(now)?]);
        }
        let mut events = self.game.play(mv, now)?;
        if self.manners.draws && mood.offers(&self.game, now) {
            events.push(self.game.offer_draw(mover, now)?);
            events.extend(self.answer_offer(!mover, now)?);
        }
        Ok(events)
    }

    /// Answers the offer of a draw for a side that a computer plays; a person answers by themselves.
    fn answer_offer(&mut self, color: Color, now: Instant) -> Result<Option<Event>, Refused> {
        if self.game.player(color).is_person() {
            return Ok(None);
        }
        // Nobody gives a draw to an opponent who is about to lose on time.
        let accepts =
            !is_short_of_time(&self.game, !color, now) && accepts_draw(self.game.line(), color);
        let answer = if accepts {
            self.game.accept_draw(color, now)
        } else {
            self.game.decline_draw(color, now)
        };
        answer.map(Some)
    }

    /// Plays a move of the person to move.
    pub fn play(&mut self, mv: Move, now: Instant) -> Result<Vec<News>, Refused> {
        self.require_persons_turn()?;
        let events = self.game.play(mv, now);
        self.act(events)
    }

    /// Plays a move that is written in SAN or by its squares.
    pub fn play_text(&mut self, text: &str, now: Instant) -> Result<Vec<News>, Refused> {
        self.require_persons_turn()?;
        let events = self.game.play_text(text, now);
        self.act(events)
    }

    /// Takes back the last move of the person, and with it the answer of a computer.
    pub fn take_back(&mut self, now: Instant) -> Result<Vec<News>, Refused> {
        let event = self.game.take_back(now);
        self.change(event.map(|event| vec![event]))
    }

    /// The person gives up.
    pub fn resign(&mut self, now: Instant) -> Result<Vec<News>, Refused> {
        let person = self.person()?;
        let event = self.game.resign(person, now);
        self.act(event.map(|event| vec![event]))
    }

    /// The person wants a draw: claims it, takes the one that is offered, or offers one, which a computer answers at once.
    pub fn draw(&mut self, now: Instant) -> Result<Vec<News>, Refused> {
        let person = self.person()?;
        let mut events = self.game.draw(person, now).map(|event| vec![event]);
        let is_offered = self.game.offer() == Some(person);
        if let Ok(events) = &mut events
            && is_offered
        {
            events.extend(self.answer_offer(!person, now)?);
        }
        self.follow(events)
    }

    /// The person does not want the draw that is offered.
    pub fn decline(&mut self, now: Instant) -> Result<Vec<News>, Refused> {
        let person = self.person()?;
        let event = self.game.decline_draw(person, now);
        self.follow(event.map(|event| vec![event]))
    }

    /// The players change sides.
    pub fn swap(&mut self, now: Instant) -> Result<Vec<News>, Refused> {
        let events = self.game.swap(now);
        self.change(events.map(Vec::from))
    }

    /// The person plays against another level from now on. Where nobody is a person, both sides have this level.
    pub fn set_level(&mut self, level: Level, now: Instant) -> Result<Vec<News>, Refused> {
        let colors = match self.game.speaker() {
            Some(person) => vec![!person],
            None => Color::ALL.to_vec(),
        };
        let seat = |color| self.game.seat(color, Player::Computer(level), now);
        let events = colors.into_iter().map(seat).collect();
        self.change(events)
    }

    /// The computer plays the next move in place of the person.
    pub fn go(&mut self, now: Instant) -> Result<Vec<News>, Refused> {
        self.require_persons_turn()?;
        let other = self.game.player(!self.game.turn()).clone();
        let player = match other {
            Player::Person(_) => Player::Computer(Level::FULL),
            other => other,
        };
        self.substitute = Thinker::new(&player, self.options.seed, self.options.paced);
        Ok(self.tick(now))
    }

    /// The computer moves with what it has found so far.
    pub fn hurry(&mut self) {
        let seat = self.thinkers[self.game.turn().index()].as_mut();
        if let Some(thinker) = self.substitute.as_mut().or(seat) {
            thinker.hurry();
        }
    }

    /// Whose side the person is on who acts.
    fn person(&self) -> Result<Color, Refused> {
        match self.game.ending() {
            Some(ending) => Err(Refused::Over(ending)),
            None => self.game.speaker().ok_or(Refused::NoPerson),
        }
    }

    /// A person moves only for a person.
    fn require_persons_turn(&self) -> Result<(), Refused> {
        match self.game.to_move() {
            Some(player) if !player.is_person() => Err(Refused::NotYourTurn(self.game.turn())),
            _ => Ok(()),
        }
    }

    /// Follows up on an action after which the computers make up their minds about the game anew.
    fn change(&mut self, events: Result<Vec<Event>, Refused>) -> Result<Vec<News>, Refused> {
        if events.is_ok() {
            self.moods.fill(Mood::new(&self.game));
        }
        self.act(events)
    }

    /// Follows up on an action that changes the position or the players.
    fn act(&mut self, events: Result<Vec<Event>, Refused>) -> Result<Vec<News>, Refused> {
        if events.is_ok() {
            self.rest();
        }
        self.follow(events)
    }

    /// Follows up on an action. One that was refused because the time was up is news, too.
    fn follow(&mut self, events: Result<Vec<Event>, Refused>) -> Result<Vec<News>, Refused> {
        let mut news = Vec::new();
        match events {
            Ok(events) => self.tell(events, &mut news),
            Err(Refused::Over(_)) if !self.told => self.tell_end(&mut news),
            Err(refused) => return Err(refused),
        }
        Ok(news)
    }

    /// Nobody thinks any more.
    fn rest(&mut self) {
        self.substitute = None;
        self.failed = false;
        for thinker in self.thinkers.iter_mut().flatten() {
            thinker.stop();
        }
    }

    /// Tells what has happened.
    fn tell(&mut self, events: Vec<Event>, news: &mut Vec<News>) {
        let but_the_end = events
            .into_iter()
            .filter(|event| !matches!(event, Event::Ended(_)));
        news.extend(but_the_end.map(News::Happened));
        self.tell_end(news);
        news.extend(self.troubles());
    }

    /// Tells the end of the game, if it has ended and nobody knows. It goes to the collection.
    fn tell_end(&mut self, news: &mut Vec<News>) {
        let Some(ending) = self.game.ending().filter(|_| !self.told) else {
            return;
        };
        self.told = true;
        self.rest();
        news.push(News::Happened(Event::Ended(ending)));
        match self.store.finish(&mut self.game) {
            Ok(()) if self.game.line().moves().len() > 0 => {
                let path = self.store.collection().path().to_owned();
                news.push(News::Kept(path));
            }
            Ok(()) => {}
            Err(error) => {
                let record = self.game.record();
                let is_kept =
                    record.is_some_and(|record| record.is_begun() && !record.is_failing());
                let remedy = if is_kept {
                    "; its record is kept, and it is added when the next game begins"
                } else {
                    "; save it somewhere else"
                };
                news.push(News::Trouble(format!("{error}{remedy}")));
            }
        }
    }

    fn troubles(&mut self) -> Vec<News> {
        self.game
            .take_trouble()
            .map(News::Trouble)
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests;
