//! A game on the screen: two players, of whom the computer may be one.

mod act;
mod hint;
mod view;

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use tabiya_board::{Bitboard, Color};
use tabiya_notation::write_san;
use tabiya_play::{ActionError, Game, GameEvent, Player, Session, SessionEvent};

use crate::analysis_thread::{AnalysisRequest, AnalysisThread};
use crate::app::{Input, Screen, Transition};
use crate::appearance::Appearance;
use crate::board::BoardArea;
use crate::context::{NewGame, SharedContext};
use crate::game_view::{Message, sentence};
use crate::keys::{Key, KeyBar};
use crate::move_input::{InputResult, MoveInput};
use crate::overlay;
use crate::prompt::Prompt;
use hint::HintSearch;

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

/// What may be typed while a game goes on, and when it is over.
const EXAMPLE: &str = "a move such as Nf3 or g1f3, or a word such as hint";
const EXAMPLE_AT_END: &str = "a word: new, analyse, save game.pgn, menu or quit";

/// A window over the board.
enum Overlay {
    /// Lines of help, and how far they are scrolled.
    Help {
        title: &'static str,
        lines: Vec<(String, String)>,
        scrolled: u16,
        most: u16,
    },
    Ask(Confirm),
}

/// What is asked before it is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Confirm {
    Resign,
    New,
}

impl Confirm {
    const fn text(self) -> &'static str {
        match self {
            Self::Resign => "Resign this game?",
            Self::New => "Begin another game? This one is kept.",
        }
    }
}

/// A game on the screen.
pub(crate) struct GameScreen {
    context: SharedContext,
    session: Session,
    /// Begins another game like this one; without it, the user is asked what it shall be like.
    new_game: Option<Box<NewGame>>,
    shows_thinking: bool,
    shows_eval: bool,
    analyst: Option<AnalysisThread>,
    hint: Option<HintSearch>,
    hinted: Bitboard,
    /// The moves in SAN.
    sans: Vec<String>,
    hand: MoveInput,
    prompt: Prompt,
    message: Message,
    flipped: bool,
    overlay: Option<Overlay>,
    place: Option<BoardArea>,
    /// Where the pieces are that a pawn can become.
    promotions: Rect,
    keys: Rect,
    /// What the clocks showed when they were last drawn.
    shown_clocks: [Option<String>; 2],
}

impl GameScreen {
    /// A game that begins, or goes on, now.
    pub(crate) fn new(
        session: Session,
        new_game: Option<Box<NewGame>>,
        context: SharedContext,
    ) -> Self {
        let preferences = context.borrow().preferences.clone();
        let mut screen = Self {
            context,
            session,
            new_game,
            shows_thinking: preferences.shows_thinking,
            shows_eval: preferences.shows_eval,
            analyst: None,
            hint: None,
            hinted: Bitboard::EMPTY,
            sans: Vec::new(),
            hand: MoveInput::default(),
            prompt: Prompt::new("Move", EXAMPLE),
            message: Message::default(),
            flipped: false,
            overlay: None,
            place: None,
            promotions: Rect::default(),
            keys: Rect::default(),
            shown_clocks: [None, None],
        };
        screen.begin();
        screen
    }

    /// Shows the beginning of a game.
    fn begin(&mut self) {
        let is_person = |color| self.game().player(color).is_person();
        self.flipped = is_person(Color::Black) && !is_person(Color::White);
        self.refresh();
        self.greet();
        let news = self.session.tick(Instant::now());
        self.handle_events(news);
    }

    fn game(&self) -> &Game {
        self.session.game()
    }

    fn greet(&mut self) {
        let turn = self.game().turn();
        let is_new = self.sans.is_empty();
        self.message = match (self.game().player_to_move(), self.game().player(!turn)) {
            (Some(Player::Person(_)), other) if is_new => {
                let whose = match other {
                    Player::Person(_) => format!("{turn} begins"),
                    _ => format!("You play {turn}, and begin"),
                };
                Message::note(format!("{whose}: type a move such as e4 and press Enter."))
            }
            (Some(Player::Person(_)), _) => match self.game().draw_offer() {
                Some(color) => self.offered(color),
                None => Message::note(format!("The game goes on: {turn} to move.")),
            },
            (Some(player), _) if is_new => Message::note(format!("{} begins.", short_name(player))),
            _ => Message::default(),
        };
    }

    /// Brings up to date what is shown after something has changed.
    fn refresh(&mut self) {
        let played = self.game().history().played().iter();
        self.sans = played
            .map(|(board, mv)| write_san(board, *mv).to_string())
            .collect();
        self.hinted = Bitboard::EMPTY;
        self.hand.drop_all();
        self.hint = None;
        self.prompt.example = match self.game().termination() {
            None => EXAMPLE,
            Some(_) => EXAMPLE_AT_END,
        };
        self.ask_analyst();
    }

