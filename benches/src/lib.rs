//! Tabiya measured side by side with other chess libraries.
//!
//! The binaries of this crate are the benchmarks; what they share is here. How they measure, and
//! why so, is told in the README next to this crate.

pub mod arguments;
pub mod checker;
pub mod clock;
pub mod games;
pub mod perft;
pub mod pgn;
pub mod programs;
pub mod race;
pub mod table;
pub mod text;
pub mod versions;
