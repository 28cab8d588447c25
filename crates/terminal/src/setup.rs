//! The setup page of a game: opponent, level, colour, clock, position.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use tabiya_board::Board;
use tabiya_play::{
    Chess960Start, EngineCommand, Level, Opponent, SideChoice, TimeControl, find_engines,
};

use crate::app::{Screen, Transition, UserInput};
use crate::appearance::Appearance;
use crate::context::{Preferences, SharedContext};
use crate::game::GameScreen;
use crate::game_view::Message;
use crate::keys::Key;
use crate::list::{self, List, ListAction, ListEntry, Page};
use crate::prompt::Prompt;
use crate::replay::is_fen;
use crate::text;

const KEYS: [Key; 4] = [
    Key::plain(KeyCode::Enter, "play"),
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Right, "change"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The key bar on a row where one can type.
const KEYS_AT_TEXT: [Key; 4] = [
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Right, "change"),
    Key::plain(KeyCode::Enter, "type"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The key bar while text is typed.
const KEYS_TYPING: [Key; 2] = [
    Key::plain(KeyCode::Enter, "done"),
    Key::plain(KeyCode::Esc, "cancel"),
];

/// The time controls to choose from.
const CONTROLS: [&str; 9] = [
    "none", "1+0", "3+2", "5+0", "5+3", "10+0", "15+10", "30+20", "30s/move",
];

/// The setup page.
pub(crate) struct SetupScreen {
    context: SharedContext,
    preferences: Preferences,
    is_of_two: bool,
    opponent: Opponent,
    /// The engines to choose from: those that were played before, and those found on this computer.
    engines: Vec<EngineCommand>,
    start: StartChoice,
    list: List,
    typing: Option<Prompt>,
    handshake: Option<Handshake>,
}

/// The position a game starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum StartChoice {
    #[default]
    Standard,
    Chess960(Chess960Start),
    Position(Board),
}

impl StartChoice {
    /// Parses a FEN or the number of a Chess960 position.
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if is_fen(text) {
            let board = text.parse().map(Self::Position);
            return board.map_err(|error| format!("invalid FEN: {error}"));
        }
        let start = text.parse().map(Self::Chess960);
        start.map_err(|_| "enter a FEN, or the number of a Chess960 position, 0 to 959".to_owned())
    }

    fn entry(self) -> ListEntry {
        let (value, detail) = match self {
            Self::Standard => ("standard".to_owned(), "the starting position".to_owned()),
            Self::Chess960(Chess960Start::Random) => {
                ("Chess960".to_owned(), "a random position".to_owned())
            }
            Self::Chess960(Chess960Start::Number(number)) => {
                let board = Board::chess960_start(number).to_string();
                let rank = board
                    .split(' ')
                    .next()
                    .and_then(|ranks| ranks.rsplit('/').next());
                let rank = rank.unwrap_or_default().to_owned();
                (format!("Chess960 {number}"), rank)
            }
            Self::Position(board) => ("from a FEN".to_owned(), board.to_string()),
        };
        ListEntry::set("Position", value, &detail)
    }
}

/// An engine that is starting.
struct Handshake {
    engine: EngineCommand,
    answer: Receiver<Result<(), String>>,
}

/// A row of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Play,
    Opponent,
    Set(Choice),
    Start,
}

/// A choice about a game, here and in the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Level,
    Side,
    Control,
}

impl Choice {
    pub(crate) fn entry(self, preferences: &Preferences) -> ListEntry {
        match self {
            Self::Level => {
                let level = preferences.level;
                let name = format!("{} {}", level.number(), level.name());
                ListEntry::set("Level", name, &level_detail(level))
            }
            Self::Side => ListEntry::set("Your colour", side_name(preferences.side), ""),
            Self::Control => ListEntry::set(
                "Clock",
                preferences.control.to_string(),
                "time per game and per move",
            ),
        }
    }

