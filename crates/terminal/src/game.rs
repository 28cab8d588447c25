//! A game on the screen: two players, of whom the computer may be one.

mod act;
mod view;

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use tabiya_board::{Bitboard, Color};
use tabiya_engine::Signal;
use tabiya_notation::write_move;
use tabiya_play::{Event, Game, Hint, Player, Report, Store, Thinker, Thinks};

use crate::app::{Input, Screen, Step};
use crate::board::Place;
use crate::hand::{Grasp, Hand};
use crate::home::Shared;
use crate::keys::{Key, KeyBar};
use crate::look::Look;
use crate::overlay;
use crate::prompt::Prompt;
use crate::scene::{Message, Worth, sentence};
use crate::thinker::{Question, Thinker as Analyst};

/// What a game on the screen is like besides the players and the clock.
#[derive(Clone, Debug)]
pub struct Manners {
    /// Whether a weak computer takes about as long for a move as a person.
    pub paced: bool,
    /// Whether what the computer thinks is shown.
    pub shows_thinking: bool,
    /// Whether the bar that tells what a position is worth is shown.
    pub shows_worth: bool,
    /// Where games are kept; nowhere if there is no such place.
    pub store: Option<Store>,
}

/// The keys of a game, the most important first.
const KEYS: [Key; 11] = [
    Key::plain(KeyCode::Char('?'), "help"),
    Key::plain(KeyCode::Esc, "menu"),
    Key::control('t', "hint"),
    Key::control('u', "undo"),
    Key::control('f', "flip"),
    Key::control('e', "eval"),
    Key::control('d', "draw"),
    Key::control('r', "resign"),
    Key::control('s', "save"),
    Key::control('n', "new"),
    Key::control('a', "analyse"),
];

/// The keys when a game is over.
const KEYS_AT_END: [Key; 7] = [
    Key::control('n', "new game"),
    Key::control('a', "analyse"),
    Key::plain(KeyCode::Esc, "menu"),
    Key::control('s', "save"),
    Key::control('f', "flip"),
    Key::plain(KeyCode::Char('?'), "help"),
    Key::control('q', "quit"),
];

/// A window over the board.
enum Over {
    /// Lines of help, and how far they are scrolled.
    Help {
        title: &'static str,
        lines: Vec<(String, String)>,
        scrolled: u16,
        most: u16,
    },
    Ask(Doubt),
}

/// What is asked before it is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    Resign,
    New,
}

impl Doubt {
    const fn text(self) -> &'static str {
        match self {
            Self::Resign => "Resign this game?",
            Self::New => "Begin another game? This one is kept.",
        }
    }
}

/// A hint that is being looked for.
struct Search {
    found: Receiver<Option<Hint>>,
    signal: Signal,
}

/// A game on the screen.
pub(crate) struct GameScreen {
    home: Shared,
    game: Game,
    manners: Manners,
    /// Those of White and Black who are not persons.
    thinkers: [Option<Thinker>; 2],
    /// Somebody who plays one move for a person.
    stand_in: Option<Thinker>,
    thinks: Option<Thinks>,
    analyst: Option<Analyst>,
    hint: Option<Search>,
    hinted: Bitboard,
    /// The moves in SAN.
    sans: Vec<String>,
    title: String,
    hand: Hand,
    prompt: Prompt,
    message: Message,
    flipped: bool,
    over: Option<Over>,
    place: Option<Place>,
    keys: Rect,
    /// What the clocks showed when they were last drawn.
    shown_clocks: [Option<String>; 2],
}

impl GameScreen {
    /// A game that begins, or goes on, now.
    pub(crate) fn new(mut game: Game, home: Shared) -> Self {
        let manners = home.borrow().preferences.manners.clone();
        if let Some(store) = &manners.store
            && game.record().is_none()
        {
            game.keep(store.new_record());
        }
        let is_black_at_bottom =
            game.player(Color::Black).is_person() && !game.player(Color::White).is_person();
        let mut screen = Self {
            thinkers: [None, None],
            stand_in: None,
            thinks: None,
            analyst: None,
            hint: None,
            hinted: Bitboard::EMPTY,
            sans: Vec::new(),
            title: String::new(),
            hand: Hand::default(),
            prompt: Prompt::new(
                "Move",
                "e4, Nf3, O-O or e2e4; arrow keys and mouse work too",
            ),
            message: Message::default(),
            flipped: is_black_at_bottom,
            over: None,
            place: None,
            keys: Rect::default(),
            shown_clocks: [None, None],
            game,
            manners,
            home,
        };
        let now = Instant::now();
        screen.seat_thinkers();
        screen.game.start(now);
        screen.follow(now);
        screen.greet();
        screen
    }

