//! A chess engine: it thinks about a position, and proves mates.
// There is one prefetch, and one request for large pages.
#![deny(unsafe_code)]

pub mod bench;
pub mod book;
mod checks;
mod clock;
mod engine;
mod eval;
mod history;
mod limits;
mod ordering;
pub mod prove;
mod score;
mod search;
mod see;
mod strength;
mod tt;

pub use engine::{Certainty, Engine, Info, News, NoMemory, Thought};
pub use eval::{Network, NetworkError};
pub use limits::{GameClock, Limits, Signal};
pub use score::Score;
pub use strength::{Level, Strength};
