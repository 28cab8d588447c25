//! What the moves of a game were worth: every position evaluated, mistakes named, the accuracy of both players, the game
//! annotated and drawn as a graph.
//!
//! Chances, accuracy and judgements follow the formulas that Lichess publishes, so that the numbers can be compared with
//! those that players know from there.
#![forbid(unsafe_code)]

mod accuracy;
mod annotate;
mod eval;
mod judgement;
mod review;
mod svg;

pub use accuracy::{game_accuracy, move_accuracy};
pub use eval::Eval;
pub use judgement::{Advice, AdviceReason, Judgement, judge};
pub use review::{PlayerSummary, PositionEval, Review, ReviewedMove, review};