    /// Gives a mind to each player who is not a person.
    fn seat_thinkers(&mut self) {
        // Moves differ from game to game.
        let seed = self
            .game
            .began()
            .to_string()
            .bytes()
            .fold(7_u64, |seed, byte| {
                seed.wrapping_mul(31).wrapping_add(byte.into())
            });
        for color in Color::ALL {
            let player = self.game.player(color);
            let thinker = &mut self.thinkers[color.index()];
            if thinker.as_ref().map(Thinker::player) != Some(player) {
                *thinker = Thinker::new(player, seed, self.manners.paced);
            }
        }
        let [white, black] = self.game.players();
        self.title = format!("{white} against {black}");
    }

    fn greet(&mut self) {
        self.message = match self.game.to_move() {
            Some(Player::Person(_)) if self.sans.is_empty() => {
                let turn = self.game.turn();
                let whose = match self.game.player(!turn) {
                    Player::Person(_) => format!("{turn} begins"),
                    _ => format!("You play {turn}, and begin"),
                };
                Message::note(format!("{whose}: type a move such as e4 and press Enter."))
            }
            Some(Player::Person(name)) => Message::note(format!(
                "The game goes on: {name} is to move, with {}.",
                self.game.turn()
            )),
            Some(player) => Message::note(format!("{player} begins.")),
            None => Message::default(),
        };
        self.tell_trouble();
    }

    /// After something has changed: lets whoever is to move think, and brings up to date what is shown.
    fn follow(&mut self, now: Instant) {
        self.sans = self
            .game
            .line()
            .played()
            .iter()
            .map(|(board, mv)| write_move(board, *mv).to_string())
            .collect();
        self.hinted = Bitboard::EMPTY;
        self.thinks = None;
        self.stop_hint();
        self.stand_in = None;
        for thinker in self.thinkers.iter_mut().flatten() {
            thinker.stop();
        }
        if self.game.ending().is_none()
            && let Some(thinker) = &mut self.thinkers[self.game.turn().index()]
        {
            thinker.start(&self.game, now);
        }
        self.ask_analyst();
    }

    /// Has the bar show what the position is worth, if there is a bar.
    fn ask_analyst(&mut self) {
        if !self.manners.shows_worth || self.game.ending().is_some() {
            self.analyst = None;
            return;
        }
        if self.analyst.is_none() {
            self.analyst = Analyst::new().ok();
        }
        if let Some(analyst) = &mut self.analyst {
            analyst.ask(Question {
                line: self.game.line().clone(),
                lines: 1,
                // While another engine thinks too, it need not be deep.
                nodes: Some(3_000_000),
            });
        }
    }

    fn stop_hint(&mut self) {
        if let Some(search) = self.hint.take() {
            search.signal.stop();
        }
    }

    fn find_hint(&mut self) {
        if self.hint.is_some() {
            return;
        }
        if !matches!(self.game.to_move(), Some(Player::Person(_))) {
            self.message = Message::refusal(match self.game.ending() {
                Some(ending) => format!("the game is over: {ending}"),
                None => "wait: it is not your turn".to_owned(),
            });
            return;
        }
        let (sender, found) = mpsc::channel();
        let signal = Signal::default();
        let line = self.game.line().clone();
        let ours = signal.clone();
        let spawned = thread::Builder::new()
            .name("hint".to_owned())
            .spawn(move || {
                // Nobody listens any more when the position has changed.
                let _ = sender.send(Hint::find(&line, &ours));
            });
        self.message = match spawned {
            Ok(_) => Message::note("Looking for a good move ..."),
            Err(error) => Message::refusal(format!("no hint can be found: {error}")),
        };
        self.hint = Some(Search { found, signal });
    }

    /// Hears of the hint; whether there is news.
    fn hear_hint(&mut self) -> bool {
        let Some(search) = &self.hint else {
            return false;
        };
        match search.found.try_recv() {
            Err(TryRecvError::Empty) => return false,
            Ok(Some(hint)) => {
                self.hinted = Bitboard::from(hint.mv.from()) | Bitboard::from(hint.mv.to());
                self.message = Message::good(format!("Hint: {hint}"));
            }
            Ok(None) | Err(TryRecvError::Disconnected) => {
                self.message = Message::refusal("no hint could be found");
            }
        }
        self.hint = None;
        true
    }

    /// Hears of those who think; whether there is news.
    fn hear_thinkers(&mut self, now: Instant) -> bool {
        let mut has_news = false;
        let turn = self.game.turn();
        loop {
            let thinker = match &mut self.stand_in {
                Some(thinker) => Some(thinker),
                None => self.thinkers[turn.index()].as_mut(),
            };
            let Some(report) = thinker.and_then(|thinker| thinker.poll(now)) else {
                return has_news;
            };
            has_news = true;
            match report {
                Report::Thinks(thinks) => self.thinks = Some(thinks),
                Report::Move { mv, .. } => {
                    let outcome = self.game.play(mv, now);
                    self.done(outcome, now);
                    return true;
                }
                Report::Failed(why) => {
                    self.stand_in = None;
                    self.message = Message::refusal(format!(
                        "{why}; \"level 5\" has the computer play on in its place"
                    ));
                    return true;
                }
            }
        }
    }

