//! The libraries in the race, each behind the same narrow trait.
//!
//! An adapter reads a position, counts the legal moves and plays them. The search on top is the
//! same code for all libraries, so that only their own work differs. For bulk counting, a library
//! uses its own search if it has one. If a library has several ways to do something, its adapter
//! uses the fastest.

mod cozy_chess;
mod eschac;
mod shakmaty;
mod tabiya;

use std::hint::black_box;

pub use self::cozy_chess::CozyChess;
pub use self::eschac::{Eschac, EschacList};
pub use self::shakmaty::Shakmaty;
pub use self::tabiya::{
    TabiyaAvx2, TabiyaBoard, TabiyaChecked, TabiyaChildren, TabiyaList, TabiyaPortable,
    TabiyaPosition,
};

/// A chess library as a generator and maker of moves.
pub trait Library {
    /// The name of the library.
    const NAME: &str;

    /// Its version, with other remarks.
    const VERSION: &str;

    /// The library's type of a position.
    type Position;

    /// Settings before a search.
    fn prepare() {}

    /// Reads a position in Forsyth-Edwards Notation.
    ///
    /// # Errors
    ///
    /// If the library rejects the position; with its own message.
    fn parse(fen: &str) -> Result<Self::Position, String>;

    /// The number of legal moves, in the library's fastest way.
    fn count(position: &Self::Position) -> u64;

    /// Plays every legal move in the library's fastest way, and visits the positions.
    fn for_each_child(position: &Self::Position, visit: impl FnMut(&Self::Position));

    /// The number of nodes at `depth`, counting the moves of the last ply without playing them.
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

    /// The number of nodes at `depth`, playing every move.
    fn make(position: &Self::Position, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        Self::for_each_child(position, |child| {
            nodes += if depth == 1 {
                // Without this the compiler could leave out playing the last moves, for some
                // libraries more than for others, because the positions are not used.
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

    /// Checks the counts of a library in both modes, to depths that a test build can afford.
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
        counts::<EschacList>();
    }

    #[test]
    fn shakmaty() {
        counts::<Shakmaty>();
    }

    #[test]
    fn tabiya() {
        counts::<TabiyaPosition>();
        counts::<TabiyaBoard>();
        counts::<TabiyaChildren>();
        counts::<TabiyaList>();
        counts::<TabiyaChecked>();
    }
}