    /// The widest value it can have, so that the columns stay where they are.
    pub(crate) fn widest(self) -> usize {
        let widths = |names: &mut dyn Iterator<Item = String>| {
            names.map(|name| text::columns(&name)).max().unwrap_or(0)
        };
        match self {
            Self::Level => widths(
                &mut Level::ALL
                    .iter()
                    .map(|level| format!("{} {}", level.number(), level.name())),
            ),
            Self::Side => widths(&mut SideChoice::ALL.iter().map(|side| side_name(*side).into())),
            Self::Control => widths(&mut controls().iter().map(TimeControl::to_string)),
        }
    }

    /// Changes to the next or previous value.
    pub(crate) fn change(self, preferences: &mut Preferences, on: bool) {
        match self {
            Self::Level => preferences.level = turned(&Level::ALL, &preferences.level, on),
            Self::Side => preferences.side = turned(&SideChoice::ALL, &preferences.side, on),
            Self::Control => {
                preferences.control = turned(&controls(), &preferences.control, on);
            }
        }
    }
}

/// A level's rating and description.
pub(crate) fn level_detail(level: Level) -> String {
    match level.rating() {
        Some(rating) => format!("about {rating}; {}", level.description()),
        None => level.description().to_owned(),
    }
}

fn controls() -> Vec<TimeControl> {
    let controls = CONTROLS.iter().filter_map(|text| text.parse().ok());
    controls.collect()
}

const fn side_name(side: SideChoice) -> &'static str {
    match side {
        SideChoice::White => "White",
        SideChoice::Black => "Black",
        SideChoice::Random => "random",
    }
}

/// The next or previous value, cyclically. An unknown value counts as the first.
pub(crate) fn turned<T: Clone + PartialEq>(all: &[T], from: &T, on: bool) -> T {
    let at = all.iter().position(|other| other == from).unwrap_or(0);
    let step = if on { 1 } else { all.len() - 1 };
    all[(at + step) % all.len()].clone()
}

impl SetupScreen {
    pub(crate) fn new(context: SharedContext, is_of_two: bool) -> Self {
        let preferences = context.borrow().preferences.clone();
        let mut engines = context.borrow().engines();
        for engine in find_engines() {
            if !engines.contains(&engine) {
                engines.push(engine);
            }
        }
        Self {
            context,
            preferences,
            is_of_two,
            opponent: Opponent::Computer,
            engines,
            start: StartChoice::default(),
            list: List::default(),
            typing: None,
            handshake: None,
        }
    }

