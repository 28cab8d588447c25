//! The positions and their known counts.

/// What to do with the moves of the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Count them without playing them: the speed of move generation.
    Bulk,
    /// Play them all: adds the speed of making moves.
    Make,
}

/// How to search a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The depth in plies.
    pub depth: usize,
    /// How often to repeat the search.
    pub times: u32,
}

/// A position, how to search it, and its known node counts.
#[derive(Debug)]
pub struct Case {
    /// The name of the position.
    pub name: &'static str,
    /// The position in Forsyth-Edwards Notation, all six fields.
    pub fen: &'static str,
    /// The known number of nodes at depth 0, 1, 2, and so on.
    nodes: &'static [u64],
    bulk: Search,
    make: Search,
}

impl Case {
    /// The search in the given mode; when `quick`, that of a smoke test.
    pub fn search(&self, mode: Mode, quick: bool) -> Search {
        let (full, fewer_plies) = match mode {
            Mode::Bulk => (self.bulk, 2),
            Mode::Make => (self.make, 1),
        };
        if quick {
            Search {
                depth: full.depth - fewer_plies,
                times: 1,
            }
        } else {
            full
        }
    }

    /// The known number of nodes at `depth`, which is at most that of the full bulk search.
    pub fn nodes(&self, depth: usize) -> u64 {
        self.nodes[depth]
    }
}

/// The six positions of <https://www.chessprogramming.org/Perft_Results>.
///
/// Making every move takes several times as long per node as counting the last ones, so the depths
/// are lower there, and a round of either mode takes a few seconds. The repetitions keep one
/// position from outweighing the others: each has 16 to 22 million nodes.
pub const CASES: [Case; 6] = [
    Case {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        nodes: &[1, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
        bulk: Search { depth: 6, times: 1 },
        make: Search { depth: 5, times: 4 },
    },
    Case {
        name: "Kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        nodes: &[1, 48, 2_039, 97_862, 4_085_603, 193_690_690],
        bulk: Search { depth: 5, times: 1 },
        make: Search { depth: 4, times: 4 },
    },
    Case {
        name: "position 3",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        nodes: &[1, 14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
        bulk: Search { depth: 7, times: 1 },
        make: Search { depth: 6, times: 2 },
    },
    Case {
        name: "position 4",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        nodes: &[1, 6, 264, 9_467, 422_333, 15_833_292],
        bulk: Search { depth: 5, times: 1 },
        make: Search { depth: 5, times: 1 },
    },
    Case {
        name: "position 5",
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        nodes: &[1, 44, 1_486, 62_379, 2_103_487, 89_941_194],
        bulk: Search { depth: 5, times: 1 },
        make: Search { depth: 4, times: 8 },
    },
    Case {
        name: "position 6",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        nodes: &[1, 46, 2_079, 89_890, 3_894_594, 164_075_551],
        bulk: Search { depth: 5, times: 1 },
        make: Search { depth: 4, times: 4 },
    },
];
