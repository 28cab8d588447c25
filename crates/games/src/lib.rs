//! Files of chess games.
//!
//! [`Input`] opens a file and decompresses it. [`FileBatches`] splits many files into batches of whole games, and
//! [`process`] works on these batches in parallel and delivers the results in order. [`check`], [`fix`] and [`count`]
//! are such work. [`GameFile`] reads single games by their number, [`EpdLines`] reads positions, and [`convert`]
//! translates between notations. [`Pattern`] tells which positions have some material, pawn structure, pieces or ending.
//!
//! Memory is bounded however large the files are. Nothing here prints.
//!
//! ```
//! use std::io::Write;
//! use tabiya_games::{InputError, Place, Resources, check, process};
//! use tabiya_notation::PieceLetters;
//!
//! # let path = std::env::temp_dir().join(format!("tabiya-games-{}.pgn", std::process::id()));
//! std::fs::write(&path, "1. e4 e5 2. Ke3 *\n\n1. d4 d5 *\n").unwrap();
//! let mut broken = Vec::new();
//! process(
//!     &[path.clone()],
//!     Resources::threads(2),
//!     |batch| check(batch, &PieceLetters::ENGLISH),
//!     |place: Place, checked: Result<tabiya_games::Checked, InputError>| {
//!         let checked = checked?;
//!         for game in &checked.broken {
//!             let at = &game.place;
//!             broken.push((place.games_before + at.index + 1, at.line, at.column));
//!         }
//!         Ok::<_, Box<dyn std::error::Error>>(checked.games)
//!     },
//! )
//! .unwrap();
//! // The first game, at line 1, column 13.
//! assert_eq!(broken, [(1, 1, 13)]);
//! # std::fs::remove_file(&path).unwrap();
//! ```
#![forbid(unsafe_code)]

mod check;
pub mod convert;
mod encoding;
mod epd_lines;
mod fix;
mod game_file;
mod input;
mod pattern;
mod process;
mod remark;
mod stats;
mod stats_report;
mod stats_text;

pub use check::{BrokenGame, Checked, GamePlace, Players, check, player_names};
pub use encoding::Encoding;
pub use epd_lines::{EpdLineError, EpdLines};
pub use fix::{Fixed, MAX_FIXED, fix};
pub use game_file::{GameFile, GameFileError, NumberedGame, PlacedError};
pub use input::{
    Input, InputError, MAX_LINE, ReadErrorSlot, display_name, is_compressed, is_standard_input,
    parse_size, read_text, total_size,
};
pub use pattern::{Pattern, PatternError, material, pawn_structure};
pub use process::{Collector, FileBatches, Place, ProcessError, Resources, process};
pub use remark::{GameRemark, Remark};
pub use stats::{LongestGame, Stats, count};
pub use stats_report::{OpeningCount, PlacedGame, ResultCounts, StatsReport};
