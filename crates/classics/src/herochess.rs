//! A game at the console: two people, or a person and the computer, line by line, at a terminal or through a pipe.
//!
//! The game itself is that of `tabiya_play`: whose turn it is, takebacks, how it ends, the computer that thinks. Here is
//! what makes it this program: the conversation, the pictures, the library of openings, and the files.
//!
//! ```
//! use tabiya_classics::herochess::{Options, Session};
//!
//! let typed = "1\nf2 f3\ne7 e5\ng2 g4\nd8 h4\nn\n4\n";
//! let mut printed = Vec::new();
//! Session::new(typed.as_bytes(), &mut printed, Options::default()).run()?;
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

pub use game::{End, Game};
pub use players::{Kind, Level, Player, Seats};
pub use record::{Record, RecordError};
pub use session::{Options, Session};
pub use tournament::TournamentError;
