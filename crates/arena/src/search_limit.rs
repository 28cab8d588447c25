//! How long an engine may think about its moves.

use std::fmt;

use tabiya_notation::TimeControl;

/// How long an engine may think about its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// Until its time runs out: a clock for the game, or a time per move.
    Time(TimeControl),
    /// Nodes per move.
    Nodes(u64),
    /// Plies per move.
    Depth(u32),
}

impl SearchLimit {
    /// Returns the limit for the tag `TimeControl`: seconds as PGN has them, or `nodes=1000`, for which it has nothing.
    pub(crate) fn to_tag(self) -> String {
        match self {
            Self::Time(control) => control.to_tag(),
            Self::Nodes(nodes) => format!("nodes={nodes}"),
            Self::Depth(depth) => format!("depth={depth}"),
        }
    }
}

/// With units: `10 s + 0.1 s per move`.
impl fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(control) => write!(f, "{control}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes per move"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}
