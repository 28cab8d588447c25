//! The libraries that are raced, each behind the same narrow trait.
//!
//! An adapter says how its library reads a position, counts the legal moves and plays them; the
//! searches on top are the same code for all, compiled for each, so that what differs is the work
//! of the library alone. Only for bulk counting a library is left to a search of its own, where it
//! has one: that is how it wants to be measured. Of several ways to do the same in a library, its
//! adapter takes the one that was measured to be the fastest.

mod cozy_chess;
mod eschac;
mod shakmaty;
mod tabiya;

use std::hint::black_box;

pub use self::cozy_chess::CozyChess;
pub use self::eschac::Eschac;
pub use self::shakmaty::Shakmaty;
pub use self::tabiya::{TabiyaAvx2, TabiyaBoard, TabiyaList, TabiyaPortable, TabiyaPosition};

/// A chess library, seen as a generator and maker of moves.
pub trait Library {
    /// The name of the library.
    const NAME: &str;

    /// Its version, with what else is to be known.
    const VERSION: &str;

    /// What the library plays moves on.
    type Position;

    /// What is to be set before a search.
    fn prepare() {}

    /// Reads a position in Forsyth-Edwards Notation.
    ///
    /// # Errors
    ///
    /// When the library does not accept the position; in its own words.
    fn parse(fen: &str) -> Result<Self::Position, String>;

    /// The number of legal moves, by the fastest means of the library.
    fn count(position: &Self::Position) -> u64;

    /// Plays every legal move, by the fastest means of the library, and shows each position that
    /// results.
    fn for_each_child(position: &Self::Position, visit: impl FnMut(&Self::Position));

    /// The number of nodes at `depth`, the moves of the last ply being counted and not played.
    fn bulk(position: &Self::Position, depth: usize) -> u64 {
        match depth {
            0 => 1,
            1 => Self::count(position),
            _ => {
                let mut nodes = 0;
                Self::for_each_child(position, |child| nodes += Self::bulk(child, depth - 1));
                nodes
            }
        }
    }

    /// The number of nodes at `depth`, every move being played.
    fn make(position: &Self::Position, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        Self::for_each_child(position, |child| {
            nodes += if depth == 1 {
                // Nobody looks at the positions of the last ply: without this the compiler may
                // leave out the playing of the moves that lead there, or a part of it, and of some
                // libraries more than of others.
                black_box(child);
                1
            } else {
                Self::make(child, depth - 1)
            };
        });
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::cases::CASES;

    /// Checks the counts of a library in both modes, to depths that a build for tests can afford.
    fn counts<L: Library>() {
        for case in &CASES {
            let position = L::parse(case.fen).unwrap();
            for depth in 0..=3 {
                assert_eq!(
                    L::bulk(&position, depth),
                    case.nodes(depth),
                    "{} to depth {depth}",
                    case.name
                );
                assert_eq!(
                    L::make(&position, depth),
                    case.nodes(depth),
                    "{} to depth {depth}",
                    case.name
                );
            }
            assert_eq!(L::count(&position), case.nodes(1), "{}", case.name);
        }
    }

    #[test]
    fn cozy_chess() {
        counts::<CozyChess>();
    }

    #[test]
    fn eschac() {
        counts::<Eschac>();
    }

    #[test]
    fn shakmaty() {
        counts::<Shakmaty>();
    }

    #[test]
    fn tabiya() {
        counts::<TabiyaPosition>();
        counts::<TabiyaBoard>();
        counts::<TabiyaList>();
    }
}
