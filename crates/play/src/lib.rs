//! A game of chess in progress: players, clock, takebacks, draws, hints, and a record on disk that survives a crash.
//!
//! A [`Game`] is a state machine. It never waits and never reads the system clock: the caller passes the time in. Every
//! event is written to the [`GameRecord`] before the caller sees it.
//!
//! ```
//! use std::time::Instant;
//! use tabiya_board::{Color, GameHistory};
//! use tabiya_play::{Game, Player, TimeControl};
//!
//! let players = [Player::person("Ann"), Player::person("Bob")];
//! let mut game = Game::new(GameHistory::default(), players, TimeControl::None);
//! let now = Instant::now();
//! for san in ["f3", "e5", "g4"] {
//!     game.play_text(san, now)?;
//! }
//! assert!(game.play_text("Qh5", now).is_err());
//! game.play_text("Qh4", now)?;
//! assert_eq!(game.termination().unwrap().winner(), Some(Color::Black));
//! # Ok::<(), tabiya_play::ActionError>(())
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Game`] | the game: side to move, actions, result |
//! | [`Session`] | a game with its computer players and its store: what a user interface needs |
//! | [`ComputerPlayer`] | Tabiya's engine or another one, thinking in its own thread |
//! | [`Console`] | a game played line by line |
//! | [`GameSetup`] | who plays which side of a new game, from which position |
//! | [`Hint`] | a good move and why it is good |
//! | [`GameCommand`] | a command that a player types |
//! | [`Settings`] | the user's settings, in a TOML file |
//! | [`Store`] | the folder of unfinished games and the collection of finished games |
#![forbid(unsafe_code)]

mod action_error;
mod clock;
mod collection;
mod command;
mod computer;
mod console;
mod date_time;
mod engines;
mod event;
mod folders;
mod game;
mod hint;
mod material;
mod parse_move;
mod player;
mod record;
mod resign_draw;
mod session;
mod settings;
mod setup;
mod store;
mod termination;

pub use tabiya_notation::{TimeControl, TimeControlError};

pub use action_error::ActionError;
pub use clock::{Clock, format_clock};
pub use collection::{Collection, CollectionError, SavedGame};
pub use command::{COMMANDS, GameCommand, GameCommandError};
pub use computer::{ComputerPlayer, PlayerUpdate, quick_eval};
pub use console::{Console, ConsoleIo, ConsoleOptions, LineInput, LineReader, explain_move};
pub use date_time::UtcDateTime;
pub use engines::find_engines;
pub use event::GameEvent;
pub use folders::{HomeFolderError, config_file, data_folder};
pub use game::{Game, MoveTime};
pub use hint::{Hint, format_score};
pub use material::{Material, captures};
pub use parse_move::{ParseMoveError, parse_move};
pub use player::Player;
pub use record::{GameRecord, RecordError, RecordFormatError};
pub use resign_draw::accepts_draw;
pub use session::{Session, SessionEvent, SessionOptions};
pub use settings::{SETTINGS, Setting, Settings, SettingsError};
pub use setup::{Chess960Start, GameSetup, Opponent, OpponentError, SetupChoiceError, SideChoice};
pub use store::Store;
pub use tabiya_engine::Level;
pub use tabiya_uci::EngineCommand;
pub use termination::Termination;