    /// Has the bar show what the position is worth, if there is a bar.
    fn ask_analyst(&mut self) {
        if !self.shows_eval || self.game().termination().is_some() {
            self.analyst = None;
            return;
        }
        if self.analyst.is_none() {
            self.analyst = AnalysisThread::new().ok();
        }
        let history = self.game().history().clone();
        if let Some(analyst) = &mut self.analyst {
            analyst.analyse(AnalysisRequest {
                history,
                lines: 1,
                // The opponent needs the processor too.
                nodes: Some(3_000_000),
            });
        }
    }

    /// Says what came of something that a person wanted.
    fn show_result(&mut self, outcome: Result<Vec<SessionEvent>, ActionError>) {
        match outcome {
            Ok(news) => self.handle_events(news),
            Err(refused) => self.message = Message::refusal(refused.to_string()),
        }
    }

    /// Says what has happened.
    fn handle_events(&mut self, news: Vec<SessionEvent>) {
        for news in news {
            match news {
                SessionEvent::Game(event) => self.handle_event(&event),
                SessionEvent::Warning(trouble) => self.message = Message::refusal(trouble),
                // What it thinks is asked for when it is drawn, and where the game is kept is told by the menu.
                _ => {}
            }
        }
    }

    fn handle_event(&mut self, event: &GameEvent) {
        let message = match event {
            GameEvent::Moved { san, .. } => self.moved(san),
            GameEvent::TakenBack { plies: 1 } => Message::note("The last move is taken back."),
            GameEvent::TakenBack { plies } => {
                Message::note(format!("The last {plies} moves are taken back."))
            }
            GameEvent::DrawOffered(color) => self.offered(*color),
            GameEvent::DrawDeclined(color) => {
                let name = short_name(self.game().player(*color));
                Message::note(format!("{name} does not want a draw."))
            }
            GameEvent::PlayerChanged { color, player } => {
                Message::note(format!("{color} is played by {player} from now on."))
            }
            GameEvent::Ended(ending) => {
                let text = sentence(&ending.to_string());
                match ending.winner() {
                    Some(winner) if self.game().player(winner).is_person() => Message::good(text),
                    _ => Message::note(text),
                }
            }
            _ => return,
        };
        self.refresh();
        self.message = message;
    }

    /// What is said when a side offers a draw. A computer does so with its move.
    fn offered(&self, color: Color) -> Message {
        let player = self.game().player(color);
        Message::note(match self.sans.last() {
            Some(san) if !player.is_person() => format!(
                "{} plays {san} and offers a draw: take it with \"draw\", or play on.",
                short_name(player)
            ),
            _ => format!(
                "{color} offers a draw: {} takes it with \"draw\", or plays on.",
                !color
            ),
        })
    }

    /// What is said about a move that was just played.
    fn moved(&self, san: &str) -> Message {
        let game = self.game();
        if let Some(claim) = game.claimable_draw() {
            return Message::note(format!("A {claim} can be claimed: type draw, or play on."));
        }
        let mover = game.player(!game.turn());
        let check = if game.board().is_check() {
            "Check! "
        } else {
            ""
        };
        let name = short_name(mover);
        Message::note(match (mover.is_person(), game.player_to_move()) {
            (false, Some(Player::Person(_))) => format!("{name} plays {san}. {check}Your move."),
            (false, _) => format!("{name} plays {san}. {check}"),
            (true, Some(Player::Person(_)) | None) => check.to_owned(),
            (true, Some(other)) => format!("{check}{} thinks ...", short_name(other)),
        })
    }

    fn handle_move_input(&mut self, grasp: InputResult) {
        match grasp {
            InputResult::Nothing => {}
            InputResult::Play(mv) => {
                let outcome = self.session.play(mv, Instant::now());
                self.show_result(outcome);
            }
            InputResult::Refused(why) => self.message = Message::refusal(why),
        }
    }

    /// Whether a person is to move; says so if not.
    fn is_persons_turn(&mut self) -> bool {
        let why = match (self.game().termination(), self.game().player_to_move()) {
            (None, Some(Player::Person(_))) => return true,
            (Some(ending), _) => format!("the game is over: {ending}"),
            (None, other) => {
                let name = other.map_or("nobody", short_name);
                format!("wait: {name} is to move")
            }
        };
        self.message = Message::refusal(why);
        false
    }

