//! A good move, and why it is good.

use std::fmt;

use tabiya_board::{Board, Color, GameHistory, Move};
use tabiya_display::variation::format_variation;
use tabiya_engine::prove::{MateVerdict, ProofLimits, Prover};
use tabiya_engine::{Engine, Limits, SearchEvent, StopSignal};
use tabiya_motif::{Idea, MatePattern, Motif, MoveMotifs};
use tabiya_notation::Score;
use tabiya_notation::write_san;

/// The longest mate that is proved.
const MATE_MOVES: u32 = 5;
/// Node limits of the proof and the search: less than a second.
const PROOF_NODES: u64 = 400_000;
const SEARCH_NODES: u64 = 400_000;
/// The size of the prover's table in megabytes: more than it needs.
const PROOF_MEMORY: usize = 16;
/// The length of the line that is shown, in plies.
const LINE_PLIES: usize = 10;

/// A good move, and why it is good. Prints as the move with its reason in words, then the expected line.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The move.
    pub mv: Move,
    /// Whether it is the only legal move.
    pub is_only: bool,
    /// What the move does, proved.
    pub explanation: MoveMotifs,
    /// The move and the expected continuation.
    pub line: Vec<Move>,
    /// The score for the side to move; `None` for the only legal move, for which nothing is searched.
    pub score: Option<Score>,
    board: Board,
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
    /// assert_eq!(hint.to_string(), "Rd8# is back-rank mate");
    /// ```
    pub fn find(history: &GameHistory, signal: &StopSignal) -> Option<Self> {
        let board = *history.board();
        let legal = board.legal_moves();
        if let &[only] = &legal[..]
            && !board.after(only).is_checkmate()
        {
            return Some(Self::explained(history, vec![only], None, true));
        }
        let limit = ProofLimits {
            nodes: Some(PROOF_NODES),
            ..ProofLimits::NONE
        };
        let proof = Prover::new(PROOF_MEMORY).mate(&board, MATE_MOVES, &limit);
        if let MateVerdict::Mate { moves, line } = proof
            && let Some(&mv) = line.first()
        {
            let mut end = board;
            for &next in &line {
                end.play(next);
            }
            let pattern = MatePattern::of(&end);
            return Some(Self {
                mv,
                is_only: false,
                explanation: MoveMotifs {
                    motifs: vec![Motif::Mate { moves, pattern }],
                },
                line,
                score: Some(Score::Mate(moves.cast_signed())),
                board,
            });
        }
        let limits = Limits {
            nodes: Some(SEARCH_NODES),
            ..Limits::default()
        };
        let ignore = &mut |_: &SearchEvent| {};
        let thought = Engine::default().think_until(history, &limits, signal, ignore)?;
        let mut line = thought.info.pv;
        if line.first() != Some(&thought.best) {
            line = vec![thought.best];
        }
        let score = thought.info.score;
        Some(Self::explained(history, line, Some(score), false))
    }

    /// A hint for the first move of a line.
    fn explained(
        history: &GameHistory,
        line: Vec<Move>,
        score: Option<Score>,
        is_only: bool,
    ) -> Self {
        let board = *history.board();
        let previous = history.played().last();
        let explanation = Idea {
            board: &board,
            line: &line,
            score,
            previous: previous.map(|(before, mv)| (before, *mv)),
        }
        .explain();
        Self {
            mv: line[0],
            is_only,
            explanation,
            line,
            score,
            board,
        }
    }

    /// The move in SAN.
    pub fn san(&self) -> String {
        write_san(&self.board, self.mv).to_string()
    }

    /// Why the move is good: `forks king and rook`. `None` if there is nothing to say that is surely true.
    pub fn words(&self) -> Option<String> {
        if self.is_only {
            return Some(String::from("is the only legal move"));
        }
        self.explanation.words()
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.san())?;
        if let Some(words) = self.words() {
            write!(f, " {words}")?;
        }
        if self.line.len() > 1 {
            let shown = &self.line[..self.line.len().min(LINE_PLIES)];
            write!(f, ": {}", format_variation(&self.board, shown))?;
        }
        match self.score {
            Some(score @ Score::Cp(_)) => {
                write!(f, " ({})", format_score(score, self.board.turn()))
            }
            _ => Ok(()),
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
            "Nf7+ forces smothered mate in 4: 1. Nf7+ Kg8 2. Nh6+ Kh8 3. Qg8+ Rxg8 4. Nf7#"
        );
    }

    #[test]
    fn mate_threats_are_stopped() {
        // White threatens Qxf7.
        let threatened = hint("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
        let words = threatened.words().unwrap();
        assert!(words.starts_with("stops mate in 1"), "{threatened}");
    }

    #[test]
    fn words_come_first_and_the_line_second() {
        let fork = hint("q3k3/8/8/1N6/8/8/4P3/4K3 w - - 0 1").to_string();
        assert!(
            fork.starts_with("Nc7+ forks king and queen and wins the queen: 1. Nc7+ K"),
            "{fork}"
        );
        let start = hint("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(start.words().is_some(), "{start}");
        assert!(start.to_string().contains(": 1. "), "{start}");
        assert!(start.to_string().ends_with(')'), "{start}");
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
