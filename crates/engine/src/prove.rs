//! Proofs of mate. The answer is a mate with its line, "no mate in N moves", or "undecided within the limits", never a
//! guess.
//!
//! The search tries all moves of the attacker and all replies of the defender, and skips only what cannot change the
//! answer: the last move of a mate is a check, and one good reply refutes a move. It ignores repetitions and the
//! fifty-move rule, which hardly ever matter within a few moves; besides, a mate on the board comes before a draw
//! claim.
//!
//! ```
//! use tabiya_board::Board;
//! use tabiya_engine::prove::{self, MateVerdict, ProofLimits};
//!
//! // The smothered mate.
//! let board: Board = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1".parse().unwrap();
//! let MateVerdict::Mate { moves, line } = prove::mate(&board, 4, &ProofLimits::NONE) else { panic!() };
//! let line: Vec<String> = line.iter().map(|mv| mv.to_string()).collect();
//! assert_eq!((moves, line.join(" ").as_str()), (4, "g5f7 h8g8 f7h6 g8h8 c4g8 a8g8 h6f7"));
//! assert_eq!(prove::mate(&board, 3, &ProofLimits::NONE), MateVerdict::NoMate);
//! ```

mod mate_in_one;
mod order;
mod search;
mod suite;
mod table;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tabiya_board::{Board, Move};

pub(crate) use mate_in_one::mate_in_one;
use search::{Interrupted, ProofSearch};
pub use suite::{MateProblem, Proof, SuiteSummary};
use table::ProofTable;

/// The longest mate that can be proved, in moves.
pub const MAX_MOVES: u32 = 100;

/// The limits of a proof. The first one reached ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProofLimits<'a> {
    /// Most nodes to search.
    pub nodes: Option<u64>,
    /// Most time to spend.
    pub time: Option<Duration>,
    /// Stops the proof when another thread sets it.
    pub stop: Option<&'a AtomicBool>,
}

impl ProofLimits<'_> {
    /// No limits.
    pub const NONE: Self = Self {
        nodes: None,
        time: None,
        stop: None,
    };
}

/// The result of a search for a mate within a number of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateVerdict {
    /// The side to move forces mate.
    Mate {
        /// The shortest distance, in moves of the side to move.
        moves: u32,
        /// The line. The defender holds out as long as possible.
        line: Vec<Move>,
    },
    /// The side to move cannot force mate within the number of moves.
    NoMate,
    /// A limit ended the proof.
    Undecided {
        /// There is no mate within this many moves: that much is proved.
        no_mate_in: u32,
    },
}

/// Searches for the shortest mate within `moves` moves of the side to move.
///
/// The limits apply to the proof. The line is found afterwards, in less time than the proof took.
pub fn mate(board: &Board, moves: u32, limit: &ProofLimits) -> MateVerdict {
    Prover::default().mate(board, moves, limit)
}

/// Proves mates, and remembers what it has proved to answer later questions about related positions faster.
pub struct Prover {
    table: ProofTable,
    nodes: u64,
}

/// The default size of the table.
const DEFAULT_MEGABYTES: usize = 64;

impl Default for Prover {
    fn default() -> Self {
        Self::new(DEFAULT_MEGABYTES)
    }
}

impl Prover {
    /// Creates a prover with a table of this size, at least one megabyte.
    pub fn new(megabytes: usize) -> Self {
        Self {
            table: ProofTable::new(megabytes),
            nodes: 0,
        }
    }

    /// Returns the nodes searched for all proofs so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for the shortest mate within `moves` moves of the side to move; see [`mate`].
    pub fn mate(&mut self, board: &Board, moves: u32, limit: &ProofLimits) -> MateVerdict {
        self.mate_with_progress(board, moves, limit, &mut |_| {})
    }

    /// Like [`mate`](Self::mate), but reports each number of moves within which there is no mate once that is proved.
    pub fn mate_with_progress(
        &mut self,
        board: &Board,
        moves: u32,
        limit: &ProofLimits,
        report: &mut dyn FnMut(u32),
    ) -> MateVerdict {
        let mut search = ProofSearch::new(&mut self.table, limit);
        let verdict = search.shortest(board, moves, report);
        self.nodes += search.nodes();
        verdict
    }

    /// Returns whether the side to move can force mate within `moves` moves; `None` if a limit ended the proof.
    pub fn can_mate(&mut self, board: &Board, moves: u32, limit: &ProofLimits) -> Option<bool> {
        let mut search = ProofSearch::new(&mut self.table, limit);
        let mut answer = Ok(false);
        for moves in 1..=moves.min(MAX_MOVES) {
            answer = search.attack(board, moves);
            if answer != Ok(false) {
                break;
            }
        }
        self.nodes += search.nodes();
        match answer {
            Ok(false) if moves > MAX_MOVES => None,
            Ok(answer) => Some(answer),
            Err(Interrupted) => None,
        }
    }

    /// Returns whether a legal move lets the opponent force mate within `moves` moves; `None` if a limit ended the
    /// proof.
    ///
    /// # Panics
    ///
    /// Panics if the move is not legal.
    pub fn allows_mate(
        &mut self,
        board: &Board,
        mv: Move,
        moves: u32,
        limit: &ProofLimits,
    ) -> Option<bool> {
        self.can_mate(&board.after(mv), moves, limit)
    }
}
