//! Chess for people's eyes: board diagrams, moves explained in words, titles and move lists of games, text in columns.
//!
//! Nothing here writes to a terminal. The functions return text, or values that implement `Display`.
//!
//! ```
//! use tabiya_board::Board;
//! use tabiya_display::explain::explain;
//! use tabiya_notation::MoveInput;
//!
//! let board = Board::start();
//! println!("{}", explain(&board, MoveInput::parse("e2e5")?)?.sentence);
//! # Ok::<(), tabiya_notation::SanError>(())
//! ```
//!
//! | module | what it has |
//! |---|---|
//! | [`diagram`] | a board drawn with letters or with figures on painted squares |
//! | [`describe`] | a position in words |
//! | [`explain`] | what a legal move does, or which rule an illegal one breaks |
//! | [`caption`] | the title of a game, its players, comments |
//! | [`boards`] | a game as a board after every move |
//! | [`tree`] | the moves of a game with their variations |
//! | [`variation`] | one variation in SAN or UCI notation |
//! | [`chart`] | bar charts |
//! | [`fen_message`] | a FEN with a mark below its error |
//! | [`progress`] | how far the reading of files is |
//! | [`json`] | positions, moves and explanations for programs |
//! | [`style`] | the colours, width and numbers of a report |
//! | [`text`] | columns of letters, padding, wrapping, lists, numbers |
#![forbid(unsafe_code)]

pub mod boards;
pub mod caption;
pub mod chart;
pub mod describe;
pub mod diagram;
pub mod explain;
pub mod fen_message;
pub mod json;
pub mod palette;
pub mod progress;
pub mod speech;
pub mod style;
pub mod text;
pub mod tree;
pub mod variation;
