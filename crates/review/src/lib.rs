//! Analysis of games and positions: evaluations, mistakes, accuracy, annotated PGN, reports, graphs and JSON.
//!
//! Winning chances, accuracy and judgements follow the formulas that Lichess publishes, so the numbers are comparable.
#![forbid(unsafe_code)]

mod accuracy;
mod annotate;
mod card;
mod epd;
mod eval;
mod graph;
mod json;
mod judgement;
mod mate;
mod position;
mod progress;
mod report;
mod review;
mod svg;
mod table;

pub use accuracy::{game_accuracy, move_accuracy};
pub use card::{GameCard, PlayerCard, WorstMove};
pub use epd::{AnalysedEpd, EpdSummary, annotate_epd};
pub use eval::Eval;
pub use json::{AnalysisJson, EpdJson, GameJson};
pub use judgement::{Advice, AdviceReason, Judgement, judge};
pub use mate::MateJson;
pub use position::{PositionAnalysis, analyse_position};
pub use progress::ReviewProgress;
pub use report::report;
pub use review::{PlayerSummary, PositionEval, Review, ReviewedMove, review};
