//! The game screen.

mod act;
mod end;
mod hint;
mod look_back;
mod premove;
mod questions;
mod view;

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use tabiya_board::{Bitboard, Color, Square};
use tabiya_notation::write_san;
use tabiya_play::{ActionError, Game, GameEvent, Player, Session, SessionEvent};

use crate::analysis_thread::{AnalysisRequest, AnalysisThread};
use crate::app::{Screen, Transition, UserInput};
use crate::appearance::Appearance;
use crate::context::{NewGame, SharedContext};
use crate::game_view::{Message, ViewAreas, sentence};
use crate::keys::{Key, KeyBar};
use crate::move_input::{InputResult, MoveSelection};
use crate::overlay;
use crate::prompt::Prompt;
use end::{CardSearch, EndCard};
use hint::HintSearch;
use premove::Premove;
use questions::Question;

/// The key bar, the most important first.
const KEYS: [Key; 12] = [
    Key::plain(KeyCode::Char('?'), "help"),
    Key::plain(KeyCode::Esc, "menu"),
    Key::control('t', "hint"),
    Key::control('u', "undo"),
    Key::plain(KeyCode::PageUp, "look back"),
    Key::control('f', "flip"),
    Key::control('e', "eval"),
    Key::control('d', "draw"),
    Key::control('r', "resign"),
    Key::control('s', "save"),
    Key::control('n', "new"),
    Key::control('a', "analyse"),
];

/// The key bar when the game is over.
const KEYS_AT_END: [Key; 9] = [
    Key::control('a', "review"),
    Key::control('o', "rematch"),
    Key::control('n', "new game"),
    Key::plain(KeyCode::Esc, "menu"),
    Key::control('u', "undo"),
    Key::control('s', "save"),
    Key::control('f', "flip"),
    Key::plain(KeyCode::Char('?'), "help"),
    Key::control('q', "quit"),
];

/// The key bar while looking back.
const KEYS_LOOKING_BACK: [Key; 4] = [
    Key::plain(KeyCode::PageUp, "back"),
    Key::plain(KeyCode::PageDown, "forward"),
    Key::plain(KeyCode::Esc, "return to the game"),
    Key::plain(KeyCode::Char('?'), "help"),
];

/// The placeholders of the prompt during a game and after it.
const EXAMPLE: &str = "type a move (Nf3 or g1f3) or a command (hint)";
const EXAMPLE_AT_END: &str = "type review, rematch, new, undo, menu or quit";

/// A window over the board.
enum Overlay {
    /// A help page.
    Help {
        title: &'static str,
        lines: Vec<(String, String)>,
        scrolled: u16,
        most: u16,
    },
    Ask(Question),
    /// The card at the end of the game.
    End,
}

/// The game screen.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub(crate) struct GameScreen {
    context: SharedContext,
    session: Session,
    /// Sets up another game like this one; `None` to open the setup screen.
    new_game: Option<Box<NewGame>>,
    shows_thinking: bool,
    shows_eval: bool,
    analysis: Option<AnalysisThread>,
    hint: Option<HintSearch>,
    hinted: Bitboard,
    /// The card of a finished game, and the search for its numbers.
    card: Option<EndCard>,
    card_search: Option<CardSearch>,
    /// A move to play when the computer has moved.
    premove: Option<Premove>,
    /// Whether the computer has just moved.
    bell: bool,
    /// The number of half-moves before the position that is looked at; `None` for the game itself.
    looking_at: Option<usize>,
    /// The moves in SAN.
    sans: Vec<String>,
    move_input: MoveSelection,
    prompt: Prompt,
    message: Message,
    flipped: bool,
    overlay: Option<Overlay>,
    areas: ViewAreas,
    /// The area of the promotion window.
    promotions: Rect,
    keys: Rect,
    /// The clock texts when they were last drawn.
    shown_clocks: [Option<String>; 2],
}

