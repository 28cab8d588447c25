//! A console game for two people, or a person and the computer. It works at a terminal and through a pipe.
//!
//! `tabiya_play` runs the game itself: turns, takebacks, how it ends, the computer's search. This module adds the
//! dialogue, the board drawing, the opening library and the files.
//!
//! ```
//! use tabiya_classics::herochess::{HerochessSession, Options};
//!
//! let typed = "1\nf2 f3\ne7 e5\ng2 g4\nd8 h4\nn\n4\n";
//! let mut printed = Vec::new();
//! HerochessSession::new(typed.as_bytes(), &mut printed, Options::default()).run()?;
//! let printed = String::from_utf8(printed).unwrap();
//! assert!(printed.contains("Checkmate! Player 2 (Black) wins."));
//! # Ok::<(), std::io::Error>(())
//! ```

mod computer;
mod console;
mod game;
mod menu;
mod picture;
mod players;
mod record;
mod session;
mod tournament;
mod turn;

pub use game::{ConsoleGame, HerochessEnd};
pub use players::{AiLevel, ConsolePlayer, PlayerKind, Seats};
pub use record::{HerochessRecord, HerochessRecordError};
pub use session::{HerochessSession, Options};
pub use tournament::HerochessTournamentError;
