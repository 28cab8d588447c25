//! What all screens share: preferences, the game store, and functions to read and write files.

use std::cell::RefCell;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tabiya_board::{Board, GameHistory};
use tabiya_notation::pgn;
use tabiya_play::{
    Chess960Start, EngineCommand, Game, GameSetup, Level, Opponent, Player, RecordError, SavedGame,
    Session, SessionOptions, Settings, SettingsError, SideChoice, Store, TimeControl,
};

use crate::appearance::{Appearance, PieceStyle};
use crate::explorer::ExplorerPanel;
use crate::replay::GameSource;
use crate::setup::StartChoice;
use crate::theme::Theme;

/// Opens a file of games.
pub type OpenGames = dyn Fn(&Path) -> Result<Box<dyn GameSource>, Box<dyn Error>>;
/// Saves a game to a file, after the games that are in it.
pub type SaveGame = dyn Fn(&Path, &pgn::Game) -> Result<SavedGame, Box<dyn Error>>;
/// Sets up another game like the first.
pub type NewGame = dyn FnMut() -> Game;

/// What all screens share.
pub struct Context {
    pub(crate) preferences: Preferences,
    settings: Settings,
    pub(crate) store: Store,
    pub(crate) open: Box<OpenGames>,
    pub(crate) save: Rc<SaveGame>,
    /// The archive whose explorer the analysis boards show.
    archive: Option<PathBuf>,
}

pub(crate) type SharedContext = Rc<RefCell<Context>>;

impl Context {
    /// Creates a context.
    pub fn new(
        settings: Settings,
        store: Store,
        open: Box<OpenGames>,
        save: Rc<SaveGame>,
    ) -> Result<Self, SettingsError> {
        Ok(Self {
            preferences: Preferences::of(&settings)?,
            archive: settings.archive()?,
            settings,
            store,
            open,
            save,
        })
    }

    /// The explorer for an analysis board, if there is an archive.
    pub(crate) fn explorer(&self) -> Option<ExplorerPanel> {
        self.archive.as_deref().map(ExplorerPanel::of_folder)
    }

    /// Resumes the last unfinished game.
    pub(crate) fn resume(&self) -> Result<Option<Game>, RecordError> {
        self.store.resume(&self.settings.engines())
    }

    /// The appearance that fits the terminal and the settings.
    pub fn appearance(&self, wants_color: bool) -> Result<Appearance, SettingsError> {
        let theme = Theme::named(&self.settings.get("theme")?);
        let mut appearance =
            Appearance::detect(wants_color, theme.unwrap_or(Theme::default_theme()));
        if self.settings.get("pieces")? == "letters" {
            appearance.figures = PieceStyle::Letters;
        }
        Ok(appearance)
    }

    /// Saves the preferences to the settings file.
    pub(crate) fn save_settings(&mut self, appearance: &Appearance) -> Result<(), SettingsError> {
        let preferences = &self.preferences;
        let level = preferences.level.number().to_string();
        let control = preferences.control.to_notation();
        let pieces = match appearance.figures {
            PieceStyle::Glyphs => "figures",
            PieceStyle::Letters => "letters",
        };
        for (name, value) in [
            ("name", preferences.name.as_str()),
            ("theme", appearance.theme.name),
            ("pieces", pieces),
            ("level", &level),
            ("side", preferences.side.code()),
            ("clock", &control),
            ("pace", switch(preferences.paced)),
            ("resigns", switch(preferences.resigns)),
            ("thinking", switch(preferences.shows_thinking)),
            ("eval", switch(preferences.shows_eval)),
            ("bell", switch(preferences.rings)),
        ] {
            // Write changes only, so that other settings follow future defaults.
            if self.settings.get(name)? != value {
                self.settings.set(name, value)?;
            }
        }
        self.settings.save()
    }

    /// The engines that the user has played before.
    pub(crate) fn engines(&self) -> Vec<EngineCommand> {
        self.settings.engines()
    }

    /// Remembers an engine that the user plays.
    pub(crate) fn remember_engine(&mut self, engine: &EngineCommand) -> Result<(), SettingsError> {
        self.settings.remember_engine(engine)
    }

    /// Starts a session for a game.
    pub(crate) fn session(&self, game: Game) -> Session {
        let options = SessionOptions {
            // A different seed for each game.
            seed: random_seed(),
            paced: self.preferences.paced,
            resigns: self.preferences.resigns,
            offers_draws: true,
        };
        Session::new(game, self.store.clone(), options)
    }
}

const fn switch(is_on: bool) -> &'static str {
    if is_on { "true" } else { "false" }
}

/// The user's preferences.
// Each switch is a separate setting.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug)]
pub(crate) struct Preferences {
    pub(crate) name: String,
    pub(crate) level: Level,
    pub(crate) side: SideChoice,
    pub(crate) control: TimeControl,
    /// Whether the weaker levels take as long for a move as a person would.
    pub(crate) paced: bool,
    /// Whether the computer resigns lost positions.
    pub(crate) resigns: bool,
    /// Whether to show what the computer is thinking.
    pub(crate) shows_thinking: bool,
    /// Whether to show the evaluation bar.
    pub(crate) shows_eval: bool,
    /// Whether to ring the bell when it is a person's turn.
    pub(crate) rings: bool,
}

impl Preferences {
    fn of(settings: &Settings) -> Result<Self, SettingsError> {
        Ok(Self {
            name: settings.get("name")?,
            level: settings.level()?,
            side: settings.get("side")?.parse().unwrap_or_default(),
            control: settings.clock()?,
            paced: settings.is_on("pace")?,
            resigns: settings.is_on("resigns")?,
            shows_thinking: settings.is_on("thinking")?,
            shows_eval: settings.is_on("eval")?,
            rings: settings.is_on("bell")?,
        })
    }

    /// A game against the computer.
    pub(crate) fn game(&self, opponent: Opponent, start: StartChoice) -> Game {
        let (start, chess960) = start_of(start);
        let setup = GameSetup {
            start,
            chess960,
            side: self.side,
            level: self.level,
            clock: self.control,
            person: Some(self.name.clone()),
            opponent,
        };
        setup.game(random_seed())
    }

    /// A game between two people at one keyboard.
    pub(crate) fn game_of_two(&self, start: StartChoice) -> Game {
        let players = [Player::person("White"), Player::person("Black")];
        let start = match start_of(start) {
            (_, Some(Chess960Start::Number(number))) => Board::chess960_start(number).into(),
            (_, Some(Chess960Start::Random)) => {
                Board::chess960_start((random_seed() % 960) as u16).into()
            }
            (start, None) => start,
        };
        Game::new(start, players, self.control)
    }
}

/// The history that a game starts with, or its Chess960 position.
fn start_of(start: StartChoice) -> (GameHistory, Option<Chess960Start>) {
    match start {
        StartChoice::Standard => (GameHistory::default(), None),
        StartChoice::Chess960(chess960) => (GameHistory::default(), Some(chess960)),
        StartChoice::Position(board) => (board.into(), None),
    }
}

/// A random number.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // The standard library seeds its hash maps randomly.
    RandomState::new().hash_one(0)
}
