//! A chess engine: it thinks about a position, and proves mates.

mod engine;
mod limits;
pub mod prove;

pub use engine::{Engine, Info, Score, Thought};
pub use limits::Limits;