    const fn rows(&self) -> &'static [Row] {
        if self.is_of_two {
            &[Row::Play, Row::Set(Choice::Control), Row::Start]
        } else {
            &[
                Row::Play,
                Row::Opponent,
                Row::Set(Choice::Level),
                Row::Set(Choice::Side),
                Row::Set(Choice::Control),
                Row::Start,
            ]
        }
    }

    fn row(&self) -> Row {
        self.rows()[self.list.chosen]
    }

    const fn plays_engine(&self) -> bool {
        matches!(self.opponent, Opponent::Engine(_))
    }

    fn entry(&self, row: Row) -> ListEntry {
        match row {
            Row::Play => ListEntry::new("Play", "start the game"),
            Row::Set(Choice::Level) if self.plays_engine() => {
                ListEntry::set("Level", "its own", "an engine's options can make it weaker")
            }
            Row::Set(choice) => choice.entry(&self.preferences),
            Row::Start => self.start.entry(),
            Row::Opponent => {
                if let Opponent::Engine(engine) = &self.opponent {
                    let name = text::clipped(engine.name(), 20);
                    let line = text::printable(&engine.to_string());
                    return ListEntry::set("Opponent", name, &line);
                }
                let others = match self.engines.len() {
                    0 => "Enter types the command of another engine".to_owned(),
                    1 => "or another engine on this computer".to_owned(),
                    count => format!("or one of {count} others on this computer"),
                };
                ListEntry::set("Opponent", "Tabiya", &others)
            }
        }
    }

    fn change(&mut self, on: bool) {
        self.list.message = Message::default();
        match self.row() {
            Row::Play => {}
            Row::Set(Choice::Level) if self.plays_engine() => {}
            Row::Set(choice) => choice.change(&mut self.preferences, on),
            Row::Opponent => {
                let mut all = vec![Opponent::Computer];
                all.extend(self.engines.iter().cloned().map(Opponent::Engine));
                self.opponent = turned(&all, &self.opponent, on);
                if all.len() == 1 {
                    self.list.message =
                        Message::note("No engine was found. Enter types the command of one.");
                }
            }
            Row::Start => {
                let mut all = vec![
                    StartChoice::Standard,
                    StartChoice::Chess960(Chess960Start::Random),
                ];
                if !all.contains(&self.start) {
                    all.push(self.start);
                }
                self.start = turned(&all, &self.start, on);
            }
        }
    }

    /// Opens the prompt of a row, if it has one. Returns whether it has.
    fn begin_typing(&mut self) -> bool {
        self.list.message = Message::default();
        self.typing = match self.row() {
            Row::Opponent => Some(Prompt::new(
                "Engine",
                "a command, such as stockfish UCI_Elo=1500",
            )),
            Row::Start => Some(Prompt::new(
                "Position",
                "a FEN, or a Chess960 number, 0 to 959",
            )),
            _ => None,
        };
        self.typing.is_some()
    }

    fn type_key(&mut self, key: KeyEvent) {
        let Some(prompt) = &mut self.typing else {
            return;
        };
        match key.code {
            KeyCode::Esc => self.typing = None,
            KeyCode::Enter => {
                let text = prompt.text();
                self.accept(&text);
            }
            _ => {
                prompt.edit(key);
            }
        }
    }

    /// Takes what was typed or pasted.
    fn accept(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.typing = None;
            return;
        }
        if self.row() == Row::Opponent && !is_fen(text) {
            if let Some(engine) = EngineCommand::parse(text) {
                if !self.engines.contains(&engine) {
                    self.engines.push(engine.clone());
                }
                self.opponent = Opponent::Engine(engine);
            }
            self.typing = None;
            return;
        }
        match StartChoice::parse(text) {
            Ok(start) => {
                self.start = start;
                self.typing = None;
                self.list.message = Message::default();
            }
            Err(why) => self.list.message = Message::refusal(why),
        }
    }

    /// Starts the game, or first the engine that plays it.
    fn begin(&mut self) -> Transition {
        if !self.is_of_two
            && let Opponent::Engine(engine) = &self.opponent
        {
            self.start_handshake(engine.clone());
            return Transition::Stay;
        }
        self.play()
    }

    fn play(&mut self) -> Transition {
        self.remember();
        let game = if self.is_of_two {
            self.preferences.game_of_two(self.start)
        } else {
            self.preferences.game(self.opponent.clone(), self.start)
        };
        let session = self.context.borrow().session(game);
        let screen = GameScreen::new(session, None, self.context.clone());
        Transition::Replace(Box::new(screen))
    }

    /// Offers the same choices next time.
    fn remember(&self) {
        if !self.is_of_two {
            let mut context = self.context.borrow_mut();
            context.preferences = self.preferences.clone();
        }
    }

    /// Starts the engine in the background to see whether it answers.
    fn start_handshake(&mut self, engine: EngineCommand) {
        let (sender, answer) = mpsc::channel();
        let opponent = Opponent::Engine(engine.clone());
        let started = thread::Builder::new().spawn(move || {
            let ready = opponent.check();
            // The receiver is gone if the page was left.
            let _ = sender.send(ready.map_err(|error| error.to_string()));
        });
        match started {
            Ok(_) => {
                self.list.message = Message::note(format!("Starting {} ...", engine.name()));
                self.handshake = Some(Handshake { engine, answer });
            }
            Err(error) => {
                self.list.message = Message::refusal(format!("could not start a thread: {error}"));
            }
        }
    }

    fn press(&mut self, code: KeyCode) -> Transition {
        if self.handshake.take().is_some() && code == KeyCode::Esc {
            self.list.message = Message::default();
            return Transition::Stay;
        }
        match code {
            KeyCode::Enter if self.begin_typing() => {}
            KeyCode::Enter => return self.begin(),
            KeyCode::Right | KeyCode::Char(' ' | '+' | 'l') => self.change(true),
            KeyCode::Left | KeyCode::Char('-' | 'h') => self.change(false),
            KeyCode::Esc | KeyCode::Char('q') => {
                self.remember();
                return Transition::Back;
            }
            _ => {}
        }
        Transition::Stay
    }
}

