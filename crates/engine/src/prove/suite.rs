//! Mate problems from EPD files, and the statistics over them.

use std::fmt;
use std::time::Duration;

use tabiya_board::Board;
use tabiya_notation::Epd;

use super::{MateVerdict, ProofLimits, Prover};
use crate::clock::Stopwatch;

/// A position, with the distance of its mate if the file states one.
#[derive(Clone, Debug)]
pub struct MateProblem {
    /// The position.
    pub board: Board,
    /// The distance of the mate in moves, from the operation `dm`.
    pub distance: Option<u32>,
}

impl From<&Epd> for MateProblem {
    fn from(epd: &Epd) -> Self {
        let distance = epd.operand("dm").and_then(|moves| moves.parse().ok());
        Self {
            board: epd.board,
            distance: distance.filter(|&moves| moves > 0),
        }
    }
}

/// The result of a proof, with what it took.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The longest mate searched for, in moves.
    pub max_moves: u32,
    /// The result.
    pub verdict: MateVerdict,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Proof {
    /// Returns the distance of the mate, if there is one.
    pub const fn mate_in(&self) -> Option<u32> {
        match self.verdict {
            MateVerdict::Mate { moves, .. } => Some(moves),
            _ => None,
        }
    }

    /// Returns the greatest number of moves within which there is proved to be no mate.
    pub const fn no_mate_in(&self) -> u32 {
        match self.verdict {
            MateVerdict::Mate { moves, .. } => moves - 1,
            MateVerdict::NoMate => self.max_moves,
            MateVerdict::Undecided { no_mate_in } => no_mate_in,
        }
    }

    /// Returns whether the proof agrees with a stated distance; `None` if it does not decide that.
    pub fn agrees_with(&self, distance: u32) -> Option<bool> {
        match self.mate_in() {
            Some(moves) => Some(moves == distance),
            None if distance <= self.no_mate_in() => Some(false),
            None if self.verdict == MateVerdict::NoMate => Some(true),
            None => None,
        }
    }
}

impl Prover {
    /// Searches for the shortest mate like [`mate_with_progress`](Self::mate_with_progress), and measures the proof.
    pub fn prove(
        &mut self,
        board: &Board,
        max_moves: u32,
        limits: &ProofLimits,
        progress: &mut dyn FnMut(u32, Duration),
    ) -> Proof {
        let stopwatch = Stopwatch::start();
        let nodes_before = self.nodes();
        let verdict = self.mate_with_progress(board, max_moves, limits, &mut |no_mate_in| {
            progress(no_mate_in, stopwatch.elapsed());
        });
        Proof {
            max_moves,
            verdict,
            nodes: self.nodes() - nodes_before,
            time: stopwatch.elapsed(),
        }
    }
}

/// Counts of the results over a file of problems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteSummary {
    /// Positions with a mate.
    pub mates: usize,
    /// Positions without one.
    pub no_mates: usize,
    /// Positions that the limits left undecided.
    pub undecided: usize,
    /// Results that agree with the stated distance.
    pub agreed: usize,
    /// Results that contradict it.
    pub disagreed: usize,
}

impl SuiteSummary {
    /// Counts a result.
    pub fn add(&mut self, problem: &MateProblem, proof: &Proof) {
        match proof.verdict {
            MateVerdict::Mate { .. } => self.mates += 1,
            MateVerdict::NoMate => self.no_mates += 1,
            MateVerdict::Undecided { .. } => self.undecided += 1,
        }
        let agrees = problem
            .distance
            .and_then(|distance| proof.agrees_with(distance));
        match agrees {
            Some(true) => self.agreed += 1,
            Some(false) => self.disagreed += 1,
            None => {}
        }
    }

    /// Returns the number of results.
    pub const fn positions(&self) -> usize {
        self.mates + self.no_mates + self.undecided
    }
}

impl fmt::Display for SuiteSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            mates,
            no_mates,
            undecided,
            agreed,
            disagreed,
        } = self;
        write!(
            f,
            "{mates} with mate, {no_mates} without, {undecided} undecided"
        )?;
        if agreed + disagreed > 0 {
            write!(f, "; {agreed} agree with the file, {disagreed} disagree")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_ROOKS: &str = "7k/8/8/8/8/8/R7/1R5K w - -";

    #[test]
    fn proofs_are_compared_with_stated_distances() {
        let mut summary = SuiteSummary::default();
        let mut prover = Prover::new(1);
        for (distance, max_moves, agrees) in [
            ("dm 2;", 3, Some(true)),
            ("dm 3;", 3, Some(false)),
            ("dm 1;", 1, Some(false)),
            ("dm 2;", 1, Some(true)),
            ("dm 0;", 3, None),
            ("", 3, None),
        ] {
            let epd: Epd = format!("{TWO_ROOKS} {distance}").parse().unwrap();
            let problem = MateProblem::from(&epd);
            let proof = prover.prove(
                &problem.board,
                max_moves,
                &ProofLimits::NONE,
                &mut |_, _| {},
            );
            let found = problem.distance.and_then(|moves| proof.agrees_with(moves));
            assert_eq!(found, agrees, "{distance} within {max_moves}");
            summary.add(&problem, &proof);
        }
        let expected = SuiteSummary {
            mates: 4,
            no_mates: 2,
            undecided: 0,
            agreed: 2,
            disagreed: 2,
        };
        assert_eq!(summary, expected);
        assert_eq!(summary.positions(), 6);
    }
}
