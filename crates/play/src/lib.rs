//! One game of chess in progress: players, clock, takeback, draws, hints, and a record on disk that survives anything.
//!
//! A [`Game`] is a state machine. It never waits and never looks at a clock itself: the caller passes the time in. What
//! happens is written to the game's [`Record`] before the caller hears of it.
//!
//! ```
//! use std::time::Instant;
//! use tabiya_board::{Color, Line};
//! use tabiya_play::{Game, Player, TimeControl};
//!
//! let players = [Player::person("Ann"), Player::person("Bob")];
//! let mut game = Game::new(Line::default(), players, TimeControl::None);
//! let now = Instant::now();
//! for san in ["f3", "e5", "g4"] {
//!     game.play_text(san, now)?;
//! }
//! let refused = game.play_text("Qh5", now).unwrap_err();
//! assert_eq!(refused.to_string(), "a queen does not move from d8 to h5");
//! game.play_text("Qh4", now)?;
//! assert_eq!(game.ending().unwrap().winner(), Some(Color::Black));
//! # Ok::<(), tabiya_play::Refused>(())
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Game`] | the game: whose turn it is, what may be done, how it ended |
//! | [`Session`] | the game with the computers that play in it and the store that keeps it: what a view needs |
//! | [`Thinker`] | the computer or another engine, which thinks in a thread of its own |
//! | [`Hint`] | a good move and why it is good |
//! | [`Command`] | what a person types during a game |
//! | [`Settings`] | what a player likes, in a TOML file |
//! | [`Store`] | the folder of unfinished games and the collection of finished ones |
//! | [`whole_file`] | files that are there as a whole or not at all |
#![forbid(unsafe_code)]

mod clock;
mod collection;
mod command;
mod ending;
mod event;
mod folders;
mod game;
mod hint;
mod manners;
mod material;
mod moment;
mod player;
mod record;
mod refused;
mod session;
mod settings;
mod store;
mod thinker;
pub mod whole_file;

pub use clock::{Clock, TimeControl, TimeControlError, clock_text};
pub use collection::{Collection, CollectionError};
pub use command::{COMMANDS, Command, CommandError};
pub use ending::Ending;
pub use event::Event;
pub use folders::{NoHome, config_file, data_folder};
pub use game::{Game, Turn};
pub use hint::{Hint, Reason, score_text, variation_text};
pub use manners::{Manners, accepts_draw};
pub use material::{Material, captures};
pub use moment::Moment;
pub use player::Player;
pub use record::{NotARecord, Record, RecordError};
pub use refused::{MoveError, Refused, read_text};
pub use session::{News, Options, Session};
pub use settings::{SETTINGS, Setting, Settings, SettingsError};
pub use store::Store;
pub use tabiya_engine::Level;
pub use tabiya_uci::Program;
pub use thinker::{Report, Thinker, Thinks};