    fn handle_key(&mut self, key: KeyEvent, appearance: &mut Appearance) -> Transition {
        if self.overlay.is_some() {
            return self.handle_overlay(key);
        }
        if self.hand.promotion().is_some() {
            let board = *self.game().board();
            let grasp = self.hand.choose_promotion(key.code, &board);
            self.handle_move_input(grasp);
            return Transition::Stay;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.handle_control(key.code, appearance);
        }
        if self.prompt.is_empty() {
            match key.code {
                KeyCode::Char('?') | KeyCode::F(1) => {
                    self.show_help();
                    return Transition::Stay;
                }
                KeyCode::Esc if self.hand.cancel() => return Transition::Stay,
                KeyCode::Esc => return Transition::Back,
                KeyCode::Char(' ') | KeyCode::Enter if self.hand.is_pointing() => {
                    if self.is_persons_turn() {
                        let board = *self.game().board();
                        let grasp = self.hand.press(&board);
                        self.handle_move_input(grasp);
                    }
                    return Transition::Stay;
                }
                code => {
                    let board = *self.game().board();
                    if self.hand.point(code, &board, self.flipped) {
                        return Transition::Stay;
                    }
                }
            }
        }
        match key.code {
            KeyCode::Enter => {
                let text = self.prompt.take();
                return self.run_line(&text, appearance);
            }
            _ => {
                if self.prompt.edit(key) {
                    self.hand.drop_all();
                }
            }
        }
        Transition::Stay
    }

    fn handle_overlay(&mut self, key: KeyEvent) -> Transition {
        match &mut self.overlay {
            Some(Overlay::Help { scrolled, most, .. }) => match key.code {
                KeyCode::Down | KeyCode::PageDown => *scrolled = (*scrolled + 1).min(*most),
                KeyCode::Up | KeyCode::PageUp => *scrolled = scrolled.saturating_sub(1),
                _ => self.overlay = None,
            },
            Some(Overlay::Ask(question)) => {
                let question = *question;
                match key.code {
                    KeyCode::Char('y' | 'Y') | KeyCode::Enter => {
                        self.overlay = None;
                        return self.confirmed(question);
                    }
                    KeyCode::Char('n' | 'N') | KeyCode::Esc => self.overlay = None,
                    _ => {}
                }
            }
            None => {}
        }
        Transition::Stay
    }

    fn handle_press(&mut self, point: Point, appearance: &mut Appearance) -> Transition {
        if self.overlay.take().is_some() {
            return Transition::Stay;
        }
        let bar = KeyBar {
            keys: self.shown_keys(),
            appearance,
        };
        if self.keys.contains(point) {
            return match bar.at(self.keys, point.x) {
                Some(key) => self.handle_key(key.event(), appearance),
                None => Transition::Stay,
            };
        }
        if self.hand.promotion().is_some() {
            let board = *self.game().board();
            let grasp = self.hand.click_promotion(point, self.promotions, &board);
            self.handle_move_input(grasp);
            return Transition::Stay;
        }
        if let Some(square) = self.place.and_then(|place| place.square_at(point))
            && self.is_persons_turn()
        {
            let board = *self.game().board();
            let grasp = self.hand.touch(square, &board);
            self.handle_move_input(grasp);
        }
        Transition::Stay
    }

    fn shown_keys(&self) -> &'static [Key] {
        match self.game().termination() {
            None => &KEYS,
            Some(_) => &KEYS_AT_END,
        }
    }
}

/// What a player is called where there is little room.
fn short_name(player: &Player) -> &str {
    match player {
        Player::Person(name) => name,
        Player::Computer(_) | Player::Limited { .. } => "Tabiya",
        Player::Engine(program) => program.name(),
    }
}

impl Screen for GameScreen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance) {
        self.draw_all(frame, appearance);
    }

    fn handle(&mut self, input: Input, appearance: &mut Appearance) -> Transition {
        match input {
            Input::Key(key) => self.handle_key(key, appearance),
            Input::Press(point) => self.handle_press(point, appearance),
            Input::Release(point) => {
                if let Some(square) = self.place.and_then(|place| place.square_at(point)) {
                    let board = *self.game().board();
                    let grasp = self.hand.release(square, &board);
                    self.handle_move_input(grasp);
                }
                Transition::Stay
            }
            Input::Paste(text) => {
                self.prompt.insert(&text);
                Transition::Stay
            }
            Input::Wheel { .. } => Transition::Stay,
        }
    }

    fn tick(&mut self, now: Instant) -> bool {
        let news = self.session.tick(now);
        let mut has_news = !news.is_empty();
        self.handle_events(news);
        has_news |= self.poll_hint();
        if let Some(analyst) = &mut self.analyst {
            has_news |= analyst.poll();
        }
        has_news | (self.clocks(now) != self.shown_clocks)
    }

    fn is_busy(&self) -> bool {
        let analyst = self.analyst.as_ref();
        self.session.is_busy()
            || self.hint.is_some()
            || analyst.is_some_and(|analyst| !analyst.is_done())
    }

    fn close(&mut self) {
        self.session.close(Instant::now());
    }
}
