//! Methods of `Board` about the end of the game.

use super::*;

#[pymethods]
impl PyBoard {
    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.board().is_check()
    }

    /// Whether the side to move is mated.
    fn is_checkmate(&self) -> bool {
        self.board().is_checkmate()
    }

    /// Whether the side to move has no legal move and is not in check.
    fn is_stalemate(&self) -> bool {
        self.board().is_stalemate()
    }

    /// Whether neither side can mate by any series of legal moves, judged by the material.
    fn is_insufficient_material(&self) -> bool {
        self.board().is_insufficient_material()
    }

    /// Whether a side can never mate, judged by the material.
    fn has_insufficient_material(&self, color: ColorArg) -> bool {
        !self.board().has_mating_material(color.0)
    }

    /// Whether 75 moves by each side passed without a capture or a pawn move.
    fn is_seventyfive_moves(&self) -> bool {
        self.board().halfmove_clock() >= 150 && self.board().has_legal_move()
    }

    /// Whether the position has occurred five times.
    fn is_fivefold_repetition(&self) -> bool {
        self.history.repetitions() >= 5
    }

    /// Whether 50 moves by each side passed without a capture or a pawn move.
    fn is_fifty_moves(&self) -> bool {
        self.history.is_fifty_moves()
    }

    /// Whether the position has occurred at least `count` times.
    #[pyo3(signature = (count=3))]
    fn is_repetition(&self, count: usize) -> bool {
        self.history.repetitions() >= count
    }

    /// Whether the side to move may claim a draw by the fifty-move rule, now or by one of its moves.
    fn can_claim_fifty_moves(&self) -> bool {
        self.history.can_claim_fifty()
    }

    /// Whether the side to move may claim a draw by repetition, now or by one of its moves.
    fn can_claim_threefold_repetition(&self) -> bool {
        self.history.can_claim_threefold()
    }

    /// Whether the side to move may claim a draw, now or by one of its moves.
    fn can_claim_draw(&self) -> bool {
        self.can_claim_fifty_moves() || self.can_claim_threefold_repetition()
    }

    /// Whether the game is over, by rule or, if you ask for it, by a claim.
    #[pyo3(signature = (*, claim_draw=false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        self.history.termination(claim_draw).is_some()
    }

    /// How the game ended, or `None`.
    #[pyo3(signature = (*, claim_draw=false))]
    fn outcome<'py>(
        &self,
        py: Python<'py>,
        claim_draw: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(termination) = self.history.termination(claim_draw) else {
            return Ok(None);
        };
        let module = py.import("tabiya._outcome")?;
        let winner =
            (termination == Termination::Checkmate).then(|| !self.board().turn().is_white());
        let termination = module.getattr("Termination")?.getattr(termination.name())?;
        Ok(Some(
            module.getattr("Outcome")?.call1((termination, winner))?,
        ))
    }

    /// The result as in PGN.
    #[pyo3(signature = (*, claim_draw=false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        match self.history.termination(claim_draw) {
            None => "*",
            Some(Termination::Checkmate) => {
                if self.board().turn().is_white() {
                    "0-1"
                } else {
                    "1-0"
                }
            }
            Some(_) => "1/2-1/2",
        }
    }
}
