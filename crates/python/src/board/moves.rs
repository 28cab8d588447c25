//! Methods of `Board` that list, read, write and play moves.

use super::*;

#[pymethods]
impl PyBoard {
    /// The legal moves: iterate, count, ask with `in`.
    #[getter]
    fn legal_moves(&self) -> PyLegalMoves {
        PyLegalMoves::new(*self.board(), self.chess960)
    }

    /// The legal moves, limited to some starting and target squares.
    #[pyo3(signature = (from_mask=SquaresArg(Bitboard::FULL), to_mask=SquaresArg(Bitboard::FULL)))]
    fn generate_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: SquaresArg,
        to_mask: SquaresArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.board().legal_moves();
        let chosen = moves
            .iter()
            .filter(|mv| from_mask.0.contains(mv.from()) && to_mask.0.contains(mv.to()));
        let objects: Vec<_> = chosen
            .map(|&mv| self.object(py, mv))
            .collect::<PyResult<_>>()?;
        Ok(PyList::new(py, objects)?.try_iter()?.into_any())
    }

    /// The legal captures.
    #[pyo3(signature = (from_mask=SquaresArg(Bitboard::FULL), to_mask=SquaresArg(Bitboard::FULL)))]
    fn generate_legal_captures<'py>(
        &self,
        py: Python<'py>,
        from_mask: SquaresArg,
        to_mask: SquaresArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.board().legal_captures();
        let chosen = moves
            .iter()
            .filter(|mv| from_mask.0.contains(mv.from()) && to_mask.0.contains(mv.to()));
        let objects: Vec<_> = chosen
            .map(|&mv| self.object(py, mv))
            .collect::<PyResult<_>>()?;
        Ok(PyList::new(py, objects)?.try_iter()?.into_any())
    }

    /// The legal move between two squares. A pawn that reaches the last rank becomes a queen unless you say otherwise.
    #[pyo3(signature = (from_square, to_square, promotion=None))]
    fn find_move<'py>(
        &self,
        py: Python<'py>,
        from_square: SquareArg,
        to_square: SquareArg,
        promotion: Option<RoleArg>,
    ) -> PyResult<Bound<'py, PyMove>> {
        let board = self.board();
        let promotes = board.role_at(from_square.0) == Some(Role::Pawn)
            && matches!(to_square.0.rank().index(), 0 | 7);
        let promotion = promotion
            .map(|role| role.0)
            .or(promotes.then_some(Role::Queen));
        let mv = board.legal_move(from_square.0, to_square.0, promotion);
        self.object(py, mv.map_err(|refusal| refused(py, refusal))?)
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: &Bound<'_, PyMove>) -> bool {
        let mv = r#move.get();
        !mv.is_null() && mv.resolve(self.board()).is_ok()
    }

    /// Plays a move, or raises an `IllegalMoveError` that says why it is illegal.
    fn push(&mut self, r#move: &Bound<'_, PyMove>) -> PyResult<()> {
        let py = r#move.py();
        let mv = r#move.get();
        let found = if mv.is_null() {
            None
        } else {
            Some(self.find(py, mv)?)
        };
        self.play(py, found)
    }

    /// Plays a move in SAN and returns it.
    fn push_san<'py>(&mut self, py: Python<'py>, san: &str) -> PyResult<Bound<'py, PyMove>> {
        let mv = self.read_san(py, san)?;
        let object = self.returned(py, mv)?;
        self.play(py, mv)?;
        Ok(object)
    }

    /// Plays a move in UCI notation and returns it.
    fn push_uci<'py>(&mut self, py: Python<'py>, uci: &str) -> PyResult<Bound<'py, PyMove>> {
        let mv = self.read_uci(py, uci)?;
        let object = self.returned(py, mv)?;
        self.play(py, mv)?;
        Ok(object)
    }

    /// Plays a move in XBoard's notation: UCI notation, or SAN castling.
    fn push_xboard<'py>(&mut self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyMove>> {
        if text.starts_with(['O', '0']) {
            self.push_san(py, text)
        } else {
            self.push_uci(py, text)
        }
    }

    /// Reads a move in SAN without playing it.
    fn parse_san<'py>(&self, py: Python<'py>, san: &str) -> PyResult<Bound<'py, PyMove>> {
        self.returned(py, self.read_san(py, san)?)
    }

    /// Reads a move in UCI notation without playing it.
    fn parse_uci<'py>(&self, py: Python<'py>, uci: &str) -> PyResult<Bound<'py, PyMove>> {
        self.returned(py, self.read_uci(py, uci)?)
    }

    /// Takes back the last move and returns it.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        let mv = self.last()?.1;
        self.history.take_back();
        self.returned(py, mv)
    }

    /// The last move.
    fn peek<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        let (before, mv) = self.last()?;
        mv.map_or_else(
            || PyMove::null(py),
            |mv| PyMove::of(py, before, mv, self.chess960),
        )
    }

    /// The moves played so far, as a new list.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let object = |(before, mv): &(Board, Option<Move>)| {
            mv.map_or_else(
                || PyMove::null(py),
                |mv| PyMove::of(py, before, mv, self.chess960),
            )
        };
        let moves: Vec<_> = self
            .history
            .played
            .iter()
            .map(object)
            .collect::<PyResult<_>>()?;
        PyList::new(py, moves)
    }

    /// Forgets the moves played so far, but keeps the position.
    fn clear_stack(&mut self) {
        self.history.played.clear();
    }

    /// The number of halfmoves since the first move of the game.
    fn ply(&self) -> usize {
        2 * (usize::from(self.board().fullmove_number()) - 1)
            + usize::from(!self.board().turn().is_white())
    }

    /// The board before the first move.
    fn root(&self) -> Self {
        Self::of(*self.history.root(), self.chess960)
    }

    /// A move in SAN.
    fn san(&self, r#move: &Bound<'_, PyMove>) -> PyResult<String> {
        if r#move.get().is_null() {
            return Ok("--".to_owned());
        }
        Ok(write_san(self.board(), self.find(r#move.py(), r#move.get())?).to_string())
    }

    /// A move in long algebraic notation.
    fn lan(&self, r#move: &Bound<'_, PyMove>) -> PyResult<String> {
        if r#move.get().is_null() {
            return Ok("--".to_owned());
        }
        let mv = self.find(r#move.py(), r#move.get())?;
        Ok(crate::position::lan(self.board(), mv))
    }

    /// Plays a move and returns it in SAN.
    fn san_and_push(&mut self, r#move: &Bound<'_, PyMove>) -> PyResult<String> {
        let san = self.san(r#move)?;
        self.push(r#move)?;
        Ok(san)
    }

    /// A move in UCI notation, as this board spells castling.
    #[pyo3(signature = (r#move, *, chess960=None))]
    fn uci(&self, r#move: &Bound<'_, PyMove>, chess960: Option<bool>) -> PyResult<String> {
        if r#move.get().is_null() {
            return Ok("0000".to_owned());
        }
        let mv = self.find(r#move.py(), r#move.get())?;
        Ok(if chess960.unwrap_or(self.chess960) {
            uci::write_chess960(self.board(), mv).to_string()
        } else {
            uci::write(self.board(), mv).to_string()
        })
    }

    /// A sequence of moves in SAN, with move numbers.
    fn variation_san(&self, variation: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = variation.py();
        let mut board = *self.board();
        let mut moves = Vec::new();
        for mv in variation.try_iter()? {
            let mv = mv?;
            let mv = mv
                .cast::<PyMove>()
                .map_err(|_| PyTypeError::new_err(format!("{} is not a move", repr(&mv))))?;
            let mv = position_move(py, &board, mv.get())?;
            board.play_unchecked(mv);
            moves.push(mv);
        }
        self.board()
            .variation_san(&moves)
            .map_err(|refusal| refused(py, refusal))
    }

    /// Whether a move captures.
    fn is_capture(&self, r#move: &Bound<'_, PyMove>) -> PyResult<bool> {
        let mv = self.find(r#move.py(), r#move.get())?;
        Ok(self.board().captured(mv).is_some())
    }

    /// Whether a move captures en passant.
    fn is_en_passant(&self, r#move: &Bound<'_, PyMove>) -> bool {
        r#move
            .get()
            .resolve(self.board())
            .is_ok_and(Move::is_en_passant)
    }

    /// Whether a move castles.
    fn is_castling(&self, r#move: &Bound<'_, PyMove>) -> bool {
        r#move
            .get()
            .resolve(self.board())
            .is_ok_and(Move::is_castling)
    }

    /// Whether a move castles kingside.
    fn is_kingside_castling(&self, r#move: &Bound<'_, PyMove>) -> bool {
        let mv = r#move.get().resolve(self.board());
        mv.is_ok_and(|mv| mv.castling_side() == Some(CastlingSide::KingSide))
    }

    /// Whether a move castles queenside.
    fn is_queenside_castling(&self, r#move: &Bound<'_, PyMove>) -> bool {
        let mv = r#move.get().resolve(self.board());
        mv.is_ok_and(|mv| mv.castling_side() == Some(CastlingSide::QueenSide))
    }

    /// Whether a move resets the halfmove clock: it captures or moves a pawn.
    fn is_zeroing(&self, r#move: &Bound<'_, PyMove>) -> PyResult<bool> {
        if r#move.get().is_null() {
            return Ok(false);
        }
        let mv = self.find(r#move.py(), r#move.get())?;
        Ok(mv.role() == Role::Pawn || self.board().captured(mv).is_some())
    }

    /// Whether no later position can be the same as one before this move.
    fn is_irreversible(&self, r#move: &Bound<'_, PyMove>) -> PyResult<bool> {
        if r#move.get().is_null() {
            return Ok(false);
        }
        let mv = self.find(r#move.py(), r#move.get())?;
        let rights =
            self.board().castling_rooks() != self.board().after_unchecked(mv).castling_rooks();
        Ok(rights
            || crate::position::has_legal_en_passant(self.board())
            || self.is_zeroing(r#move)?)
    }

    /// Whether a move gives check.
    fn gives_check(&self, r#move: &Bound<'_, PyMove>) -> PyResult<bool> {
        let mv = self.find(r#move.py(), r#move.get())?;
        Ok(self.board().after_unchecked(mv).is_check())
    }

    /// Why a move, in SAN or as squares, is illegal, or what it does if it is legal.
    fn explain(&self, text: &str) -> PyResult<String> {
        let input = MoveInput::parse(text).map_err(|error| {
            crate::errors::InvalidMoveError::new_err(format!("{text:?} is not a move: {error}"))
        })?;
        match explain(self.board(), input) {
            Ok(explanation) => Ok(explanation.sentence),
            Err(error) => Err(crate::errors::InvalidMoveError::new_err(error.to_string())),
        }
    }
}