impl Screen for SetupScreen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance) {
        let entries: Vec<ListEntry> = self.rows().iter().map(|&row| self.entry(row)).collect();
        let (title, about) = if self.is_of_two {
            ("Two players", "on this computer")
        } else {
            (
                "Play the computer",
                "ten levels, from beginner to full strength, and other engines",
            )
        };
        let keys: &[Key] = match (&self.typing, self.row()) {
            (Some(_), _) => &KEYS_TYPING,
            (None, Row::Opponent | Row::Start) => &KEYS_AT_TEXT,
            (None, _) => &KEYS,
        };
        let page = Page {
            title,
            about,
            keys,
            has_prompt: true,
            value_width: Choice::Level.widest().max(Choice::Control.widest()),
        };
        self.list.draw(page, &entries, frame, appearance);
        if let Some(prompt) = &self.typing {
            list::draw_prompt(prompt, frame, appearance);
        }
    }

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition {
        if self.typing.is_some() {
            match input {
                UserInput::Key(key) => self.type_key(key),
                UserInput::Paste(text) => {
                    if let Some(prompt) = &mut self.typing {
                        prompt.insert(&text);
                    }
                }
                UserInput::Press(point) => {
                    let chosen = self.list.chosen;
                    if let ListAction::Key(code) = self.list.handle_press(point, appearance) {
                        self.type_key(KeyEvent::new(code, KeyModifiers::NONE));
                    }
                    self.list.chosen = chosen;
                }
                UserInput::Release(_) | UserInput::Wheel { .. } => {}
            }
            return Transition::Stay;
        }
        if let UserInput::Paste(text) = &input {
            if is_fen(text) {
                self.accept(text);
            }
            return Transition::Stay;
        }
        match self.list.handle(&input, appearance) {
            ListAction::Key(code) => return self.press(code),
            ListAction::Click { .. } if self.row() == Row::Play => return self.begin(),
            ListAction::Click { is_again: true } => self.change(true),
            ListAction::Wheel { down } => self.change(down),
            ListAction::Nothing | ListAction::Moved | ListAction::Click { is_again: false } => {}
        }
        Transition::Stay
    }

    fn tick(&mut self, _now: Instant) -> (bool, Transition) {
        let Some(handshake) = &self.handshake else {
            return (false, Transition::Stay);
        };
        let problem = match handshake.answer.try_recv() {
            Err(TryRecvError::Empty) => return (false, Transition::Stay),
            Ok(Ok(())) => None,
            Ok(Err(problem)) => Some(problem),
            Err(TryRecvError::Disconnected) => Some("the engine did not answer".to_owned()),
        };
        let Some(Handshake { engine, .. }) = self.handshake.take() else {
            return (false, Transition::Stay);
        };
        if let Some(problem) = problem {
            self.list.message = Message::refusal(text::printable(&problem));
            return (true, Transition::Stay);
        }
        self.list.message = Message::default();
        // Not a reason not to play.
        let _ = self.context.borrow_mut().remember_engine(&engine);
        (true, self.play())
    }

    fn is_busy(&self) -> bool {
        self.handshake.is_some()
    }
}
