//! The colours of the board, for `tabiya board` and for the default theme of the full screen.
//!
//! White and black figures have a contrast of at least 3 to 1 on each of them.

/// A light and a dark square, in the 256-colour palette.
pub type SquarePair = [u8; 2];

/// Squares.
pub const PLAIN: SquarePair = [137, 95];
/// The squares of a move. They differ from plain squares in brightness too.
pub const MOVE: SquarePair = [64, 100];
/// The pieces that forbid a move, or a king in check.
pub const CULPRIT: SquarePair = [167, 131];
