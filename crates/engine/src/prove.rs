//! Proofs of mate: "mate in so many, here is the line", "no mate in so many", or "not decided within the limit"; never a
//! guess.
//!
//! All moves of the attacker and all replies of the defender are looked at, except where it is proved that nothing is
//! missed: the last move of a mate is a check, and one good reply is enough to refute a move. Repetitions and the
//! fifty-move rule are not looked at: in the few moves of a proof they hardly ever matter, and a mate on the board comes
//! before the claim of a draw.
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

mod check;
mod order;
mod search;
mod table;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tabiya_board::{Board, Move};

use search::{Interrupted, Search};
use table::Table;

/// The most moves that are looked ahead. A longer mate is never decided.
pub const MAX_MOVES: u32 = 100;

/// When to give up: at whatever comes first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProofLimits<'a> {
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Time to spend.
    pub time: Option<Duration>,
    /// Somebody else gives up by setting this.
    pub stop: Option<&'a AtomicBool>,
}

impl ProofLimits<'_> {
    /// Never give up.
    pub const NONE: Self = Self {
        nodes: None,
        time: None,
        stop: None,
    };
}

/// What came of looking for a mate in at most so many moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateVerdict {
    /// The side to move forces mate.
    Mate {
        /// In so many moves of its own and not in fewer.
        moves: u32,
        /// The best moves of both sides: the defender's hold out as long as can be.
        line: Vec<Move>,
    },
    /// It does not.
    NoMate,
    /// The limit came first.
    Undecided {
        /// There is no mate in at most so many moves: that much was proved.
        no_mate_in: u32,
    },
}

/// Looks for the shortest mate in at most so many moves of the side to move.
///
/// The limit is for the proof. The line is worked out afterwards, in less time than the proof took.
pub fn mate(board: &Board, moves: u32, limit: &ProofLimits) -> MateVerdict {
    Prover::default().mate(board, moves, limit)
}

/// Proves mates and remembers what it has proved, so that later questions about positions near by are answered faster.
pub struct Prover {
    table: Table,
    looked_at: u64,
}

/// The size of the table unless another one is asked for.
const USUAL_MEGABYTES: usize = 64;

impl Default for Prover {
    fn default() -> Self {
        Self::new(USUAL_MEGABYTES)
    }
}

impl Prover {
    /// A prover with a table of so many megabytes, but never less than a small one.
    pub fn new(megabytes: usize) -> Self {
        Self {
            table: Table::new(megabytes),
            looked_at: 0,
        }
    }

    /// How many positions were looked at, for all questions so far.
    pub const fn nodes(&self) -> u64 {
        self.looked_at
    }

    /// Looks for the shortest mate in at most so many moves of the side to move; see [`mate`].
    pub fn mate(&mut self, board: &Board, moves: u32, limit: &ProofLimits) -> MateVerdict {
        self.mate_with_progress(board, moves, limit, &mut |_| {})
    }

    /// The same, and reports each number of moves in which there is no mate as soon as that is proved.
    pub fn mate_with_progress(
        &mut self,
        board: &Board,
        moves: u32,
        limit: &ProofLimits,
        report: &mut dyn FnMut(u32),
    ) -> MateVerdict {
        let mut search = Search::new(&mut self.table, limit);
        let verdict = search.shortest(board, moves, report);
        self.looked_at += search.nodes();
        verdict
    }

    /// Whether the side to move can force mate in at most so many moves; nothing if the limit came first.
    pub fn can_mate(&mut self, board: &Board, moves: u32, limit: &ProofLimits) -> Option<bool> {
        let mut search = Search::new(&mut self.table, limit);
        let mut answer = Ok(false);
        for moves in 1..=moves.min(MAX_MOVES) {
            answer = search.attack(board, moves);
            if answer != Ok(false) {
                break;
            }
        }
        self.looked_at += search.nodes();
        match answer {
            Ok(false) if moves > MAX_MOVES => None,
            Ok(answer) => Some(answer),
            Err(Interrupted) => None,
        }
    }

    /// Whether a legal move lets the opponent force mate in at most so many moves; nothing if the limit came first.
    ///
    /// # Panics
    ///
    /// If the move is not legal.
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
