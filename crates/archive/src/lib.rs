//! Archives of millions of games.
//!
//! An archive is a folder of Parquet files, which other programs read too: the games, every position of them sorted by
//! key, and the explorer's sums. [`build()`] makes one from PGN and [`add`] adds to it; [`Archive`] reads it.
//! `docs/archive.md` describes the files.
//!
//! ```
//! use tabiya_archive::{Archive, BuildOptions, Filter, build};
//! use tabiya_board::Board;
//!
//! # let folder = std::env::temp_dir().join(format!("tabiya-archive-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let games = folder.join("games.pgn");
//! std::fs::write(&games, "1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. d4 *\n")?;
//! let options = BuildOptions {
//!     folder: folder.join("archive"),
//!     inputs: vec![games],
//!     memory: 256_000_000,
//!     threads: 2,
//! };
//! build(&options, &mut |_| {})?;
//! let archive = Archive::open(&options.folder)?;
//! let explored = archive.explore(&Board::start(), &Filter::default())?;
//! assert_eq!(explored.moves[0].name(), "e4");
//! assert_eq!((explored.moves[0].white_wins, explored.moves[0].black_wins), (1, 1));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod archive;
mod build;
mod checked_file;
mod date;
mod entry;
mod error;
mod explore;
mod find;
mod games;
mod journal;
mod manifest;
mod parse;
mod read;
mod run;
mod sorted_tables;
mod sums;
#[cfg(any(test, feature = "synthetic"))]
pub mod synthetic;
mod table;
mod testing;

pub use archive::{Archive, ArchiveInfo, TableInfo};
pub use build::{BuildOptions, BuildProgress, BuildSummary, add, build};
pub use checked_file::BLOCK;
pub use error::ArchiveError;
pub use find::{Filter, parse_day};
pub use games::GameRow;
pub use manifest::{DataFile, InputFile, Manifest, Part};
pub use tabiya_explorer::{Explored, ExploredGame, ExploredMove};
pub use table::Table;
