//! Tabiya measured side by side with other chess libraries.
//!
//! The binaries of this crate are the benchmarks; what they share is here. How they measure, and
//! why so, is told in the README next to this crate.

pub mod cases;
pub mod clock;
pub mod race;
pub mod rivals;
pub mod stockfish;
pub mod table;