impl GameScreen {
    /// Starts or resumes a game.
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
            analysis: None,
            hint: None,
            hinted: Bitboard::EMPTY,
            card: None,
            card_search: None,
            premove: None,
            bell: false,
            looking_at: None,
            sans: Vec::new(),
            move_input: MoveSelection::default(),
            prompt: Prompt::new("Move", EXAMPLE),
            message: Message::default(),
            flipped: false,
            overlay: None,
            areas: ViewAreas::default(),
            promotions: Rect::default(),
            keys: Rect::default(),
            shown_clocks: [None, None],
        };
        screen.begin();
        screen
    }

    /// Shows a new or resumed game.
    fn begin(&mut self) {
        let is_person = |color| self.game().player(color).is_person();
        self.flipped = is_person(Color::Black) && !is_person(Color::White);
        self.premove = None;
        self.refresh();
        self.greet();
        let events = self.session.tick(Instant::now());
        self.handle_events(events);
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
                    Player::Person(_) => format!("{turn} moves first"),
                    _ => format!("You play {turn}"),
                };
                Message::note(format!("{whose}. Type a move such as e4 and press Enter."))
            }
            (Some(Player::Person(_)), _) => match self.game().draw_offer() {
                Some(color) => self.offered(color),
                None => Message::note(format!("Game resumed. {turn} to move.")),
            },
            (Some(player), _) if is_new => {
                Message::note(format!("{} moves first.", short_name(player)))
            }
            _ => Message::default(),
        };
    }

    /// Updates the screen after a change.
    fn refresh(&mut self) {
        let played = self.game().history().played().iter();
        self.sans = played
            .map(|(board, mv)| write_san(board, *mv).to_string())
            .collect();
        self.hinted = Bitboard::EMPTY;
        self.move_input.drop_all();
        self.hint = None;
        self.looking_at = None;
        if self.game().termination().is_none() {
            self.card = None;
            self.card_search = None;
        }
        self.prompt.example = match self.game().termination() {
            None => EXAMPLE,
            Some(_) => EXAMPLE_AT_END,
        };
        self.update_analysis();
    }

    /// Updates the evaluation bar, if it is shown.
    fn update_analysis(&mut self) {
        if !self.shows_eval || self.game().termination().is_some() {
            self.analysis = None;
            return;
        }
        if self.analysis.is_none() {
            self.analysis = AnalysisThread::new().ok();
        }
        let history = self.game().history().clone();
        if let Some(analysis) = &mut self.analysis {
            analysis.analyse(AnalysisRequest {
                history,
                lines: 1,
                // The opponent needs the processor too.
                nodes: Some(3_000_000),
            });
        }
    }

    /// Shows the result of an action.
    fn show_result(&mut self, outcome: Result<Vec<SessionEvent>, ActionError>) {
        match outcome {
            Ok(events) => self.handle_events(events),
            Err(error) => self.message = Message::refusal(error.to_string()),
        }
    }

    /// Shows events.
    fn handle_events(&mut self, events: Vec<SessionEvent>) {
        for event in events {
            match event {
                SessionEvent::Game(event) => self.handle_event(&event),
                SessionEvent::Warning(warning) => self.message = Message::refusal(warning),
                // Search info is read when it is drawn.
                _ => {}
            }
        }
        self.play_premove();
    }

    fn handle_event(&mut self, event: &GameEvent) {
        let message = match event {
            GameEvent::Moved { san, .. } => self.moved(san),
            GameEvent::TakenBack { plies: 0 } => Message::note("The game goes on."),
            GameEvent::TakenBack { plies: 1 } => Message::note("Took back the last move."),
            GameEvent::TakenBack { plies } => {
                Message::note(format!("Took back the last {plies} moves."))
            }
            GameEvent::Redone { plies: 0 } => Message::note("The game is over again."),
            GameEvent::Redone { plies: 1 } => Message::note("Played the move again."),
            GameEvent::Redone { plies } => Message::note(format!("Played {plies} moves again.")),
            GameEvent::DrawOffered(color) => self.offered(*color),
            GameEvent::DrawDeclined(color) => {
                let name = short_name(self.game().player(*color));
                Message::note(format!("{name} declines the draw."))
            }
            GameEvent::PlayerChanged { color, player } => {
                Message::note(format!("{color} is now {player}."))
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
        if matches!(event, GameEvent::Moved { .. }) {
            let turn = self.game().turn();
            let is_turn = self.game().player_to_move().is_some_and(Player::is_person);
            self.bell |= is_turn && !self.game().player(!turn).is_person();
        } else {
            self.premove = None;
        }
        self.refresh();
        self.message = message;
        if let GameEvent::Ended(ending) = event {
            self.show_card(*ending);
        }
    }

    /// The message for a draw offer. A computer offers together with its move.
    fn offered(&self, color: Color) -> Message {
        let player = self.game().player(color);
        Message::note(match self.sans.last() {
            Some(san) if !player.is_person() => format!(
                "{} plays {san} and offers a draw. Type draw to accept, or play on.",
                short_name(player)
            ),
            _ => format!(
                "{color} offers a draw. {}: type draw to accept, or play on.",
                !color
            ),
        })
    }

    /// The message after a move.
    fn moved(&self, san: &str) -> Message {
        let game = self.game();
        if let Some(claim) = game.claimable_draw() {
            return Message::note(format!("You can claim a {claim}: type draw, or play on."));
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
            (true, Some(other)) => format!("{check}{} is thinking ...", short_name(other)),
        })
    }

    fn handle_move_input(&mut self, result: InputResult) {
        match result {
            InputResult::Nothing => {}
            InputResult::Play(mv) => {
                let outcome = self.session.play(mv, Instant::now());
                self.show_result(outcome);
            }
            InputResult::Refused(why) => self.message = Message::refusal(why),
        }
    }

    /// Whether a person is to move. Shows a message if not.
    fn is_persons_turn(&mut self) -> bool {
        let why = match (self.game().termination(), self.game().player_to_move()) {
            (None, Some(Player::Person(_))) => return true,
            (Some(ending), _) => format!("the game is over: {ending}"),
            (None, other) => {
                let name = other.map_or("the opponent", short_name);
                format!("wait: it's {name}'s turn")
            }
        };
        self.message = Message::refusal(why);
        false
    }

    fn handle_key(&mut self, key: KeyEvent, appearance: &mut Appearance) -> Transition {
        if self.overlay.is_some() {
            return self.handle_overlay(key, appearance);
        }
        if self.move_input.promotion().is_some() {
            let board = *self.game().board();
            let result = self.move_input.choose_promotion(key.code, &board);
            self.handle_move_input(result);
            return Transition::Stay;
        }
        // While the line has text, the keys edit it.
        if !self.prompt.is_empty() && self.prompt.edit(key) {
            self.move_input.drop_all();
            return Transition::Stay;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.handle_control(key.code, appearance);
        }
        if self.prompt.is_empty() {
            if self.look_back_key(key.code) {
                return Transition::Stay;
            }
            match key.code {
                KeyCode::Char('?') | KeyCode::F(1) => {
                    self.show_help();
                    return Transition::Stay;
                }
                KeyCode::Esc if self.move_input.cancel() || self.cancel_premove() => {
                    return Transition::Stay;
                }
                KeyCode::Esc => return Transition::Back,
                KeyCode::Char(' ') | KeyCode::Enter if self.move_input.is_pointing() => {
                    if let Some(square) = self.move_input.cursor() {
                        self.touch(square);
                    }
                    return Transition::Stay;
                }
                code => {
                    let board = *self.game().board();
                    if self.move_input.point(code, &board, self.flipped) {
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
                    self.move_input.drop_all();
                }
            }
        }
        Transition::Stay
    }

    fn handle_overlay(&mut self, key: KeyEvent, appearance: &mut Appearance) -> Transition {
        match &mut self.overlay {
            Some(Overlay::Help { scrolled, most, .. }) => match key.code {
                KeyCode::Down | KeyCode::PageDown => *scrolled = (*scrolled + 1).min(*most),
                KeyCode::Up | KeyCode::PageUp => *scrolled = scrolled.saturating_sub(1),
                _ => self.overlay = None,
            },
            Some(Overlay::Ask(question)) => {
                let question = *question;
                return self.answer(question, key.code);
            }
            Some(Overlay::End) => {
                self.overlay = None;
                // Letters are for the prompt, and other keys are those of the key bar.
                if !matches!(key.code, KeyCode::Esc | KeyCode::Enter) {
                    return self.handle_key(key, appearance);
                }
            }
            None => {}
        }
        Transition::Stay
    }

    /// Selects or moves the piece on a square, or prepares a premove.
    fn touch(&mut self, square: Square) {
        let board = *self.game().board();
        if self.can_premove() {
            self.touch_premove(square);
        } else if self.is_persons_turn() {
            let result = self.move_input.touch(square, &board);
            self.handle_move_input(result);
        }
    }

    fn handle_press(&mut self, point: Point, appearance: &mut Appearance) -> Transition {
        match self.overlay.take() {
            // The key bar still works.
            Some(Overlay::End) if self.keys.contains(point) => {}
            Some(_) => return Transition::Stay,
            None => {}
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
        if self.move_input.promotion().is_some() {
            let board = *self.game().board();
            let result = self
                .move_input
                .click_promotion(point, self.promotions, &board);
            self.handle_move_input(result);
            return Transition::Stay;
        }
        if let Some(ply) = self.areas.move_at(point) {
            self.look_at(ply + 1);
        } else if let Some(square) = self.areas.square_at(point)
            && !self.return_to_game()
        {
            self.touch(square);
        }
        Transition::Stay
    }

    fn shown_keys(&self) -> &'static [Key] {
        if self.looking_at.is_some() {
            return &KEYS_LOOKING_BACK;
        }
        match self.game().termination() {
            None => &KEYS,
            Some(_) => &KEYS_AT_END,
        }
    }
}

/// A short name for a player.
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

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition {
        match input {
            UserInput::Key(key) => self.handle_key(key, appearance),
            UserInput::Press(point) => self.handle_press(point, appearance),
            UserInput::Release(point) => {
                if let Some(square) = self.areas.square_at(point) {
                    if self.can_premove() {
                        self.release_premove(square);
                    } else {
                        let board = *self.game().board();
                        let result = self.move_input.release(square, &board);
                        self.handle_move_input(result);
                    }
                }
                Transition::Stay
            }
            UserInput::Paste(text) => {
                self.prompt.insert(&text);
                Transition::Stay
            }
            UserInput::Wheel { down } => {
                self.look_back(1, down);
                Transition::Stay
            }
        }
    }

    fn tick(&mut self, now: Instant) -> (bool, Transition) {
        let events = self.session.tick(now);
        let mut has_changed = !events.is_empty();
        self.handle_events(events);
        has_changed |= self.poll_hint();
        has_changed |= self.poll_card();
        if let Some(analysis) = &mut self.analysis {
            has_changed |= analysis.poll();
        }
        has_changed |= self.clocks(now) != self.shown_clocks;
        (has_changed, Transition::Stay)
    }

    fn take_bell(&mut self) -> bool {
        std::mem::take(&mut self.bell) && self.context.borrow().preferences.rings
    }

    fn is_busy(&self) -> bool {
        let analysis = self.analysis.as_ref();
        self.session.is_busy()
            || self.hint.is_some()
            || self.card_search.is_some()
            || analysis.is_some_and(|analysis| !analysis.is_done())
    }

    fn close(&mut self) -> Option<String> {
        let kept = self.session.close(Instant::now());
        kept.map(|_| "Your game is saved. Continue it with: tabiya play --resume".to_owned())
    }
}

#[cfg(test)]
mod tests;
