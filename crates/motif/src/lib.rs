//! Why a move is good or bad, in words that are proved.
//!
//! An [`Idea`] is a move with the line that an engine expects. [`Idea::explain`] finds the [`Motif`]s of the move: it
//! forks king and rook, wins the queen, stops mate, develops the bishop. Every motif is proved on the board by small
//! searches, whatever the line says; the line only tells where to look. What cannot be proved is not said.
//!
//! ```
//! use tabiya_board::{Board, Square};
//! use tabiya_motif::Idea;
//!
//! let board: Board = "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1".parse().unwrap();
//! let mv = board.legal_move(Square::B5, Square::C7, None).unwrap();
//! let explanation = Idea::new(&board, &[mv]).explain();
//! assert_eq!(explanation.words().unwrap(), "forks king and rook and wins the rook");
//! ```
//!
//! The crate needs only the rules and the notation, so it works in a browser too.
#![forbid(unsafe_code)]

mod explanation;
mod finder;
mod mate_pattern;
mod mistake;
mod motif;
mod placing;
mod quiet;
mod solver;

pub use explanation::{Idea, MoveMotifs};
pub use mate_pattern::MatePattern;
pub use mistake::{Mistake, explain_mistake};
pub use motif::{Motif, Target};
pub use solver::piece_value;