    /// Says what has happened, or why it did not.
    fn done<E>(&mut self, outcome: Result<E, tabiya_play::Refused>, now: Instant)
    where
        E: IntoIterator<Item = Event>,
    {
        match outcome {
            Ok(events) => {
                self.hand.drop_all();
                for event in events {
                    self.happened(&event, now);
                }
            }
            Err(refused) => self.message = Message::refusal(refused.to_string()),
        }
        self.tell_trouble();
    }

    fn tell_trouble(&mut self) {
        if let Some(trouble) = self.game.take_trouble() {
            self.message = Message::refusal(trouble);
        }
    }

    fn happened(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Moved { san, .. } => {
                let mover = self.game.player(!self.game.turn());
                let check = if self.game.board().is_check() {
                    " Check!"
                } else {
                    ""
                };
                self.message = match (mover, self.game.to_move()) {
                    (Player::Person(_), _) => Message::default(),
                    (other, Some(Player::Person(_))) => {
                        let name = short_name(other);
                        Message::note(format!("{name} plays {san}.{check} Your move."))
                    }
                    (other, _) => {
                        Message::note(format!("{} plays {san}.{check}", short_name(other)))
                    }
                };
                if mover.is_person() && self.game.board().is_check() {
                    self.message = Message::note("Check!");
                }
                if let Some(claim) = self.game.claim() {
                    self.message =
                        Message::note(format!("A {claim} can be claimed: type draw, or play on."));
                }
                self.follow(now);
            }
            Event::TookBack { plies } => {
                self.message = Message::note(match plies {
                    1 => "The last move is taken back.".to_owned(),
                    _ => format!("The last {plies} moves are taken back."),
                });
                self.follow(now);
            }
            Event::Offered(color) => self.offered(*color, now),
            Event::Declined(color) => {
                let name = short_name(self.game.player(*color));
                self.message = Message::note(format!("{name} does not want a draw."));
            }
            Event::Seated { color, player } => {
                self.message = Message::note(format!("{player} plays {color} from now on."));
                self.seat_thinkers();
                self.follow(now);
            }
            Event::Ended(ending) => {
                self.follow(now);
                let text = sentence(&ending.to_string());
                self.message = match ending.winner() {
                    Some(winner) if self.game.player(winner).is_person() => Message::good(text),
                    _ => Message::note(text),
                };
                if let Some(store) = &self.manners.store
                    && let Err(error) = store.finish(&mut self.game)
                {
                    self.message = Message::refusal(error.to_string());
                }
            }
            _ => {}
        }
    }

    /// A computer answers an offer at once.
    fn offered(&mut self, color: Color, now: Instant) {
        let other = !color;
        if self.game.player(other).is_person() {
            self.message = Message::note(format!(
                "{color} offers a draw: {other} takes it with \"draw\", or plays on."
            ));
        } else {
            let outcome = if tabiya_play::accepts_draw(self.game.line(), other) {
                self.game.accept_draw(other, now)
            } else {
                self.game.decline_draw(other, now)
            };
            self.done(outcome.map(|event| [event]), now);
        }
    }

    fn grasped(&mut self, grasp: Grasp) {
        let now = Instant::now();
        match grasp {
            Grasp::Nothing => {}
            Grasp::Play(mv) => {
                if self.is_persons_turn() {
                    let outcome = self.game.play(mv, now);
                    self.done(outcome, now);
                }
            }
            Grasp::Refused(why) => self.message = Message::refusal(why),
        }
    }

    /// Whether a person is to move; says so if not.
    fn is_persons_turn(&mut self) -> bool {
        match (self.game.ending(), self.game.to_move()) {
            (Some(ending), _) => {
                self.message = Message::refusal(format!("the game is over: {ending}"));
                false
            }
            (None, Some(Player::Person(_))) => true,
            _ => {
                let name = short_name(self.game.player(self.game.turn())).to_owned();
                self.message = Message::refusal(format!("wait: {name} is to move"));
                false
            }
        }
    }

    fn handle_key(&mut self, key: KeyEvent, look: &mut Look) -> Step {
        if self.over.is_some() {
            return self.handle_over(key);
        }
        if self.hand.promotion().is_some() {
            let grasp = self.hand.choose_promotion(key.code, self.game.board());
            self.grasped(grasp);
            return Step::Stay;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.handle_control(key.code, look);
        }
        if self.prompt.is_empty() {
            match key.code {
                KeyCode::Char('?') | KeyCode::F(1) => {
                    self.show_help();
                    return Step::Stay;
                }
                KeyCode::Esc if self.hand.cancel() => return Step::Stay,
                KeyCode::Esc => return Step::Back,
                KeyCode::Char(' ') | KeyCode::Enter if self.hand.is_pointing() => {
                    if self.is_persons_turn() {
                        let grasp = self.hand.press(self.game.board());
                        self.grasped(grasp);
                    }
                    return Step::Stay;
                }
                code if self.hand.point(code, self.game.board(), self.flipped) => {
                    return Step::Stay;
                }
                _ => {}
            }
        }
        match key.code {
            KeyCode::Enter => {
                let text = self.prompt.take();
                return self.obey_text(&text, look);
            }
            _ => {
                if self.prompt.edit(key) {
                    self.hand.drop_all();
                }
            }
        }
        Step::Stay
    }

    fn handle_over(&mut self, key: KeyEvent) -> Step {
        match &mut self.over {
            Some(Over::Help { scrolled, most, .. }) => match key.code {
                KeyCode::Down | KeyCode::PageDown => *scrolled = (*scrolled + 1).min(*most),
                KeyCode::Up | KeyCode::PageUp => *scrolled = scrolled.saturating_sub(1),
                _ => self.over = None,
            },
            Some(Over::Ask(question)) => {
                let question = *question;
                match key.code {
                    KeyCode::Char('y' | 'Y') | KeyCode::Enter => {
                        self.over = None;
                        return self.confirmed(question);
                    }
                    KeyCode::Char('n' | 'N') | KeyCode::Esc => self.over = None,
                    _ => {}
                }
            }
            None => {}
        }
        Step::Stay
    }

    fn handle_press(&mut self, point: Point, look: &mut Look) -> Step {
        if self.over.take().is_some() {
            return Step::Stay;
        }
        let bar = KeyBar {
            keys: self.shown_keys(),
            look,
        };
        if self.keys.contains(point) {
            return match bar.at(self.keys, point.x) {
                Some(key) => self.handle_key(key.event(), look),
                None => Step::Stay,
            };
        }
        if self.hand.promotion().is_some() {
            return Step::Stay;
        }
        if let Some(square) = self.place.and_then(|place| place.square_at(point))
            && self.is_persons_turn()
        {
            let grasp = self.hand.touch(square, self.game.board());
            self.grasped(grasp);
        }
        Step::Stay
    }

    fn shown_keys(&self) -> &'static [Key] {
        match self.game.ending() {
            None => &KEYS,
            Some(_) => &KEYS_AT_END,
        }
    }
}

