//! A chess engine: searches positions for the best move, and proves mates.

// `unsafe` is allowed only for the SIMD kernels of the network, and for prefetching and huge pages of the table.
#![deny(unsafe_code)]

pub mod bench;
pub mod book;
mod checks;
pub mod clock;
mod correction;
mod engine;
mod eval;
mod history;
mod limits;
mod move_picker;
pub mod prove;
mod score;
mod search;
mod see;
mod strength;
pub mod suite;
mod thread;
mod threats;
mod time;
mod tt;
#[cfg(feature = "tuning")]
pub mod tuning;

pub use engine::{Engine, HashSizeError, SearchEvent, SearchResult, ThreadsError};
pub use eval::{Network, NetworkError};
pub use limits::{GameClock, Limits, StopSignal};
pub use strength::{Level, Strength};
pub use thread::EngineThread;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
