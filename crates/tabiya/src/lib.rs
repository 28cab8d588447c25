//! Chess under one name: the rules, every usual way to write chess down, and an engine.
//!
//! ```
//! use tabiya::engine::{Engine, Limits};
//! use tabiya::pgn::Game;
//! use tabiya::{Board, GameHistory, GameResult, MoveText};
//!
//! // A game, move by move. Illegal moves are refused, with the reason.
//! let mut history = GameHistory::new(Board::start());
//! for san in ["f3", "e5", "g4"] {
//!     history.try_play(history.board().parse_san(san)?)?;
//! }
//! let refused = history.board().parse_san("Qh5").unwrap_err();
//! assert_eq!(refused.to_string(), "queens move along ranks, files and diagonals");
//!
//! // The engine finds the mate.
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let found = Engine::default().think(&history, &limits, &mut |_info| {}).unwrap();
//! assert_eq!(history.board().san(found.best).as_str(), "Qh4#");
//! history.try_play(found.best)?;
//! assert!(history.board().is_checkmate());
//!
//! // The game as PGN.
//! let mut game = Game::new(*history.start());
//! history.moves().try_fold(Game::ROOT, |at, mv| game.play(at, mv))?;
//! game.set_result(GameResult::BlackWins);
//! assert_eq!(game.to_string(), "1. f3 e5 2. g4 Qh4# 0-1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want | |
//! |---|---|---|
//! | FEN | a board | `fen.parse::<Board>()` |
//! | a board | its legal moves | [`board.legal_moves()`](unkeyed::Position::legal_moves) |
//! | a board | each move with the board after it | [`board.children()`](Board::children) |
//! | two squares | a legal move, or why not | [`board.legal_move(from, to, promotion)`](unkeyed::Position::legal_move) |
#![cfg_attr(
    feature = "notation",
    doc = "| SAN or UCI | a legal move, or why not | [`board.parse_san(text)`](MoveText::parse_san), [`board.parse_uci(text)`](MoveText::parse_uci) |
| a move | SAN | [`board.san(mv)`](MoveText::san) |
| a file of games | the games | [`pgn::games`] |
| a game | its positions | [`game.plies()`](pgn::Game::plies) |
| an opening book | the moves of a position | [`polyglot::Book`] |"
)]
#![cfg_attr(
    feature = "engine",
    doc = "| a board | the best move | [`engine::Engine::think`] |
| a board | a proof of mate | [`engine::prove::mate`] |"
)]
//!
//! Everything of the crates [`tabiya-board`](https://docs.rs/tabiya-board) and
//! [`tabiya-notation`](https://docs.rs/tabiya-notation) is here, and [`tabiya-engine`](https://docs.rs/tabiya-engine)
//! is the module `engine`. The folder `examples/` has fifteen programs of less than thirty lines each.
//!
//! # Features
//!
//! - `engine` (default): the engine. It brings `notation`.
//! - `notation`: SAN, UCI moves, EPD, PGN, Polyglot books, openings. It brings `std`.
//! - `std`: chooses the fastest vector instructions of the processor at run time. It brings `alloc`.
//! - `alloc`: `GameHistory`. With no feature at all, the rules need only `core`.
//! - `serde`: `Serialize` and `Deserialize` for what people store.
//! - `arbitrary`: boards, moves and squares for fuzzing.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(inline)]
pub use tabiya_board::*;
#[cfg(feature = "engine")]
#[doc(inline)]
pub use tabiya_engine as engine;
#[cfg(feature = "notation")]
#[doc(inline)]
pub use tabiya_notation::*;

/// Compiles the examples of the documentation.
#[cfg(all(doctest, feature = "engine"))]
mod documentation {
    #[doc = include_str!("../README.md")]
    struct Readme;

    #[doc = include_str!("../../../README.md")]
    struct RepositoryReadme;

    #[doc = include_str!("../../../docs/library.md")]
    struct Manual;
}