/// What a player is called where there is little room.
fn short_name(player: &Player) -> &str {
    match player {
        Player::Person(name) => name,
        Player::Computer(_) => "Tabiya",
        Player::Engine(program) => program.name(),
    }
}

impl Screen for GameScreen {
    fn draw(&mut self, frame: &mut Frame, look: &Look) {
        self.draw_all(frame, look);
    }

    fn handle(&mut self, input: Input, look: &mut Look) -> Step {
        match input {
            Input::Key(key) => self.handle_key(key, look),
            Input::Press(point) => self.handle_press(point, look),
            Input::Release(point) => {
                if let Some(square) = self.place.and_then(|place| place.square_at(point)) {
                    let grasp = self.hand.release(square, self.game.board());
                    self.grasped(grasp);
                }
                Step::Stay
            }
            Input::Paste(text) => {
                self.prompt.insert(&text);
                Step::Stay
            }
            Input::Wheel { .. } => Step::Stay,
        }
    }

    fn tick(&mut self, now: Instant) -> bool {
        let mut has_news = false;
        if let Some(event) = self.game.check_flag(now) {
            self.happened(&event, now);
            self.tell_trouble();
            has_news = true;
        }
        has_news |= self.hear_thinkers(now);
        has_news |= self.hear_hint();
        if let Some(analyst) = &mut self.analyst {
            has_news |= analyst.listen();
        }
        has_news | (self.clocks(now) != self.shown_clocks)
    }

    fn is_busy(&self) -> bool {
        let thinks = self.thinkers.iter().chain([&self.stand_in]).flatten();
        let mut thinks = thinks.map(Thinker::is_thinking);
        thinks.any(|thinks| thinks)
            || self.hint.is_some()
            || self
                .analyst
                .as_ref()
                .is_some_and(|analyst| !analyst.is_done())
            || (self.game.clock().running().is_some()
                && self.game.clock().control().at_start().is_some())
    }

    fn close(&mut self) {
        self.game.pause(Instant::now());
    }
}
