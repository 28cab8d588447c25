//! A good move, and why it is good.

use std::fmt;

use tabiya_board::{Board, Color, GameHistory, Move};
use tabiya_display::variation::format_variation;
use tabiya_engine::prove::{MateVerdict, ProofLimits, Prover};
use tabiya_engine::{Engine, Limits, SearchEvent, StopSignal};
use tabiya_notation::Score;
use tabiya_notation::write_san;

/// The longest mate that is proved.
const MATE_MOVES: u32 = 5;
/// The longest threat of mate that is reported.
const THREAT_MOVES: u32 = 2;
/// Node limits of the proofs and the search: less than a second.
const PROOF_NODES: u64 = 400_000;
const SEARCH_NODES: u64 = 400_000;
/// The size of the prover's table in megabytes: more than it needs.
const PROOF_MEMORY: usize = 16;

/// A good move, and why it is good. Prints as a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The move.
    pub mv: Move,
    /// The reason.
    pub reason: HintReason,
    board: Board,
}

/// Why a move is good.
#[derive(Clone, PartialEq, Debug)]
pub enum HintReason {
    /// It is the only legal move.
    Only,
    /// It forces mate (proved).
    Mate {
        /// The moves to mate.
        moves: u32,
        /// The mating line.
        line: Vec<Move>,
    },
    /// It prevents mate by the opponent (proved).
    PreventsMate {
        /// The moves to mate.
        moves: u32,
        /// The engine's line.
        line: Vec<Move>,
    },
    /// It is the engine's choice.
    Best {
        /// The score for the side to move.
        score: Score,
        /// The engine's line.
        line: Vec<Move>,
    },
}

impl Hint {
    /// Finds a hint for the side to move; `None` if there is no legal move. Takes a second or less; the signal ends it
    /// earlier.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// use tabiya_engine::StopSignal;
    /// use tabiya_play::Hint;
    /// let board: Board = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1".parse().unwrap();
    /// let hint = Hint::find(&board.into(), &StopSignal::default()).unwrap();
    /// assert_eq!(hint.to_string(), "Rd8# mates");
    /// ```
    pub fn find(line: &GameHistory, signal: &StopSignal) -> Option<Self> {
        let board = *line.board();
        let hint = |mv, reason| Some(Self { mv, reason, board });
        let legal = board.legal_moves();
        if let &[only] = &legal[..]
            && !board.after(only).is_checkmate()
        {
            return hint(only, HintReason::Only);
        }
        let limit = ProofLimits {
            nodes: Some(PROOF_NODES),
            ..ProofLimits::NONE
        };
        let mut prover = Prover::new(PROOF_MEMORY);
        if let MateVerdict::Mate { moves, line } = prover.mate(&board, MATE_MOVES, &limit)
            && let Some(&first) = line.first()
        {
            return hint(first, HintReason::Mate { moves, line });
        }
        let limits = Limits {
            nodes: Some(SEARCH_NODES),
            ..Limits::default()
        };
        let ignore = &mut |_: &SearchEvent| {};
        let thought = Engine::default().think_until(line, &limits, signal, ignore)?;
        let (mv, line) = (thought.best, thought.info.pv);
        if let Some(passed) = board.null_move()
            && let MateVerdict::Mate { moves, .. } = prover.mate(&passed, THREAT_MOVES, &limit)
            && prover.allows_mate(&board, mv, moves, &limit) == Some(false)
        {
            return hint(mv, HintReason::PreventsMate { moves, line });
        }
        let score = thought.info.score;
        hint(mv, HintReason::Best { score, line })
    }

    /// The move in SAN.
    pub fn san(&self) -> String {
        write_san(&self.board, self.mv).to_string()
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let san = self.san();
        let expected = |line: &[Move]| format_variation(&self.board, line);
        match &self.reason {
            HintReason::Only => write!(f, "{san} is the only legal move"),
            HintReason::Mate { moves: 1, .. } => write!(f, "{san} mates"),
            HintReason::Mate { moves, line } => {
                write!(f, "{san} mates in {moves}: {}", expected(line))
            }
            HintReason::PreventsMate { moves, line } => write!(
                f,
                "{san} prevents mate in {moves}; the engine expects {}",
                expected(line)
            ),
            HintReason::Best { score, line } => write!(
                f,
                "{san} ({}); the engine expects {}",
                format_score(*score, self.board.turn()),
                expected(line)
            ),
        }
    }
}

/// Formats a score of the side to move for people: in pawns from White's point of view (`+0.35`), or as a mate.
pub fn format_score(score: Score, turn: Color) -> String {
    match score {
        Score::Cp(points) => {
            let for_white = if turn.is_white() { points } else { -points };
            format!("{:+.2}", f64::from(for_white) / 100.0)
        }
        Score::Mate(0) => format!("{turn} is mated"),
        Score::Mate(moves) => {
            let winner = if moves > 0 { turn } else { !turn };
            format!("{winner} mates in {}", moves.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(fen: &str) -> Hint {
        let board: Board = fen.parse().unwrap();
        Hint::find(&board.into(), &StopSignal::default()).unwrap()
    }

    #[test]
    fn mates_are_found() {
        let smothered = hint("r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1");
        assert_eq!(
            smothered.to_string(),
            "Nf7+ mates in 4: 1. Nf7+ Kg8 2. Nh6+ Kh8 3. Qg8+ Rxg8 4. Nf7#"
        );
    }

    #[test]
    fn mate_threats_are_prevented() {
        // White threatens Qxf7.
        let threatened = hint("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
        assert!(
            matches!(threatened.reason, HintReason::PreventsMate { moves: 1, .. }),
            "{threatened}"
        );
        assert!(threatened.to_string().contains("prevents mate in 1"));
    }

    #[test]
    fn other_hints_come_from_the_engine() {
        let start = hint("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(matches!(start.reason, HintReason::Best { .. }), "{start}");
        assert!(
            start.to_string().contains("the engine expects 1. "),
            "{start}"
        );
        let only = hint("7k/8/8/8/8/8/6r1/7K w - - 0 1");
        assert_eq!(only.to_string(), "Kxg2 is the only legal move");
        let mated: Board = "7k/8/8/8/8/8/1r6/r6K w - - 0 1".parse().unwrap();
        assert_eq!(Hint::find(&mated.into(), &StopSignal::default()), None);
    }

    #[test]
    fn scores_are_formatted() {
        for (score, turn, text) in [
            (Score::Cp(35), Color::White, "+0.35"),
            (Score::Cp(35), Color::Black, "-0.35"),
            (Score::Mate(3), Color::Black, "Black mates in 3"),
            (Score::Mate(-2), Color::Black, "White mates in 2"),
        ] {
            assert_eq!(format_score(score, turn), text);
        }
    }
}
