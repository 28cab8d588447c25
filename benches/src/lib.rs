//! Tabiya measured side by side with other chess libraries.
//!
//! The binaries of this crate are the benchmarks; this library holds what they share. The README describes the method.

pub mod arguments;
pub mod checker;
pub mod clock;
#[cfg(feature = "tuning")]
pub mod duel;
pub mod games;
pub mod perft;
pub mod pgn;
pub mod programs;
pub mod race;
#[cfg(feature = "tuning")]
pub mod spsa;
pub mod table;
pub mod text;
pub mod versions;
