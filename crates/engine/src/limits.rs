//! How long to think.

use std::time::Duration;

/// When a search has to end: at whatever comes first. Without any limit it goes on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
}
